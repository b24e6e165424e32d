import { toNameKey, type LeaseRow, type NewAgreement } from '@kiraya/sdk/contract'
import { Agreement } from '../../db/entities'
import type { Tx } from '../deps'
import { addMonths, getTenureEndDate, toIndianDate } from '../domain/dates'
import { refuseFields } from '../errors'
import type { AgreementUnit } from '../leases/access'
import { toDraft } from '../leases/agreements/drafts'
import { changeTerms, findChangedFields, requireCompleteBilling, toTerms } from '../leases/agreements/terms'
import { requireValidOpening } from '../leases/opening'
import { getPlace } from '../listing/properties/place'
import { toPropertyKey, type Known, type KnownLease, type LetTerm } from './known-leases'
import { requireNew, type RowChecks } from './row-checks'

/** A lease that began so many months ago needs an opening. */
const MAX_MONTHS_WITHOUT_OPENING = 12

export type PropertyPlan = { id?: number; isNew: boolean; given: LeaseRow['property'] }
export type UnitPlan = {
  isNew: boolean
  /** The unit that there is, or that was written. */
  known?: AgreementUnit
  property: PropertyPlan
  given: LeaseRow['unit']
  managerPhone: string | null
  letTerms: LetTerm[]
}
export type LeasePlan = {
  row: number
  given: LeaseRow
  unit: UnitPlan
  /** The draft that is made, or the lease that the row repeats. */
  agreement: Agreement
  known?: KnownLease
  outcome: 'created' | 'kept' | 'changed'
  /** What changes of a draft. */
  changed: string[]
  isRecorded: boolean
}

/** Says what comes of each row, and checks it; nothing is written. */
export function planLeases(tx: Tx, rows: LeaseRow[], known: Known, checks: RowChecks) {
  const today = toIndianDate(tx.now())
  const [properties, units] = [new Map<string, PropertyPlan>(), new Map<string, UnitPlan>()]
  const refs = new Set<string>()
  return rows.map((all, row): LeasePlan => {
    const given = leaveShownNames(all, known)
    const check = (place: string, rule: () => void) => checks.check(row, place, rule)
    check('', () => requireNew(refs, given.external_ref, 'external_ref'))
    const lease = known.leases.get(given.external_ref)
    const isFixed = lease && lease.agreement.status !== 'DRAFT'
    const search = { given, row, known, properties, units }
    const unit = isFixed ? toFixedUnit(lease) : planUnit(tx, search, checks)
    const agreement = lease?.agreement ?? createPlannedDraft(tx, given)
    const isRecorded = Boolean(given.paper) && !isFixed
    const about = { row, given, unit, agreement, known: lease }
    const plan: LeasePlan = { ...about, outcome: 'created', changed: [], isRecorded }
    if (lease) plan.outcome = isFixed ? planFixed(plan, lease, known, checks) : planDraft(plan, lease, known)
    if (isFixed) return plan
    check('terms', () => requireCompleteBilling(agreement))
    check('', () => requireOpening(agreement, today))
    for (const [index, rule] of listTenantRules(tx, plan).entries()) check(`tenants.${index}`, rule)
    if (plan.isRecorded) check('', () => requirePaper(plan, today))
    return plan
  })
}

/** A name that the landlord is shown is none that they give: an export has it. */
function leaveShownNames(given: LeaseRow, { shown }: Known): LeaseRow {
  const tenants = given.tenants.map(tenant =>
    hasNames(shown.get(tenant.phone_number), tenant) ? { phone_number: tenant.phone_number } : tenant,
  )
  return { ...given, tenants }
}

type UnitSearch = {
  given: LeaseRow
  row: number
  known: Known
  properties: Map<string, PropertyPlan>
  units: Map<string, UnitPlan>
}

/** Finds the unit among those of the landlord and of earlier rows; else it is a new one. */
function planUnit(tx: Tx, { given, row, known, properties, units }: UnitSearch, checks: RowChecks): UnitPlan {
  const propertyKey = toPropertyKey(given.property)
  let property = properties.get(propertyKey)
  if (!property) {
    const [found, another] = known.properties.get(propertyKey) ?? []
    property = { id: found?.id, isNew: !found, given: { ...given.property, ...found } }
    properties.set(propertyKey, property)
    checks.check(row, 'property', () => {
      if (another) throw refuseFields('name_of_several', 'alias_name')
      if (!found) getPlace(given.property.pin_code, given.property)
    })
  }
  const unitKey = `${propertyKey}/${toNameKey(given.unit.unit_name)}`
  const planned = units.get(unitKey)
  if (planned) return planned
  const [found, another] = known.units.get(`${property.id} ${toNameKey(given.unit.unit_name)}`) ?? []
  checks.check(row, 'unit', () => {
    if (another) throw refuseFields('name_of_several', 'unit_name')
  })
  const managerPhone = found ? found.manager_phone : (given.manager_phone ?? null)
  const unit = {
    isNew: !found,
    known: found,
    property,
    given: given.unit,
    managerPhone: managerPhone === tx.actor.phone ? null : managerPhone,
    letTerms: (found && known.letTerms.get(found.id)) ?? [],
  }
  units.set(unitKey, unit)
  return unit
}

/** The unit of a lease that is no draft any more: it gets no other tenants and no other terms. */
const toFixedUnit = ({ unit, property }: KnownLease): UnitPlan => ({
  isNew: false,
  known: unit,
  property: { id: property.id, isNew: false, given: property },
  given: unit,
  managerPhone: null,
  letTerms: [],
})

