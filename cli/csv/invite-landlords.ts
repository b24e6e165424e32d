import type { KirayaError, ValidationError } from '@kiraya/sdk'
import type { OperationsClient } from '@kiraya/sdk/operations'
import type { Context } from '../runtime/context'
import { createProgress } from '../output/progress'
import { mailbox, phone, text } from './cells'
import type { Column, CsvError, Row } from './read-csv'

type Name = 'phone' | 'first_name' | 'last_name' | 'email'
export type LandlordRow = Row<Name>

export const landlordFileColumns: Column<Name>[] = [
  { name: 'phone', kind: phone, isRequired: true },
  { name: 'first_name', kind: text(), isRequired: true },
  { name: 'last_name', kind: text(), isRequired: true },
  { name: 'email', kind: mailbox, isRequired: true },
]

/** Finds the phone numbers that an earlier line has too. */
export function findRepeatedPhones(rows: LandlordRow[]): CsvError[] {
  const firstLines = new Map(rows.toReversed().map(({ line, values }) => [values.phone, line]))
  return rows.flatMap(({ line, values }) => {
    const firstLine = firstLines.get(values.phone)!
    if (values.phone === undefined || line === firstLine) return []
    return [{ line, column: 'phone', message: `is in line ${firstLine} already` }]
  })
}

/** How many have an open invitation and how many an account, and what the server refused. */
type Invited = { invited: number; withAccount: number; errors: CsvError[] }

/** Invites each landlord. A landlord who was invited before gets no second message. */
export async function inviteLandlords(
  context: Context,
  operations: OperationsClient,
  rows: LandlordRow[],
): Promise<Invited> {
  const result: Invited = { invited: 0, withAccount: 0, errors: [] }
  const progress = createProgress(context, 'landlords', rows.length)
  for (const row of rows) {
    // All columns are required, so that a row without errors has them.
    const { phone: phone_number, ...profile } = row.values as Record<Name, string>
    try {
      await operations.invite({ phone_number, ...profile })
      result.invited++
    } catch (error) {
      if ((error as KirayaError).reason === 'account_exists') result.withAccount++
      else result.errors.push(...toLandlordErrors(error, row))
    }
    progress.add(1)
  }
  progress.end()
  return result
}

/** Names the line and column of what the server refused; other errors end the import. */
export function toLandlordErrors(error: unknown, { line }: LandlordRow): CsvError[] {
  const { code, message, violations = [] } = error as ValidationError
  if (code !== 'VALIDATION_ERROR' && code !== 'BAD_REQUEST') throw error
  if (violations.length === 0) return [{ line, column: 'phone', message }]
  return violations.map(({ property, constraints }) => ({
    line,
    column: property === 'phone_number' ? 'phone' : property,
    message: Object.values(constraints).join('; ') || 'is not valid',
  }))
}
