import { sql } from 'kysely'
import type { Tds, TdsQuery } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import { loadMonthlyRents } from '../charges/schedule-view'
import { getFiscalYear, parseFiscalYear } from '../../domain/fiscal-year'
import { toRupees } from '../../domain/money'
import { parseRecordId, type RecordId } from '../../domain/record-id'
import type { Reader, UserId } from '../../http/reads/reader'
import { suggestTds } from './tds'

type Suggestion = NonNullable<ReturnType<typeof suggestTds>>

/**
 * Suggests the tax on the rent of a fiscal year, from the rents that are posted and those to come.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function loadTds(
  reader: Reader,
  agreementId: string,
  query: TdsQuery,
  today: string,
): Promise<Tds> {
  const id = parseRecordId(agreementId, 'agreement_not_found')
  const year = query.year ?? getFiscalYear(today)
  const { rents, tenancyEnd } = await loadMonthlyRents(reader, id)
  const given = { id, ...parseFiscalYear(year)! }
  const paid = await reader.row(selectRecordedTds, given, 'agreement_not_found')
  const { agreement_id, recorded, has_pan } = paid as Recorded
  const landlord_pan = query.landlord_pan ?? has_pan
  const suggestion = suggestTds({ rents, hasPan: landlord_pan, year, tenancyEnd })
  return { agreement_id, year, recorded, landlord_pan, ...(suggestion ? toView(suggestion) : NOTHING_DUE) }
}

const NOTHING_DUE = {
  amount: 0,
  rate_percent: null,
  is_limited: false,
  total_rent: 0,
  monthly_threshold: null,
  deduct_from: null,
  section: null,
  statement_form: null,
  certificate_form: null,
}

function toView({ amount, total_rent, threshold, deduct_from, ...law }: Suggestion) {
  const { period_start, due_date } = deduct_from
  return {
    ...law,
    amount: toRupees(amount),
    total_rent: toRupees(total_rent),
    monthly_threshold: toRupees(threshold),
    deduct_from: { period_start, due_date, amount: toRupees(deduct_from.amount) },
  }
}

type Recorded = { agreement_id: number; recorded: number; has_pan: boolean }
type Year = { id: RecordId; from: string; to: string }

function selectRecordedTds(db: Db, userId: UserId, { id, from, to }: Year) {
  return selectVisibleAgreement(db, userId, id).select(e => [
    'a.id as agreement_id',
    sql<boolean>`exists (select from users u where u.id = a.landlord_id and u.pan is not null)`.as('has_pan'),
    e
      .selectFrom('payments as payment')
      .where('payment.agreement_id', '=', e.ref('a.id'))
      .where('payment.status', '=', 'posted')
      .where('payment.paid_on', '>=', from)
      .where('payment.paid_on', '<=', to)
      .select(sql<number>`coalesce(sum(payment.tds_amount), 0)`.as('sum'))
      .as('recorded'),
  ])
}
