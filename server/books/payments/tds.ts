import { sql } from 'kysely'
import type { Tds, TdsQuery } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import { loadMonthlyRents } from '../charges/schedule-view'
import { getFiscalYear, parseFiscalYear } from '../../domain/fiscal-year'
import { divideHalfUp, sumPaise, toPaise, toRupees } from '../../domain/money'
import { parseRecordId, type RecordId } from '../../http/record-id'
import { findInForce, TAX_FORMS, TDS_ON_RENT } from '../../domain/rent-law'
import type { Reader, UserId } from '../../http/reads/reader'

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
  return { agreement_id, year, recorded, landlord_pan, ...(suggestion ?? NOTHING_DUE) }
}

/** A month's rent; the amount is paise. */
type MonthlyRent = { period_start: string; due_date: string; amount: number }

type TdsInput = {
  /** Those of other years are ignored. */
  rents: MonthlyRent[]
  /** Is the landlord's PAN known? */
  hasPan: boolean
  /** Such as 2026-27. */
  year: string
  /** The last day of the tenancy. */
  tenancyEnd: string
}

/**
 * Suggests the tax that a tenant deducts from a fiscal year's rent, or undefined if no month's rent is above the
 * threshold. A rent is of the year in which its period begins.
 */
export function suggestTds(input: TdsInput) {
  const rents = listRentsOfYear(input)
  const last = rents.findLast(({ amount }) => amount > 0)
  const law = last && findInForce(TDS_ON_RENT, last.due_date)
  if (!last || !law) return undefined
  const { monthly_threshold, section } = law
  if (!rents.some(({ amount }) => amount > toPaise(monthly_threshold))) return undefined

  const totalRent = sumPaise(rents.map(({ amount }) => amount))
  const rate_percent = input.hasPan ? law.rate_percent : law.rate_without_pan_percent
  const tax = divideHalfUp(BigInt(totalRent) * BigInt(rate_percent), 100)
  const amount = input.hasPan ? tax : Math.min(tax, last.amount)
  const { period_start, due_date } = last
  const { tds_statement, tds_certificate } = findInForce(TAX_FORMS, due_date)!
  return {
    amount: toRupees(amount),
    rate_percent,
    is_limited: amount < tax,
    total_rent: toRupees(totalRent),
    monthly_threshold,
    deduct_from: { period_start, due_date, amount: toRupees(last.amount) },
    section,
    statement_form: tds_statement,
    certificate_form: tds_certificate,
  }
}

function listRentsOfYear({ rents, year, tenancyEnd }: TdsInput) {
  const range = parseFiscalYear(year)
  if (!range) return []
  const until = tenancyEnd < range.to ? tenancyEnd : range.to
  return rents
    .filter(({ period_start }) => period_start >= range.from && period_start <= until)
    .toSorted((a, b) => Date.parse(a.period_start) - Date.parse(b.period_start))
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
