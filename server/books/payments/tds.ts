import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Tds, TdsQuery, Warning } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import { loadScheduledRents } from '../charges/schedule-view'
import { compareDays } from '../../domain/dates'
import { getFiscalYear, parseFiscalYear } from '../../domain/fiscal-year'
import { divideHalfUp, sumPaise, toPaise, toRupees } from '../../domain/money'
import type { RecordId } from '../../http/record-id'
import { findInForce, TAX_FORMS, TDS_ON_RENT } from '../../domain/rent-law'
import type { Reader, UserId } from '../../http/reads/reader'
import { toWarning } from '../../messages/warnings'

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
  id: RecordId,
  query: TdsQuery,
  today: string,
): Promise<{ data: Tds; warnings?: Warning[] }> {
  const year = query.year ?? getFiscalYear(today)
  const scheduled = await loadScheduledRents(reader, id)
  const given = { id, ...parseFiscalYear(year)! }
  const stored = await reader.row(selectTdsFacts, given, 'agreement_not_found')
  const { agreement_id, recorded, has_pan, has_co_tenants, by_hand } = stored
  const landlord_pan = query.landlord_pan ?? has_pan
  const rents = [...scheduled, ...by_hand.map(rent => ({ ...rent, amount: toPaise(rent.amount) }))]
  const suggestion = suggestTds({ rents, hasPan: landlord_pan, year })
  const data = { agreement_id, year, recorded: recorded ?? 0, landlord_pan, ...(suggestion ?? NOTHING_DUE) }
  return suggestion && has_co_tenants ? { data, warnings: [toWarning('tds_per_payer')] } : { data }
}

/** A rent, or part of it; the amount is paise. */
type TaxableRent = { period_start: string; period_end: string; due_date: string; amount: number }

type TdsInput = {
  /** Those of other years are ignored. */
  rents: TaxableRent[]
  /** Is the landlord's PAN known? */
  hasPan: boolean
  /** Such as 2026-27. */
  year: string
}

/**
 * Suggests the tax that a tenant deducts from a fiscal year's rent, or undefined if no month's rent is above the
 * threshold. A rent is of the year in which its period ends.
 */
export function suggestTds({ rents, hasPan, year }: TdsInput) {
  const days = parseFiscalYear(year)
  if (!days) return undefined
  const months = listMonths(
    rents.filter(({ period_end }) => period_end >= days.from && period_end <= days.to),
  )
  const last = months.findLast(({ amount }) => amount > 0)
  // Rent in arrears may fall due after its year.
  const law = last && findInForce(TDS_ON_RENT, last.due_date < days.to ? last.due_date : days.to)
  if (!last || !law) return undefined
  const { monthly_threshold } = law
  if (!months.some(({ amount }) => amount > toPaise(monthly_threshold))) return undefined

  const totalRent = sumPaise(months.map(({ amount }) => amount))
  const rate_percent = hasPan ? law.rate_percent : law.rate_without_pan_percent
  const { tax, limit } = toWholeRupees(totalRent, rate_percent, last.amount)
  return {
    amount: hasPan ? tax : Math.min(tax, limit),
    rate_percent,
    is_limited: !hasPan && limit < tax,
    total_rent: toRupees(totalRent),
    monthly_threshold,
    deduct_from: { ...last, amount: toRupees(last.amount) },
    ...getTaxNames(days.to),
  }
}

/** Tax is deducted in whole rupees: the nearest one, or the last that the rent covers. The rents are paise. */
function toWholeRupees(totalRent: number, ratePercent: number, lastRent: number) {
  const tax = divideHalfUp(BigInt(totalRent) * BigInt(ratePercent), 100 * 100)
  return { tax, limit: Math.floor(toRupees(lastRent)) }
}

/** Returns the section and the forms of the tax of a year by its last day. */
export function getTaxNames(lastDay: string) {
  const { tds_statement, tds_certificate } = findInForce(TAX_FORMS, lastDay)!
  const section = findInForce(TDS_ON_RENT, lastDay)?.section ?? null
  return { section, statement_form: tds_statement, certificate_form: tds_certificate }
}

/** Sums the parts of each month's rent, in the order of the months. */
function listMonths(rents: TaxableRent[]) {
  const sorted = rents.toSorted((a, b) => compareDays(a.period_start, b.period_start))
  return [...Map.groupBy(sorted, ({ period_start }) => period_start.slice(0, 7)).values()].map(parts => {
    const due_date = parts.map(part => part.due_date).toSorted(compareDays)[0]!
    const amount = sumPaise(parts.map(part => part.amount))
    return { period_start: parts[0]!.period_start, due_date, amount }
  })
}

/**
 * The day that says of which year the tax of a `payment` is: a day of the year that has most of the rent that it settles,
 * by the ends of the periods, or the day of the payment. Rent that it paid ahead of time is not counted, so that an
 * advance never moves the tax.
 */
export const taxDay = sql<string>`coalesce((
  select max(coalesce(rent.period_end, rent.due_date))
  from payment_allocations allocation join charges rent on rent.id = allocation.charge_id
  where allocation.payment_id = payment.id and rent.type = 'rent'
    and least(rent.due_date, rent.period_end) <= payment.paid_on
  group by date_trunc('year', coalesce(rent.period_end, rent.due_date) - interval '3 months')
  order by sum(allocation.amount) desc, 1
  limit 1
), payment.paid_on)`

type Year = { id: RecordId; from: string; to: string }

/** `by_hand` are the rents that the schedule does not have. */
function selectTdsFacts(db: Db, userId: UserId, { id, from, to }: Year) {
  return selectVisibleAgreement(db, userId, id).select(e => [
    'a.id as agreement_id',
    sql<boolean>`exists (select from users u where u.id = a.landlord_id and u.pan is not null)`.as('has_pan'),
    sql<boolean>`(select count(*) > 1 from agreement_tenants t where t.agreement_id = a.id)`.as(
      'has_co_tenants',
    ),
    e
      .selectFrom('payments as payment')
      .where('payment.agreement_id', '=', e.ref('a.id'))
      .where('payment.status', '=', 'posted')
      .where('payment.tds_amount', '>', 0)
      .where(taxDay, '>=', from)
      .where(taxDay, '<=', to)
      .select(sql<number>`sum(payment.tds_amount)`.as('sum'))
      .as('recorded'),
    jsonArrayFrom(
      e
        .selectFrom('charges as charge')
        .where('charge.agreement_id', '=', e.ref('a.id'))
        .where('charge.type', '=', 'rent')
        .where('charge.source', '=', 'manual')
        .select([
          sql<string>`coalesce(charge.period_start, charge.due_date)`.as('period_start'),
          sql<string>`coalesce(charge.period_end, charge.due_date)`.as('period_end'),
          'charge.due_date',
          sql<number>`charge.amount - charge.amount_credited`.as('amount'),
        ]),
    ).as('by_hand'),
  ])
}
