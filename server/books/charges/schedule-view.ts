import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Instalment, Schedule } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Database, Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import { toLastChargedDay } from '../../leases/rents'
import { compareDays, toDayOfMonth } from '../../domain/dates'
import { giveWay } from '../../domain/give-way'
import { sumPaise, toPaise, toRupees } from '../../domain/money'
import { parseRecordId, type RecordId } from '../../domain/record-id'
import type { Reader, UserId } from '../../http/reads/reader'
import { RawJson } from '../../http/reads/raw-json'
import { projectRents, toRent, type RentTerms } from '../../domain/rents'
import { listBookedInstalments, splitByPosted, type BillingTerms } from './schedule'

type PostedInstalment = Instalment & { item: number; charge_id: number; amount_credited: number }
type StoredSchedule = BillingTerms &
  RentTerms & {
    deposit_amount: number | null
    starts_on: string | null
    revisions: { effective_on: string; rent_amount: number }[]
    posted: PostedInstalment[]
  }

/**
 * Loads the instalments of an agreement's whole tenure as raw JSON: those that are posted as they were, the others
 * projected. There may be some thousand, so it lets other requests be served in between.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function loadSchedule(reader: Reader, agreementId: string) {
  const id = parseRecordId(agreementId, 'agreement_not_found')
  const stored = (await reader.row(selectSchedule, id, 'agreement_not_found')) as StoredSchedule
  await giveWay()
  const projected = listProjected(stored, stored.starts_on)
  await giveWay()
  const instalments = [...projectDeposit(stored), ...projected, ...stored.posted.map(toView)]
  instalments.sort((a, b) => compareDays(a.due_date, b.due_date))
  const rents = instalments.filter(({ type }) => type === 'rent')
  await giveWay()
  const schedule: Schedule = { instalments, total_rent: toRupees(sumAmounts(rents)) }
  return new RawJson<Schedule>(JSON.stringify(schedule))
}

/** Sums rupees, in paise. */
const sumAmounts = (parts: { amount: number }[]) => sumPaise(parts.map(({ amount }) => toPaise(amount)))

function toView({ item: _, amount_credited: _credited, ...view }: PostedInstalment): Instalment {
  return view
}

/**
 * Loads the rent of each month of a tenure in paise, also before the books, less what was credited of it, and the
 * tenancy's last day.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function loadMonthlyRents(reader: Reader, id: RecordId) {
  const stored = await reader.row(selectSchedule, id, 'agreement_not_found')
  await giveWay()
  return toMonthlyRents(stored as StoredSchedule)
}

type Lease = { id: number; landlord_id: number }

/** Loads the same for documents, which also count leases of the tenancy that their reader may not see. */
export async function loadLeaseRents(db: Database, lease: Lease) {
  const [stored] = await executeCompiled(db, selectScheduleOfLandlord, lease)
  await giveWay()
  return toMonthlyRents(stored!.row as StoredSchedule)
}

function selectScheduleOfLandlord(db: Db, { id, landlord_id }: Lease) {
  return db.selectNoFrom(
    jsonObjectFrom(selectSchedule(db, sql.val(landlord_id), { id }))
      .$notNull()
      .as('row'),
  )
}

function toMonthlyRents(stored: StoredSchedule) {
  const posted = stored.posted
    .filter(({ type }) => type === 'rent')
    .map(each => ({ ...each, amount: subtract(each.amount, each.amount_credited) }))
  const rents = [...listProjected({ ...stored, recurring_charges: null }, null), ...posted]
  // A month in which a lease renewed itself may have two periods.
  const months = Map.groupBy(rents, ({ period_start }) => toDayOfMonth(period_start!, 1))
  const summed = [...months.values()].map(parts => {
    const { period_start, due_date } = parts.toSorted((a, b) => compareDays(a.due_date, b.due_date))[0]!
    return { period_start: period_start!, due_date, amount: sumAmounts(parts) }
  })
  return { rents: summed, tenancyEnd: stored.agreement_end_date }
}

const subtract = (rupees: number, subtrahend: number) => toRupees(toPaise(rupees) - toPaise(subtrahend))

/** The deposit is charged when the books open; books that were opened later have none. */
function projectDeposit({ deposit_amount, starts_on, agreement_start_date }: StoredSchedule): Instalment[] {
  if (!deposit_amount || starts_on) return []
  const none = { period_start: null, period_end: null, charge_id: null }
  return [
    {
      type: 'deposit',
      description: 'Deposit',
      due_date: agreement_start_date,
      amount: deposit_amount,
      ...none,
    },
  ]
}

/** Lists what is not posted of the tenure, or of the books that begin on `starts_on`. */
function listProjected(stored: StoredSchedule, starts_on: string | null): Instalment[] {
  const rents = projectRents(stored, stored.revisions.map(toRent))
  const instalments = listBookedInstalments(stored, rents, stored.posted, starts_on)
  return splitByPosted(instalments, stored.posted).open.map(({ item: _, amount, ...instalment }) => ({
    ...instalment,
    amount: toRupees(amount),
    charge_id: null,
  }))
}

function selectSchedule(db: Db, userId: UserId, id: RecordId) {
  return selectVisibleAgreement(db, userId, id)
    .leftJoin('ledgers as ledger', 'ledger.agreement_id', 'a.id')
    .select([
      'a.agreement_start_date',
      'a.rent_due_day',
      'a.billing_cycle',
      'a.rent_in',
      'a.rent_rounding',
      'a.recurring_charges',
      'a.rent_amount',
      'a.escalation_percent',
      'a.escalation_every_months',
      'a.deposit_amount',
      'ledger.starts_on',
      toLastChargedDay('a').as('agreement_end_date'),
    ])
    .select(e => [
      jsonArrayFrom(
        db
          .selectFrom('rent_revisions as revision')
          .where('revision.agreement_id', '=', e.ref('a.id'))
          .where('revision.status', '=', sql.lit('accepted'))
          .orderBy('revision.effective_on')
          .select(['revision.effective_on', 'revision.rent_amount']),
      ).as('revisions'),
      jsonArrayFrom(
        db
          .selectFrom('charges as charge')
          .where('charge.agreement_id', '=', e.ref('a.id'))
          .where('charge.source', '=', 'schedule')
          .select([
            'charge.type',
            'charge.item',
            'charge.description',
            'charge.period_start',
            'charge.period_end',
            'charge.due_date',
            'charge.amount',
            'charge.amount_credited',
            'charge.id as charge_id',
          ]),
      ).as('posted'),
    ])
}
