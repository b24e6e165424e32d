import { sql, type Expression } from 'kysely'
import { Signature, type Agreement as AgreementView, type AgreementQuery } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { anyIdIn, SQL_TRUE, toIsoTimestamp, type Db, type EntityManager } from '../../db/database'
import { toSelection, type ColumnsOf } from '../domain/columns'
import type { RecordId } from '../domain/record-id'
import { type Actor, type UserIdExpression } from '../http/authentication'
import { selectJsonArray } from '../http/raw-json'
import { toContainsPattern } from '../domain/query'

const tenantIds = sql<number[]>`array(
  select t.tenant_id from agreement_tenants t where t.agreement_id = a.id order by t.id
)`
const revisedAgreementId = sql<string | null>`(
  select r.agreement_id from agreements r where r.id = a.revises_id
)`

const renewedAgreementId = sql<string | null>`(
  select r.agreement_id from agreements r where r.id = a.renews_id
)`

const agreementColumns: ColumnsOf<AgreementView> = {
  id: 'a.id',
  agreement_id: 'a.agreement_id',
  agreement_number: 'a.agreement_number',
  document_url: 'a.document_url',
  property_unit_id: 'a.property_unit_id',
  landlord_id: 'a.landlord_id',
  agreement_start_date: 'a.agreement_start_date',
  agreement_end_date: 'a.agreement_end_date',
  tenure_in_months: 'a.tenure_in_months',
  auto_renew: 'a.auto_renew',
  rent_amount: 'a.rent_amount',
  deposit_amount: 'a.deposit_amount',
  rent_due_day: 'a.rent_due_day',
  notice_period_days: 'a.notice_period_days',
  status: 'a.status',
  amenities: 'a.amenities',
  pets_allowed: 'a.pets_allowed',
  non_veg_allowed: 'a.non_veg_allowed',
  smoking_allowed: 'a.smoking_allowed',
  bachelor_allowed: 'a.bachelor_allowed',
  additional_policies: 'a.additional_policies',
  improvements: 'a.improvements',
  signed_date: 'a.signed_date',
  termination_date: 'a.termination_date',
  termination_reason: 'a.termination_reason',
  payment_terms: 'a.payment_terms',
  late_fee: 'a.late_fee',
  billing_cycle: 'a.billing_cycle',
  rent_in: 'a.rent_in',
  rent_rounding: 'a.rent_rounding',
  late_fee_kind: 'a.late_fee_kind',
  late_fee_percent: 'a.late_fee_percent',
  late_fee_grace_days: 'a.late_fee_grace_days',
  late_fee_cap: 'a.late_fee_cap',
  escalation_percent: 'a.escalation_percent',
  escalation_every_months: 'a.escalation_every_months',
  recurring_charges: 'a.recurring_charges',
  signing_order: 'a.signing_order',
  is_active: 'a.is_active',
  created_at: toIsoTimestamp(sql.ref('a.created_at')),
  updated_at: toIsoTimestamp(sql.ref('a.updated_at')),
  tenant_ids: tenantIds,
  revises_agreement_id: revisedAgreementId,
  renews_agreement_id: renewedAgreementId,
}

/** Every field of the response; the export of personal data selects them too. */
export const agreementSelection = toSelection(agreementColumns)

const toSignatureColumns = (now: Date): ColumnsOf<Signature> => ({
  id: 's.id',
  signature_id: 's.signature_id',
  signer_id: 's.signer_id',
  signer_role: sql<Signature['signer_role']>`lower(s.signer_role)`,
  status: toSignatureStatus(now),
  signed_at: toIsoTimestamp(sql.ref('s.signed_at')),
  expires_at: toIsoTimestamp(sql.ref('s.expires_at')),
  decline_reason: 's.decline_reason',
})

/** A signature expires on time, even if no job has recorded it yet. */
const toSignatureStatus = (now: Date) => sql<Signature['status']>`case
  when s.status = 'PENDING' and s.expires_at <= ${now} then 'expired'
  else lower(s.status)
end`

/**
 * Selects the ids of agreements of which a user is the landlord or manages the unit. Most units are managed by their
 * landlord, whose agreements are found already: to look for them twice costs more than the rest.
 */
export function selectManagedAgreements(db: Db, userId: UserIdExpression) {
  const owned = db
    .selectFrom('agreements as owned')
    .where('owned.landlord_id', '=', userId)
    .where('owned.is_active', '=', SQL_TRUE)
    .select('owned.id')
  const managed = db
    .selectFrom('property_units as unit')
    .innerJoin('agreements as managed', 'managed.property_unit_id', 'unit.id')
    .where('unit.managed_by_id', '=', userId)
    .where('unit.landlord_id', '<>', userId)
    .where('unit.is_active', '=', SQL_TRUE)
    .where('managed.is_active', '=', SQL_TRUE)
    .select('managed.id')
  return owned.union(managed)
}

