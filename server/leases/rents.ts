import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { Agreement } from '../../db/entities'
import { addMonths, compareDays } from '../domain/dates'
import { divideHalfUp, MAX_AMOUNT, roundTo, toPaise } from '../domain/money'
import { sortByDay, type DatedAmount } from '../domain/spans'
import { toLastChargedDay } from './term'

/** A rent in paise that is in force from a day on. */
export type Rent = DatedAmount

/** A rent in rupees that a tenant accepted. */
export type Revision = { effective_on: string; rent_amount: number }

/** Another rent, or an escalation of the one before. */
type RentStep = { effective_on: string; amount?: number }

export type RentTerms = Pick<
  Agreement,
  | 'rent_amount'
  | 'rent_rounding'
  | 'escalation_percent'
  | 'escalation_every_months'
  | 'agreement_start_date'
  | 'agreement_end_date'
>

/**
 * Lists the rents of a tenure in order: the agreed one, the revisions, and the escalations. An escalation raises the
 * rent in force on its day; a revision from that same day takes its place.
 */
export function listRents(terms: RentTerms, revisions: Revision[]): Rent[] {
  const agreed = { effective_on: terms.agreement_start_date, amount: toPaise(terms.rent_amount) }
  const changes = sortByDay<RentStep>([
    agreed,
    ...revisions.map(toRent),
    ...listEscalations(terms, revisions),
  ])
  const rents: Rent[] = []
  for (const { effective_on, amount } of changes)
    rents.push({ effective_on, amount: amount ?? escalateRent(terms, rents.at(-1)!.amount) })
  return rents
}

function toRent({ effective_on, rent_amount }: Revision) {
  return { effective_on, amount: toPaise(Number(rent_amount)) }
}

/** Lists the days of a tenure on which the rent rises, counted from its start. */
function listEscalations(terms: RentTerms, revisions: Revision[]) {
  const { escalation_percent, escalation_every_months, agreement_start_date, agreement_end_date } = terms
  const escalations: RentStep[] = []
  if (!escalation_percent || !escalation_every_months) return escalations
  const revised = new Set(revisions.map(({ effective_on }) => effective_on))
  for (let months = escalation_every_months; ; months += escalation_every_months) {
    const effective_on = addMonths(agreement_start_date, months)
    if (effective_on > agreement_end_date) return escalations
    if (!revised.has(effective_on)) escalations.push({ effective_on })
  }
}

/**
 * Raises a rent in paise by the escalation's percentage, half up to the paisa, then rounded as rents are. It stops at
 * the highest amount: terms that reach it are refused, but a tenure that renews itself may go on.
 */
function escalateRent({ escalation_percent, rent_rounding }: RentTerms, rent: number) {
  const basisPoints = Math.round((escalation_percent ?? 0) * 100)
  const escalated = divideHalfUp(BigInt(rent) * BigInt(10_000 + basisPoints), 10_000)
  return Math.min(roundTo(escalated, rent_rounding), MAX_AMOUNT)
}

/** Returns the day within the tenure on which an escalation reaches the highest amount, if there is one. */
export function findRentLimitDay(terms: RentTerms, revisions: Revision[]) {
  const rents = listRents(terms, revisions)
  const escalations = listEscalations(terms, revisions)
  return escalations.find(({ effective_on }) => getRentOn(rents, effective_on) === MAX_AMOUNT)?.effective_on
}

/** Returns the rent in paise that is in force on a day. */
export function getRentOn(rents: Rent[], day: string) {
  return rents.findLast(({ effective_on }) => effective_on <= day)?.amount ?? 0
}

/** The terms of a lease's rent, and what was accepted later. */
export type LeaseRent = RentTerms & { revisions: Revision[] }

/** Returns the rent in paise that is in force on a day, or on the day of the lease that is nearest to it. */
export function getRentInForce({ revisions, ...terms }: LeaseRent, day: string) {
  const [, nearest] = [terms.agreement_start_date, day, terms.agreement_end_date].toSorted(compareDays)
  return getRentOn(listRents(terms, revisions), nearest!)
}

/** The rent of an agreement of a query, until the last day that is charged. */
export const toLeaseRent = (agreement: string) => {
  const toField = (name: string) => sql`${sql.lit(name)}, ${sql.ref(`${agreement}.${name}`)}`
  return sql<LeaseRent>`json_build_object(
    ${sql.join(['rent_amount', 'rent_rounding', 'agreement_start_date'].map(toField))},
    ${sql.join(['escalation_percent', 'escalation_every_months'].map(toField))},
    'agreement_end_date', ${toLastChargedDay(agreement)},
    'revisions', (
      select coalesce(json_agg(json_build_object('effective_on', effective_on, 'rent_amount', rent_amount)), '[]')
      from rent_revisions where agreement_id = ${sql.ref(`${agreement}.id`)} and status = 'accepted'
    )
  )`
}

/** Loads the rents that were accepted, in the order of their days. */
export function loadRevisions(em: EntityManager, ids: number[]) {
  return executeCompiled(em, selectRevisions, { ids })
}

function selectRevisions(db: Db, { ids }: { ids: number[] }) {
  return (
    db
      .selectFrom('rent_revisions')
      .where(sql<boolean>`agreement_id = any(${ids}::int[])`)
      // A parameter would keep the partial index from being used.
      .where('status', '=', sql.lit('accepted'))
      .orderBy('effective_on')
      .select(['agreement_id', 'effective_on', 'rent_amount'])
  )
}
