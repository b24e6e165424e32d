import { Type, type Static } from '@sinclair/typebox'
import { sql } from 'kysely'
import { NewAgreement, type AgreementChange, type NewRecurringCharge } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { AgreementTenant, type Agreement, type RecurringCharge } from '../../../db/entities'
import { toJsonText } from '../../../db/json-text'
import type { Deps, Tx } from '../../deps'
import { isSampleLease } from '../../documents/sample-lease'
import { toIndianDate } from '../../domain/dates'
import { applyChange, withDefaults } from '../../domain/fields'
import { refuseFields } from '../../errors'
import { findUrlViolation } from '../../providers/download'
import { findRefusedIds } from '../../listing/tenants/access'
import { getManagerId, getParties, type AgreementUnit, type LockedAgreement } from '../access'
import { completeOpening, requireValidOpening } from '../opening'
import { findRentLimitDay } from '../rents'
import { changeSource, getDocument, requireOneSource } from './source'

/** What has no rules of its own, unlike the number and the tenants. */
const Terms = Type.Omit(NewAgreement, ['agreement_number', 'document', 'tenant_ids', 'internal_notes'])
type Terms = Static<typeof Terms>

/** Completes the terms of an input. */
export function toTerms(input: Terms) {
  const terms = withDefaults(Terms, input)
  return {
    ...terms,
    recurring_charges: describeRecurring(terms.recurring_charges),
    opening: completeOpening(terms.opening),
  }
}

/** Returns the input for a draft with the terms of an agreement but what changes, and a number of its own. */
export function toInput({ agreement, tenantIds }: LockedAgreement, change: AgreementChange): NewAgreement {
  const { internal_notes } = agreement
  const terms = {
    ...toTerms(agreement),
    internal_notes,
    document: getDocument(agreement),
    tenant_ids: tenantIds,
  }
  const replaced = (change.document || change.document_url) && { document: null, document_url: null }
  return { ...terms, ...replaced, ...change }
}

/** Changes the given terms: null clears an optional one, or restores its default. */
export function changeTerms(
  agreement: Agreement,
  given: Omit<AgreementChange, 'agreement_number' | 'internal_notes' | 'tenant_ids'>,
) {
  requireOneSource(given)
  const { recurring_charges, opening, ...change } = changeSource(agreement, given)
  applyChange(agreement, Terms, change)
  if (recurring_charges !== undefined) agreement.recurring_charges = describeRecurring(recurring_charges)
  if (opening !== undefined) agreement.opening = completeOpening(opening)
}

function describeRecurring(charges: NewRecurringCharge[] | null): RecurringCharge[] | null {
  return charges?.map(({ description = null, ...charge }) => ({ ...charge, description })) ?? null
}

type Snapshot = Record<string, unknown>

/** Copies what a change can change, to find out later what it did. */
export function takeSnapshot({ agreement, tenantIds }: LockedAgreement): Snapshot {
  const { agreement_number } = agreement
  const document = getDocument(agreement)
  return { agreement_number, ...toTerms(agreement), document, tenant_ids: tenantIds }
}

export function findChangedFields(before: Snapshot, after: Snapshot) {
  return Object.keys(after).filter(field => !Bun.deepEquals(before[field], after[field]))
}

/** @throws VALIDATION_ERROR An escalation or a late fee lacks what it is computed from, or rents rise too far. */
export function requireCompleteBilling(agreement: Agreement) {
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
 * the billing are incomplete, or the opening is wrong.
 */
export function requireValidTerms(
  server: Pick<Deps, 'config' | 'now' | 'publicUrl'>,
  locked: LockedAgreement,
) {
  const { document_url, signing_order } = locked.agreement
  const violation = document_url && findUrlViolation(document_url, server.config)
  if (violation && !isSampleLease(server, document_url)) throw refuseFields(violation, 'document_url')
  requireCompleteBilling(locked.agreement)
  requireValidOpening(locked.agreement, toIndianDate(server.now()))

  const { landlord_id, manager_id, tenant_ids } = getParties(locked)
  const partyIds = new Set([landlord_id, manager_id, ...tenant_ids])
  const otherIds = (signing_order ?? []).filter(id => !partyIds.has(id))
  if (otherIds.length === 0) return
  throw refuseFields('signing_order_of_others', 'signing_order', { ids: otherIds })
}

/**
 * Those of a known agreement of the same unit, or of a lease, need not be named again.
 * @throws VALIDATION_ERROR A tenant may not be named, or is the landlord or manager of the unit.
 */
export async function requireValidTenants(
  tx: Tx,
  unit: AgreementUnit,
  tenantIds: number[],
  known?: LockedAgreement,
) {
  const isKnown = known?.unit.id === unit.id || known?.agreement.signed_date
  const knownIds = known && isKnown ? known.tenantIds : []
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

type Tenancies = Pick<LockedAgreement, 'agreement' | 'tenantIds'>[]

/** Inserts the tenants of agreements in the given order. */
export async function insertTenants(em: EntityManager, tenancies: Tenancies) {
  const rows = tenancies.flatMap(({ agreement, tenantIds }) =>
    tenantIds.map(tenant_id => ({ agreement_id: agreement.id, tenant_id })),
  )
  await executeCompiled(em, insertAgreementTenants, { rows: toJsonText(rows) })
}

const insertAgreementTenants = (_: Db, { rows }: { rows: string }) => sql`
  insert into agreement_tenants (agreement_id, tenant_id)
  select tenant.agreement_id, tenant.tenant_id
  from rows from (json_to_recordset(${rows}::text::json) as (agreement_id int, tenant_id int))
    with ordinality as tenant (agreement_id, tenant_id, position)
  order by tenant.position`

export async function replaceTenants(em: EntityManager, agreement: Agreement, tenantIds: number[]) {
  await em.nativeDelete(AgreementTenant, { agreement_id: agreement.id })
  await insertTenants(em, [{ agreement, tenantIds }])
}