/** Selects a page of the agreements that a user manages or is a party of. */
export function selectAgreementPage(db: Db, userId: UserIdExpression, filters: AgreementQuery) {
  const rented = db
    .selectFrom('agreement_tenants as rented')
    .where('rented.tenant_id', '=', userId)
    .where(e => e.not(e.exists(selectDeclinedDraft(db, userId, e.ref('rented.agreement_id')))))
    .select('rented.agreement_id as id')
  const fixed = db
    .selectFrom('agreements as fixed')
    .where('fixed.manager_id', '=', userId)
    .where('fixed.is_active', '=', SQL_TRUE)
    .select('fixed.id')
  const visible = selectManagedAgreements(db, userId).union(rented).union(fixed)

  let agreements = db
    .selectFrom('agreements as a')
    .where('a.is_active', '=', SQL_TRUE)
    .where('a.id', '=', anyIdIn(visible))
    .select(agreementSelection)
  const { q, status, property_unit_id } = filters
  if (q !== undefined) agreements = agreements.where('a.agreement_number', 'ilike', toContainsPattern(q))
  if (status !== undefined) agreements = agreements.where('a.status', '=', status)
  if (property_unit_id !== undefined)
    agreements = agreements.where('a.property_unit_id', '=', property_unit_id)
  return agreements
}

/** Selects a draft that a user has declined: it has to name another, and no longer concerns them. */
export function selectDeclinedDraft(db: Db, userId: UserIdExpression, agreementId: Expression<number>) {
  return db
    .selectFrom('agreement_signatures as refusal')
    .innerJoin('agreements as draft', 'draft.id', 'refusal.agreement_id')
    .where('refusal.agreement_id', '=', agreementId)
    .where('refusal.signer_id', '=', userId)
    .where('refusal.status', '=', 'DECLINED')
    .where('draft.status', '=', 'DRAFT')
    .select('refusal.id')
}

/** Selects one agreement that a user manages or is a party of; without columns yet. */
export function selectVisibleAgreement(db: Db, userId: UserIdExpression, id: RecordId) {
  return db
    .selectFrom('agreements as a')
    .where('a.is_active', '=', SQL_TRUE)
    .where(e => ('id' in id ? e('a.id', '=', id.id) : e('a.agreement_id', '=', id.uuid)))
    .where(e =>
      e.or([
        e('a.landlord_id', '=', userId),
        e('a.manager_id', '=', userId),
        e.exists(selectManagedUnit(db, userId, e.ref('a.property_unit_id'))),
        e.exists(selectTenancy(db, userId, e.ref('a.id'))),
      ]),
    )
}

function selectManagedUnit(db: Db, userId: UserIdExpression, unitId: Expression<number>) {
  return db
    .selectFrom('property_units as u')
    .where('u.id', '=', unitId)
    .where('u.managed_by_id', '=', userId)
    .where('u.is_active', '=', SQL_TRUE)
    .select('u.id')
}

function selectTenancy(db: Db, userId: UserIdExpression, agreementId: Expression<number>) {
  return db
    .selectFrom('agreement_tenants as t')
    .where('t.agreement_id', '=', agreementId)
    .where('t.tenant_id', '=', userId)
    .select('t.id')
}

export function selectAgreement(db: Db, userId: UserIdExpression, id: RecordId) {
  return selectVisibleAgreement(db, userId, id).select(agreementSelection)
}

/** Reads an agreement back in the transaction that changed it. */
export async function loadAgreementView(em: EntityManager, actor: Actor, id: number): Promise<AgreementView> {
  const [view] = await executeCompiled(em, selectAgreementView, { userId: actor.id, id })
  return view!
}

function selectAgreementView(db: Db, { userId, id }: { userId: number; id: number }) {
  return selectAgreement(db, sql.val(userId), { id })
}

/** Selects each party's signature: the one that is signed, else the latest that was sent or declined. */
export function selectSignatures(
  db: Db,
  userId: UserIdExpression,
  { agreementId, now }: { agreementId: RecordId; now: Date },
) {
  return selectVisibleAgreement(db, userId, agreementId)
    .select(sql<boolean>`a.signed_date is not null`.as('allSigned'))
    .select(e => {
      const latest = db
        .selectFrom('agreement_signatures as s')
        .where('s.agreement_id', '=', e.ref('a.id'))
        .where(s => s.or([s('s.provider_request_id', 'is not', null), s('s.status', '=', 'DECLINED')]))
        .distinctOn('s.signer_id')
        .orderBy('s.signer_id')
        .orderBy(sql`s.status = 'SIGNED'`, 'desc')
        .orderBy('s.id', 'desc')
        .select(toSelection(toSignatureColumns(now)))
      return selectJsonArray(db, Signature, latest).as('signatures')
    })
}
