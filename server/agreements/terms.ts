import { sql } from 'kysely'
import type { AgreementChange, NewAgreement, NewRecurringCharge } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { Agreement, RecurringCharge } from '../../db/entities'
import { chargeLabels } from '../charges/labels'
import { findRentLimitDay } from '../charges/agreement-schedule'
import type { Deps, Tx } from '../deps'
import { clearable, required, withDefault, type PatchRules } from '../domain/patch'
import { refuseFields } from '../faults'
import { findUrlViolation } from '../providers/download'
import { findRefusedIds } from '../listing/tenants/access'
import { getManagerId, getParties, type AgreementUnit, type LockedAgreement } from './access'

type Billing = 'billing_cycle' | 'rent_in' | 'rent_rounding' | 'late_fee_kind' | 'late_fee_grace_days'
type Flag = 'auto_renew' | 'pets_allowed' | 'non_veg_allowed' | 'smoking_allowed' | 'bachelor_allowed'
type Terms = Omit<NewAgreement, 'agreement_number' | 'tenant_ids'>

/** Terms with their defaults. */
type CompleteTerms = Required<Omit<Terms, Flag | Billing | 'recurring_charges'>> &
  Record<Flag, boolean> & { recurring_charges: RecurringCharge[] | null } & {
    [Field in Billing]: NonNullable<Terms[Field]>
  }

const describeRecurring = ({ type, description, amount }: NewRecurringCharge): RecurringCharge => ({
  type,
  description: description ?? chargeLabels[type],
  amount,
})

/** Names every term of an input, or of an agreement to copy: a missing one does not compile. */
export function toTerms(input: Terms): CompleteTerms {
  return {
    property_unit_id: input.property_unit_id,
    document_url: input.document_url,
    agreement_start_date: input.agreement_start_date,
    tenure_in_months: input.tenure_in_months,
    rent_amount: input.rent_amount,
    deposit_amount: input.deposit_amount ?? null,
    rent_due_day: input.rent_due_day,
    notice_period_days: input.notice_period_days,
    amenities: input.amenities ?? null,
    additional_policies: input.additional_policies ?? null,
    improvements: input.improvements ?? null,
    payment_terms: input.payment_terms ?? null,
    late_fee: input.late_fee ?? null,
    billing_cycle: input.billing_cycle ?? 'calendar_month',
    rent_in: input.rent_in ?? 'advance',
    rent_rounding: input.rent_rounding ?? 0.01,
    late_fee_kind: input.late_fee_kind ?? 'flat',
    late_fee_percent: input.late_fee_percent ?? null,
    late_fee_grace_days: input.late_fee_grace_days ?? 0,
    late_fee_cap: input.late_fee_cap ?? null,
    escalation_percent: input.escalation_percent ?? null,
    escalation_every_months: input.escalation_every_months ?? null,
    recurring_charges: input.recurring_charges?.map(describeRecurring) ?? null,
    signing_order: input.signing_order ?? null,
    auto_renew: input.auto_renew ?? false,
    pets_allowed: input.pets_allowed ?? false,
    non_veg_allowed: input.non_veg_allowed ?? false,
    smoking_allowed: input.smoking_allowed ?? false,
    bachelor_allowed: input.bachelor_allowed ?? false,
  }
}

/** The same for changes; the unit, the number and the tenants have rules of their own. */
export const termsPatchRules: PatchRules<
  Omit<AgreementChange, 'property_unit_id' | 'agreement_number' | 'tenant_ids'>
> = {
  document_url: required,
  agreement_start_date: required,
  tenure_in_months: required,
  rent_amount: required,
  deposit_amount: clearable,
  rent_due_day: required,
  notice_period_days: required,
  amenities: clearable,
  additional_policies: clearable,
  improvements: clearable,
  payment_terms: clearable,
  late_fee: clearable,
  billing_cycle: withDefault('calendar_month'),
  rent_in: withDefault('advance'),
  rent_rounding: withDefault(0.01),
  late_fee_kind: withDefault('flat'),
  late_fee_percent: clearable,
  late_fee_grace_days: withDefault(0),
  late_fee_cap: clearable,
  escalation_percent: clearable,
  escalation_every_months: clearable,
  recurring_charges: value => (value as NewRecurringCharge[] | null)?.map(describeRecurring) ?? null,
  signing_order: clearable,
  auto_renew: withDefault(false),
  pets_allowed: withDefault(false),
  non_veg_allowed: withDefault(false),
  smoking_allowed: withDefault(false),
  bachelor_allowed: withDefault(false),
}

