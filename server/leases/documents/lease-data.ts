import type { Language } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { Agreement, RecurringCharge } from '../../../db/entities'
import { leaseTerms, type LeaseData, type LeasePayment } from '../../documents/data'
import { toShownName } from '../../documents/names'
import { toAmountInWords } from '../../domain/amount-in-words'
import { sumRupees, toPaise, toRupees } from '../../domain/money'
import { MODEL_TENANCY } from '../../domain/rent-law'
import { getWords } from '../../messages'
import { chargeLabels } from '../../messages/charges'
import { loadLockedAgreement } from '../access'
import { formatAddress } from '../lease-labels'
import { findUsers } from '../party-users'
import { listLeaseInstalments, RENT_ITEM, type Instalment } from '../schedule'
import { selectPremises } from '../snapshots'

/** Of the templates: another wording is a further version. */
export const LEASE_VERSION = 1
/** A payment takes half a millisecond to lay out. */
const MAX_PAYMENTS = 120

/** Loads what a lease states: its terms, the premises, and the names under which the parties are asked to sign. */
export async function loadLeaseData(em: EntityManager, agreement: Agreement): Promise<LeaseData> {
  const language = agreement.document_language!
  const { tenantIds } = await loadLockedAgreement(em, agreement)
  const users = await findUsers(em, { agreement }, [agreement.landlord_id, ...tenantIds])
  const getName = (id: number) => {
    const name = users.find(user => user.id === id)?.name
    return name ? toShownName(name, null, language) : null
  }
  const [premises] = await executeCompiled(em, selectLetUnit, { unitIds: [agreement.property_unit_id] })
  return {
    agreement_number: agreement.agreement_number,
    version: LEASE_VERSION,
    drawn_at: agreement.updated_at.toISOString(),
    entry_notice_hours: MODEL_TENANCY.entry_notice_hours,
    landlord: getName(agreement.landlord_id),
    tenants: tenantIds.map(getName),
    premises: { ...premises!, address: formatAddress(premises!, language) },
    terms: toTerms(agreement, language),
    recurring: (agreement.recurring_charges ?? []).map(charge => describe(charge, language)),
    clauses: agreement.clauses ?? [],
    ...toSchedule(agreement),
  }
}

function selectLetUnit(db: Db, given: { unitIds: number[] }) {
  return selectPremises(db, given).select([
    'p.property_type',
    'u.room_type',
    'u.furnishing_type',
    'u.furniture_included',
    'u.area_sqft',
    'u.floor_number',
    'u.unit_amenities',
  ])
}

function toTerms(agreement: Agreement, language: Language): LeaseData['terms'] {
  const { rent_amount, deposit_amount } = agreement
  const toWords = (rupees: number) => toAmountInWords(toPaise(rupees), language)
  const entries = leaseTerms.map(name => [name, agreement[name] ?? null])
  return {
    ...(Object.fromEntries(entries) as Pick<LeaseData['terms'], (typeof leaseTerms)[number]>),
    rent_in_words: toWords(rent_amount),
    deposit_in_words: deposit_amount ? toWords(deposit_amount) : null,
  }
}

function describe({ type, description, amount }: RecurringCharge, language: Language) {
  return { description: description ?? getWords(chargeLabels[type], language), amount }
}

/** The payments of the whole tenure: the deposit, then the instalments of each period together. */
function toSchedule(agreement: Agreement): Pick<LeaseData, 'payments' | 'further' | 'total'> {
  const { deposit_amount, agreement_start_date } = agreement
  const byPeriod = Map.groupBy(listLeaseInstalments(agreement, [], null), ({ period_start }) => period_start)
  const payments = [...byPeriod.values()].map(toPayment)
  if (deposit_amount) payments.unshift(toDeposit(deposit_amount, agreement_start_date))
  const further = payments.slice(MAX_PAYMENTS)
  return {
    payments: payments.slice(0, MAX_PAYMENTS),
    further: { count: further.length, ...sumPayments(further) },
    total: sumPayments(payments).total,
  }
}

const sumPayments = (rows: LeasePayment[]) => ({
  rent: sumRupees(rows.map(({ rent }) => rent)),
  others: sumRupees(rows.map(({ others }) => others)),
  total: sumRupees(rows.map(({ total }) => total)),
})

function toPayment(instalments: Instalment[]): LeasePayment {
  const { period_start, period_end, due_date } = instalments[0]!
  const sum = (isRent: boolean) =>
    instalments
      .filter(({ item }) => (item === RENT_ITEM) === isRent)
      .reduce((all, { amount }) => all + amount, 0)
  const [rent, others] = [sum(true), sum(false)]
  const rupees = { rent: toRupees(rent), others: toRupees(others), total: toRupees(rent + others) }
  return { period_start, period_end, due_date, ...rupees }
}

const toDeposit = (amount: number, due_date: string): LeasePayment => ({
  period_start: null,
  period_end: null,
  due_date,
  rent: 0,
  others: 0,
  total: amount,
})
