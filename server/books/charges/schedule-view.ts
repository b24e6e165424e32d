import { sql, type InferResult } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Instalment as InstalmentView, Language, Schedule } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { compareDays } from '../../domain/dates'
import { sumPaise, toPaise, toRupees } from '../../domain/money'
import type { RecordId } from '../../http/record-id'
import { toRawJson } from '../../http/reads/raw-json'
import type { Reader, UserId } from '../../http/reads/reader'
import { getDayAfter, getHeldDeposit } from '../../leases/opening'
import { selectVisibleAgreement } from '../../leases/queries'
import { getWords } from '../../messages'
import { chargeLabels } from '../../messages/charges'
import { chargeWords, describeCharge, describeInstalment } from './descriptions'
import { getCharged } from './posted'
import { listUnposted } from '../../leases/schedule'

type StoredSchedule = InferResult<ReturnType<typeof selectSchedule>>[number]
type PostedInstalment = StoredSchedule['posted'][number]

/**
 * Loads the instalments of an agreement's whole tenure as raw JSON: those that are posted as they were, the others
 * projected.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function loadSchedule(reader: Reader, agreementId: RecordId) {
  const { language } = reader
  const stored = await loadStored(reader, agreementId)
  const projected = [
    ...projectDeposit(stored, language),
    ...listProjected(stored, getFirstDay(stored), language),
  ]
  const instalments = [...projected, ...stored.posted.map(toView)].toSorted((a, b) =>
    compareDays(a.due_date, b.due_date),
  )
  return toRawJson<Schedule>({ instalments, total_rent: toRupees(sumRents(instalments)) })
}

function sumRents(instalments: InstalmentView[]) {
  return sumPaise(instalments.filter(({ type }) => type === 'rent').map(({ amount }) => toPaise(amount)))
}

function toView({ item: _, amount_credited: _credited, ...view }: PostedInstalment): InstalmentView {
  return view
}

/** The deposit is charged when the books open; books that were opened later have none. */
function projectDeposit(stored: StoredSchedule, language: Language): InstalmentView[] {
  const amount = toPaise(stored.deposit_amount ?? 0) - getHeldDeposit(stored)
  if (amount <= 0 || stored.starts_on) return []
  const due_date = getFirstDay(stored) ?? stored.agreement_start_date
  const dates = { period_start: null, period_end: null, due_date }
  const description = getWords(chargeLabels.deposit, language)
  return [{ type: 'deposit', description, ...dates, amount: toRupees(amount), charge_id: null }]
}

/** The day on which the books begin, or are to begin. */
const getFirstDay = ({ starts_on, opening }: StoredSchedule) => starts_on ?? getDayAfter(opening)

/** Lists what is not posted of the tenure, or of the books that begin on a day. */
function listProjected(
  stored: StoredSchedule,
  booksStart: string | null,
  language: Language,
): InstalmentView[] {
  return listUnposted(stored, stored.revisions, booksStart, stored.posted)
    .map(instalment => {
      const { item: _, amount, ...view } = instalment
      const description = describeInstalment(instalment, stored.recurring_charges, language)
      return { ...view, description, amount: toRupees(amount), charge_id: null }
    })
    .toArray()
}

/**
 * Loads the rents of a tenure in paise, also those of before the books, less what was credited of them. A revised rent
 * is in several parts.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function loadScheduledRents(reader: Reader, id: RecordId) {
  const stored = await loadStored(reader, id)
  const projected = listProjected({ ...stored, recurring_charges: null }, null, reader.language)
  const posted = stored.posted.filter(({ type }) => type === 'rent')
  const rents = [...posted, ...projected.map(rent => ({ ...rent, amount_credited: 0 }))]
  return rents.map(rent => {
    const { period_start, period_end, due_date } = rent
    return { period_start: period_start!, period_end: period_end!, due_date, amount: getCharged(rent) }
  })
}

function loadStored(reader: Reader, id: RecordId) {
  return reader.row(selectSchedule, { id, words: chargeWords[reader.language] }, 'agreement_not_found')
}

type Given = { id: RecordId; words: string }

function selectSchedule(db: Db, userId: UserId, { id, words }: Given) {
  return selectVisibleAgreement(db, userId, id)
    .leftJoin('ledgers as ledger', 'ledger.agreement_id', 'a.id')
    .select([
      'a.agreement_start_date',
      'a.agreement_end_date',
      'a.termination_date',
      'a.auto_renew',
      'a.rent_due_day',
      'a.billing_cycle',
      'a.rent_in',
      'a.rent_rounding',
      'a.recurring_charges',
      'a.rent_amount',
      'a.escalation_percent',
      'a.escalation_every_months',
      'a.deposit_amount',
      'a.opening',
      'ledger.starts_on',
    ])
    .select(e => [
      jsonArrayFrom(
        db
          .selectFrom('rent_revisions as revision')
          .where('revision.agreement_id', '=', e.ref('a.id'))
          .where('revision.status', '=', sql.lit('accepted'))
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
            describeCharge('charge', words).as('description'),
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