type Snapshot = Record<string, unknown>

/** Copies what a change can change, to find out later what it did. */
export function takeSnapshot({ agreement, tenantIds }: LockedAgreement): Snapshot {
  return { agreement_number: agreement.agreement_number, ...toTerms(agreement), tenant_ids: tenantIds }
}

export function findChangedFields(before: Snapshot, after: Snapshot) {
  return Object.keys(after).filter(field => !Bun.deepEquals(before[field], after[field]))
}

/** @throws VALIDATION_ERROR An escalation or a late fee lacks what it is computed from, or rents rise too far. */
function requireCompleteBilling(agreement: Agreement) {
  const { escalation_percent, escalation_every_months, late_fee_kind } = agreement
  if (escalation_percent && !escalation_every_months)
    throw refuseFields('escalation_incomplete', 'escalation_every_months')
  if (escalation_every_months && !escalation_percent)
    throw refuseFields('escalation_incomplete', 'escalation_percent')
  const limitDay = findRentLimitDay(agreement, [])
  if (limitDay) throw refuseFields('escalation_too_high', 'escalation_percent', { date: limitDay })
  const field = late_fee_kind === 'percent_pa' ? 'late_fee_percent' : 'late_fee'
  if (late_fee_kind !== 'flat' && !agreement[field]) throw refuseFields('late_fee_incomplete', field)
}

/**
 * @throws VALIDATION_ERROR The document's address is not allowed, the signing order names other users, or terms of
 * the billing are incomplete.
 */
export function requireValidTerms({ config }: Pick<Deps, 'config'>, locked: LockedAgreement) {
  const { document_url, signing_order } = locked.agreement
  const violation = findUrlViolation(document_url, config)
  if (violation) throw refuseFields(violation, 'document_url')
  requireCompleteBilling(locked.agreement)

  const { landlord_id, manager_id, tenant_ids } = getParties(locked)
  const partyIds = new Set([landlord_id, manager_id, ...tenant_ids])
  const otherIds = (signing_order ?? []).filter(id => !partyIds.has(id))
  if (otherIds.length === 0) return
  throw refuseFields('signing_order_of_others', 'signing_order', { ids: otherIds })
}

/** @throws VALIDATION_ERROR A tenant may not be named, or is the landlord or manager of the unit. */
export async function requireValidTenants(
  tx: Tx,
  unit: AgreementUnit,
  tenantIds: number[],
  knownIds: number[] = [],
) {
  const namerIds = [tx.actor.id, unit.landlord_id]
  const refusedIds = await findRefusedIds(tx, namerIds, tenantIds, knownIds)
  const parties = tx.config.PARTIES
  if (refusedIds.length > 0)
    throw refuseFields('tenants_not_nameable', 'tenant_ids', { ids: refusedIds, parties })
  if (tenantIds.includes(unit.landlord_id))
    throw refuseFields('landlord_as_tenant', 'tenant_ids', { id: unit.landlord_id })
  const managerId = getManagerId(unit)
  if (managerId !== null && tenantIds.includes(managerId))
    throw refuseFields('manager_as_tenant', 'tenant_ids', { id: managerId })
}

/** Inserts the tenants of an agreement in the given order. */
export async function insertTenants(em: EntityManager, { id }: Agreement, tenantIds: number[]) {
  await executeCompiled(em, insertAgreementTenants, { agreementId: id, tenantIds })
}

const insertAgreementTenants = (_: Db, given: { agreementId: number; tenantIds: number[] }) => sql`
  insert into agreement_tenants (agreement_id, tenant_id)
  select ${given.agreementId}::int, tenant.id
  from unnest(${given.tenantIds}::int[]) with ordinality as tenant (id, position)
  order by tenant.position`

export async function replaceTenants(em: EntityManager, agreement: Agreement, tenantIds: number[]) {
  await executeCompiled(em, deleteAgreementTenants, { agreementId: agreement.id })
  await insertTenants(em, agreement, tenantIds)
}

function deleteAgreementTenants(db: Db, { agreementId }: { agreementId: number }) {
  return db.deleteFrom('agreement_tenants').where('agreement_id', '=', agreementId)
}
