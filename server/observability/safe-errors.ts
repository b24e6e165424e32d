import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** An error whose message is ours and may be logged: it has nothing that a person or a provider sent. */
export class LoggableError extends Error {}

/**
 * What may be logged of an error. Messages of databases, parsers and providers quote personal data,
 * so only the messages of a LoggableError are logged.
 */
export type SerializedError = {
  type: string
  code?: string
  constraint?: string
  table?: string
  column?: string
  message?: string
  at?: string[]
  cause?: SerializedError
}

type DatabaseError = Error & Record<'code' | 'constraint' | 'table' | 'column', unknown>

const ROOT = `${resolve(import.meta.dir, '../..')}/`
const MAX_CAUSES = 6
const MAX_FRAMES = 12
const MAX_TEXT_LENGTH = 1000

export function serializeError(error: unknown, maxDepth = MAX_CAUSES): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error }

  const { code, constraint, table, column } = error as DatabaseError
  const cause = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
  const frames = getFrames(error)
  return {
    type: toIdentifier(error.constructor.name) ?? 'Error',
    code: toIdentifier(code),
    constraint: toIdentifier(constraint),
    table: toIdentifier(table),
    column: toIdentifier(column),
    message: isLoggable(error) ? maskDigits(error.message) : undefined,
    at: frames.length > 0 ? frames : undefined,
    cause: cause !== undefined && maxDepth > 1 ? serializeError(cause, maxDepth - 1) : undefined,
  }
}

/** Maps an error and its causes to one line. */
export function toErrorText(error: unknown) {
  const parts: string[] = []
  let current: SerializedError | undefined = serializeError(error)
  while (current) {
    const { message, type, code, constraint, cause }: SerializedError = current
    const part = message ?? [type, code, constraint].filter(Boolean).join(' ')
    if (part !== parts.at(-1)) parts.push(part)
    current = cause
  }
  return parts.join(': ').slice(0, MAX_TEXT_LENGTH)
}

/** Accepts names of classes, codes, tables and columns; six digits could be personal. */
function toIdentifier(value: unknown) {
  if (typeof value !== 'string' || !/^\w{1,80}$/.test(value) || /\d{6}/.test(value)) return undefined
  return value
}

/** An API error below 500 quotes the client's own input. */
function isLoggable(error: Error) {
  if (!(error instanceof LoggableError)) return false
  const isApiError = 'status' in error && 'details' in error
  return !isApiError || typeof error.status !== 'number' || error.status >= 500
}

/** Masks digits that could be a one-time password, a phone number or an identity number. */
function maskDigits(text: string) {
  return text.replace(/(?<![\w-])\d{6,}(?![\w-])/g, '…')
}

/** Returns our files and lines of the stack. A message can look like a frame, so the file must exist. */
function getFrames({ stack = '' }: Error) {
  const lines = [...stack.matchAll(/^\s+at .*?\(?([^\s()]+):(\d+:\d+)\)?$/gm)]
  const frames = lines.flatMap(([, path = '', position = '']) => {
    const file = path.startsWith(ROOT) ? path.slice(ROOT.length) : ''
    const isOurs = /^(server|db)\/[\w./-]+\.ts$/.test(file) && position.length < 15
    return isOurs && existsSync(ROOT + file) ? [`${file}:${position}`] : []
  })
  return [...new Set(frames)].slice(0, MAX_FRAMES)
}
