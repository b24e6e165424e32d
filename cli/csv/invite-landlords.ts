import type { KirayaError } from '@kiraya/sdk'
import type { OperationsClient } from '@kiraya/sdk/operations'
import type { Context } from '../context'
import { createProgress } from '../progress'
import { toLandlord, toLandlordErrors, type LandlordRow } from './import-landlords'
import type { CsvError } from './read-csv'

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
    const { phone: phone_number, ...profile } = toLandlord(row)
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
