import { sql } from 'kysely'
import { getKysely, type EntityManager } from '../../../db/database'
import type { LateFeeTerms } from '../../../server/books/charges/late-fee-rules'
import { addDays } from '../../../server/domain/dates'
import { toPaise } from '../../../server/domain/money'

type Amount = { day: string; amount: number }
type Row = LateFeeTerms & {
  id: number
  due_date: string
  amount: number
  is_settled: boolean
  is_feeable: boolean
  /** What was paid or written off, by its day, and what was credited otherwise. */
  settlements: Amount[]
  /** Less what the system credited. */
  posted: number
  newest: string | null
  /** What is not credited of the fees. */
  standing: number
}

const rows = sql<Row>`
  select charge.id, charge.due_date::text, charge.amount::float, lease.late_fee_kind, lease.late_fee::float,
    lease.late_fee_percent::float, lease.late_fee_grace_days, lease.late_fee_cap::float,
    charge.amount = charge.amount_paid + charge.amount_credited as is_settled,
    charge.due_date >= lease.signed_date and charge.source = 'schedule' and charge.type <> 'deposit'
      and (lease.late_fee_kind = 'percent_pa' or charge.type = 'rent' and charge.item = 0) as is_feeable,
    (
      select coalesce(json_agg(json_build_object('day', day, 'amount', amount)), '[]') from (
        select payment.paid_on as day, allocation.amount::float from payment_allocations allocation
        join payments payment on payment.id = allocation.payment_id where allocation.charge_id = charge.id
        union all
        select case journal.reason when 'write_off' then journal.effective_on else '0001-01-01' end, line.credit::float
        from journals journal join journal_lines line on line.journal_id = journal.id and line.account = 'receivable'
        where journal.charge_id = charge.id and journal.kind = 'credit'
          and not exists (select from journals undone where undone.reverses_id = journal.id)
      ) settled
    ) as settlements,
    (
      select coalesce(sum(fee.amount), 0)::float from charges fee
      where fee.base_charge_id = charge.id and fee.source = 'late_fee'
    ) - (
      select coalesce(sum(line.credit), 0)::float from charges fee
      join journals journal on journal.charge_id = fee.id and journal.kind = 'credit' and journal.actor_id is null
      join journal_lines line on line.journal_id = journal.id and line.account = 'receivable'
      where fee.base_charge_id = charge.id and fee.source = 'late_fee'
    ) as posted,
    (
      select max(fee.due_date)::text from charges fee where fee.base_charge_id = charge.id and fee.source = 'late_fee'
    ) as newest,
    (
      select coalesce(sum(fee.amount - fee.amount_credited), 0)::float from charges fee
      where fee.base_charge_id = charge.id and fee.source = 'late_fee'
    ) as standing
  from charges charge join agreements lease on lease.id = charge.agreement_id`

/**
 * Names the charges whose late fees are not what one computation, day by day, comes to: of a settled one for all its
 * days, of an open one for no more than the days until its newest fee.
 */
export async function findWrongLateFees(em: EntityManager) {
  const { rows: charges } = await rows.execute(getKysely(em))
  const wrong: string[] = []
  for (const charge of charges) {
    const posted = toPaise(charge.posted)
    const due = charge.is_feeable ? countFees(charge) : 0
    // Beyond what is due there may be what people waived, which counts as posted.
    const isTooMuch = posted > due && charge.standing > 0
    if (isTooMuch || (charge.is_settled && posted < due))
      wrong.push(`the late fees of ${charge.id} are ${posted} of ${due}`)
  }
  return wrong
}

function countFees(charge: Row) {
  const { due_date, late_fee_grace_days, newest, is_settled } = charge
  const lastSafeDay = addDays(due_date, late_fee_grace_days)
  if (getBalance(charge, lastSafeDay) === 0) return 0
  const lastDay = is_settled ? addDays(lastSafeDay, 365) : (newest ?? due_date)
  let [lateDays, paiseDays] = [0, 0n]
  for (let day = lastSafeDay; day < lastDay && day < addDays(lastSafeDay, 365); day = addDays(day, 1)) {
    const balance = getBalance(charge, day)
    if (balance > 0) lateDays++
    paiseDays += BigInt(balance)
  }
  return Math.min(toFee(charge, lateDays, paiseDays), toPaise(charge.late_fee_cap ?? Infinity))
}

/** What is outstanding at the end of a day. */
function getBalance({ amount, settlements }: Row, day: string) {
  const settled = settlements.filter(each => each.day <= day)
  return settled.reduce((left, each) => left - toPaise(each.amount), toPaise(amount))
}

function toFee({ late_fee_kind, late_fee, late_fee_percent }: Row, lateDays: number, paiseDays: bigint) {
  if (late_fee_kind === 'flat') return lateDays > 0 ? toPaise(late_fee ?? 0) : 0
  if (late_fee_kind === 'per_day') return toPaise(late_fee ?? 0) * lateDays
  const divisor = 36_500n * 100n
  return Number(
    (paiseDays * BigInt(Math.round((late_fee_percent ?? 0) * 100)) * 2n + divisor) / (divisor * 2n),
  )
}
