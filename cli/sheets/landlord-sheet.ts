import type { KirayaError } from '@kiraya/sdk'
import { NewInvitation } from '@kiraya/sdk/contract/invitations'
import type { OperationsClient } from '@kiraya/sdk/operations'
import { createProgress } from '../output/progress'
import type { Context } from '../runtime/context'
import { toColumns } from './columns'
import type { Locate, Row, Sheet, SheetError } from './read-sheet'
import { toSheetErrors } from './refusals'

/** A file says `phone` for `phone_number`. */
const toColumnName = (field: string) => (field === 'phone_number' ? 'phone' : field)

export const landlordSheet = {
  columns: toColumns(NewInvitation, { phone_number: { kind: 'phone' } }).map(column => ({
    ...column,
    name: toColumnName(column.name),
  })),
}

/** Finds the phone numbers that an earlier line has too. */
export function findRepeatedPhones(rows: Row[], locate: Locate): SheetError[] {
  const firstLines = new Map(rows.toReversed().map(({ line, values }) => [values.phone, line]))
  return rows.flatMap(({ line, values }) => {
    const firstLine = firstLines.get(values.phone)!
    if (values.phone === undefined || line === firstLine) return []
    return [{ ...locate(line, 'phone'), message: `is in row ${firstLine} already` }]
  })
}

/** Invites each landlord. A landlord who was invited before gets no second message. */
export async function inviteLandlords(
  context: Context,
  operations: OperationsClient,
  { rows, locate }: Pick<Sheet, 'rows' | 'locate'>,
) {
  const result = { invited: 0, withAccount: 0, errors: [] as SheetError[] }
  const progress = createProgress(context, 'landlords', rows.length)
  for (const row of rows) {
    const { phone, ...profile } = row.values
    try {
      // All columns are required, so that a row without errors has them.
      await operations.invite({ phone_number: phone, ...profile } as NewInvitation)
      result.invited++
    } catch (error) {
      if ((error as KirayaError).reason === 'account_exists') result.withAccount++
      else result.errors.push(...toLandlordErrors(error, row, locate))
    }
    progress.add(1)
  }
  progress.end()
  return result
}

export const toLandlordErrors = (error: unknown, { line }: Row, locate: Locate) =>
  toSheetErrors(error, locate(line, 'phone'), field => locate(line, toColumnName(field)))
