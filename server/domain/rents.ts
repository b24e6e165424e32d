import type { RentRounding } from '@kiraya/sdk/contract'
import { addMonths } from './dates'
import { divideHalfUp, MAX_AMOUNT, roundTo, toPaise } from './money'
import { sortByDay, type DatedAmount } from './spans'

/** A rent in paise that is in force from a day on. */
export type Rent = DatedAmount

export type ProjectedRent = Rent & { source: 'agreed' | 'revised' | 'escalated' }

export type RentTerms = {
  /** Rupees. */
  rent_amount: number
  escalation_percent: number | null
  escalation_every_months: number | null
  agreement_start_date: string
  agreement_end_date: string
  rent_rounding: RentRounding
}

/**
 * Projects the rents of a tenure in order: the agreed one, the revisions decided so far, and the escalations to
 * come. An escalation raises the rent in force on its day, whether agreed, revised or escalated before; a
 * revision from that same day takes its place.
 */
export function projectRents(terms: RentTerms, revisions: Rent[]): ProjectedRent[] {
  const agreed = { effective_on: terms.agreement_start_date, amount: toPaise(terms.rent_amount) }
  const decided = sortByDay<ProjectedRent>([
    { ...agreed, source: 'agreed' },
    ...revisions.map(rent => ({ ...rent, source: 'revised' as const })),
  ])
  const revisionDays = new Set(revisions.map(({ effective_on }) => effective_on))
  const rents: ProjectedRent[] = []
  let next = 0
  for (const day of listEscalationDays(terms)) {
    while (next < decided.length && decided[next]!.effective_on <= day) rents.push(decided[next++]!)
    if (revisionDays.has(day)) continue
    const amount = escalateRent(terms, rents.at(-1)?.amount ?? 0)
    rents.push({ effective_on: day, amount, source: 'escalated' })
  }
  return [...rents, ...decided.slice(next)]
}

/** Lists the days of a tenure on which the rent rises, counted from its start. */
function listEscalationDays(terms: RentTerms) {
  const { escalation_percent, escalation_every_months, agreement_start_date, agreement_end_date } = terms
  const days: string[] = []
  if (!escalation_percent || !escalation_every_months) return days
  for (let months = escalation_every_months; ; months += escalation_every_months) {
    const day = addMonths(agreement_start_date, months)
    if (day > agreement_end_date) return days
    days.push(day)
  }
}

/**
 * Raises a rent in paise by the escalation's percentage, half up to the paisa, then rounded as rents are. It stops at
 * the highest amount: terms that reach it are refused, but a tenure that renews itself may go on.
 */
export function escalateRent(terms: Pick<RentTerms, 'escalation_percent' | 'rent_rounding'>, rent: number) {
  const basisPoints = Math.round((terms.escalation_percent ?? 0) * 100)
  const escalated = divideHalfUp(BigInt(rent) * BigInt(10_000 + basisPoints), 10_000)
  return Math.min(roundTo(escalated, terms.rent_rounding), MAX_AMOUNT)
}

/** Returns the day within the tenure on which an escalation reaches the highest amount, if there is one. */
export function findDayAtLimit(terms: RentTerms, revisions: Rent[]) {
  const rents = projectRents(terms, revisions)
  return rents.find(({ source, amount }) => source === 'escalated' && amount === MAX_AMOUNT)?.effective_on
}

/** Returns the rent in paise that is in force on a day. Of projected rents from the same day the later one counts. */
export function getRentOn(rents: ProjectedRent[], day: string) {
  return rents.findLast(({ effective_on }) => effective_on <= day)?.amount ?? 0
}

/** A stored revision as a rent. */
export function toRent({ effective_on, rent_amount }: { effective_on: string; rent_amount: number }): Rent {
  return { effective_on, amount: toPaise(Number(rent_amount)) }
}