/** Unit, landlord's number and tenants follow when it is written. */
function createPlannedDraft({ em, actor }: Tx, { external_ref, terms, opening, internal_notes }: LeaseRow) {
  const input = { ...terms, opening, internal_notes } as NewAgreement
  const draft = { ...toDraft(input), external_ref, landlord_id: actor.id }
  return em.create(Agreement, { ...draft, property_unit_id: 0, agreement_number: '' }, { persist: false })
}

/** @throws VALIDATION_ERROR The opening is wrong or missing. */
function requireOpening(agreement: Agreement, today: string) {
  requireValidOpening(agreement, today)
  const latest = addMonths(today, -MAX_MONTHS_WITHOUT_OPENING)
  if (agreement.agreement_start_date < latest && !agreement.opening)
    throw refuseFields('opening_required', 'opening', { date: latest })
}

function listTenantRules({ actor }: Tx, { given, unit }: LeasePlan) {
  const phones = new Set<string>()
  return given.tenants.map(({ phone_number }) => () => {
    requireNew(phones, phone_number, 'phone_number')
    if (phone_number === actor.phone || phone_number === unit.managerPhone)
      throw refuseFields('party_as_tenant', 'phone_number')
  })
}

/** @throws VALIDATION_ERROR The paper is of the future, or the unit is let for part of the time. */
function requirePaper({ given, unit, agreement }: LeasePlan, today: string) {
  const { signed_on } = given.paper!
  if (signed_on > today) throw refuseFields('date_in_future', 'paper.signed_on', { today })
  if (isLet(unit, agreement)) throw refuseFields('unit_is_let', 'unit.unit_name')
  unit.letTerms.push(agreement)
}

/** Whether a unit is let to others for part of a term. */
export const isLet = ({ letTerms }: UnitPlan, term: LetTerm) =>
  letTerms.some(
    each =>
      (each.id ?? each) !== (term.id ?? term) &&
      each.agreement_start_date <= term.agreement_end_date &&
      each.agreement_end_date >= term.agreement_start_date,
  )

/** Of a lease that is no draft any more, names and notes change; another difference is refused. */
function planFixed(plan: LeasePlan, lease: KnownLease, known: Known, checks: RowChecks) {
  const { given, row, agreement } = plan
  const { property, unit, tenants } = lease
  const { status } = agreement
  const before = takeTerms(agreement)
  const { agreement_number = agreement.agreement_number, ...terms } = pickGiven(given.terms)
  const after = { agreement_number, ...toTerms({ ...before, ...terms }) }
  const differing = findChangedFields(before, after).map(field => `terms.${field}`)
  if (toPropertyKey(property) !== toPropertyKey(given.property)) differing.push('property.alias_name')
  if (toNameKey(unit.unit_name) !== toNameKey(given.unit.unit_name)) differing.push('unit.unit_name')
  if (!haveSamePhones(tenants, given)) differing.push('tenants')
  const paper = Object.entries({ ...given.paper })
  const { signed_date: signed_on, registration_number, stamp_number } = agreement
  const stored: Record<string, unknown> = { signed_on, registration_number, stamp_number }
  for (const [field, value] of paper)
    if (value !== null && value !== stored[field]) differing.push(`paper.${field}`)
  checks.check(row, '', () => {
    if (differing.length > 0) throw refuseFields('lease_is_fixed', differing, { status })
  })
  return isRenamed(plan, known) || hasOtherNotes(plan) ? 'changed' : 'kept'
}

/** Makes a draft what its row says. */
function planDraft(plan: LeasePlan, lease: KnownLease, known: Known) {
  const { agreement, given, unit } = plan
  const before = takeTerms(agreement)
  const { agreement_number = agreement.agreement_number, ...terms } = pickGiven(given.terms)
  changeTerms(agreement, { ...terms, ...(given.opening && { opening: given.opening }) })
  const { agreement_start_date, tenure_in_months } = agreement
  agreement.agreement_number = agreement_number
  agreement.agreement_end_date = getTenureEndDate(agreement_start_date, tenure_in_months)
  plan.changed.push(...findChangedFields(before, takeTerms(agreement)))
  if (unit.known?.id !== agreement.property_unit_id) plan.changed.push('property_unit_id')
  if (!haveSamePhones(lease.tenants, given)) plan.changed.push('tenant_ids')
  const isChanged = plan.changed.length > 0 || hasOtherNotes(plan) || isRenamed(plan, known)
  return isChanged || plan.isRecorded ? 'changed' : 'kept'
}

const takeTerms = (agreement: Agreement) => ({
  agreement_number: agreement.agreement_number,
  ...toTerms(agreement),
})

/** What a row gives; what it leaves out stays as it is. */
const pickGiven = (terms: LeaseRow['terms']) =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null)) as Partial<
    Omit<NewAgreement, 'agreement_number'>
  > & { agreement_number?: string }

const haveSamePhones = (tenants: { phone: string }[], given: LeaseRow) =>
  Bun.deepEquals(
    tenants.map(({ phone }) => phone).toSorted(),
    given.tenants.map(({ phone_number }) => phone_number).toSorted(),
  )

export const hasOtherNotes = ({ agreement, given }: LeasePlan) =>
  Boolean(given.internal_notes) && given.internal_notes !== agreement.internal_notes

const isRenamed = ({ given }: LeasePlan, { contacts }: Known) =>
  given.tenants.some(tenant => !hasNames(contacts.get(tenant.phone_number), tenant))

type Names = { first_name?: string | null; last_name?: string | null }

/** Whether names are those that are given; what is not given stays as it is. */
const hasNames = (names: Names | undefined, { first_name, last_name }: Names) =>
  (!first_name || first_name === names?.first_name) && (!last_name || last_name === names?.last_name)
