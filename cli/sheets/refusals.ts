import type { ValidationError } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import { sanitizeText } from '../output/sanitize'
import { ExitError, INVALID } from '../runtime/errors'
import type { SheetError } from './read-sheet'

type Place = Omit<SheetError, 'message'>

/** Says which cell each value that the server refused came from; other errors end the import. */
export function toSheetErrors(
  error: unknown,
  place: Place,
  locate: (property: string) => Place,
): SheetError[] {
  const { code, message, violations = [] } = error as ValidationError
  if (code !== 'VALIDATION_ERROR' && code !== 'BAD_REQUEST') throw error
  if (violations.length === 0) return [{ ...place, message }]
  return violations.map(({ property, constraints }) => ({
    ...locate(property),
    message: Object.values(constraints).join('; ') || 'is not valid',
  }))
}

/** Prints every error by row and cell, as compilers do by line. */
export function requireNoErrors(
  { terminal, isJsonOutput, show }: Context,
  file: string,
  errors: SheetError[],
) {
  if (errors.length === 0) return
  const sorted = errors.toSorted((a, b) => a.line - b.line)
  if (isJsonOutput) show({ errors: sorted })
  for (const { line, column, cell, message } of sorted)
    terminal.err(sanitizeText(`${file}:${line}: ${column}${cell ? ` (${cell})` : ''}: ${message}`))
  throw new ExitError(`The file has ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`, INVALID)
}
