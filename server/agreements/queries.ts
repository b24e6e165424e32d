import { sql, type Expression } from 'kysely'
import { Signature, type Agreement as AgreementView, type AgreementQuery } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { anyIdIn, isoTimestamp, SQL_TRUE, type Db, type EntityManager } from '../../db/database'
import { toContainsPattern, type Actor, type RecordId, type UserIdExpression } from '../http/authentication'
import { selectJsonArray } from '../http/raw-json'

const tenantIds = sql<number[]>`array(
  select t.tenant_id from agreement_tenants t where t.agreement_id = a.id order by t.id
)`
const revisedAgreementId = sql<string | null>`(
  select r.agreement_id from agreements r where r.id = a.revises_id
)`

/** Every field of the response, listed once: `loadAgreementView` does not compile if one is missing. */
export const agreementColumns = [
  'a.id',
  'a.agreement_id',
  'a.agreement_number',
  'a.document_url',
  'a.property_unit_id',
  'a.landlord_id',
  'a.agreement_start_date',
  'a.agreement_end_date',
  'a.tenure_in_months',
  'a.auto_renew',
  'a.rent_amount',
  'a.deposit_amount',
  'a.rent_due_day',
  'a.notice_period_days',
  'a.status',
  'a.amenities',
  'a.pets_allowed',
  'a.non_veg_allowed',
  'a.smoking_allowed',
  'a.bachelor_allowed',
  'a.additional_policies',
  'a.improvements',
  'a.signed_date',
  'a.termination_date',
  'a.termination_reason',
  'a.payment_terms',
  'a.late_fee',
  'a.signing_order',
  'a.is_active',
  isoTimestamp('a.created_at'),
  isoTimestamp('a.updated_at'),
  tenantIds.as('tenant_ids'),
  revisedAgreementId.as('revises_agreement_id'),
] as const

/** The same for a signature: `selectJsonArray` does not compile if one is missing. */
const signatureColumns = (now: Date) =>
  [
    's.id',
    's.signature_id',
    's.signer_id',
    sql<Signature['signer_role']>`lower(s.signer_role)`.as('signer_role'),
    toSignatureStatus(now).as('status'),
    isoTimestamp('s.signed_at'),
    isoTimestamp('s.expires_at'),
    's.decline_reason',
  ] as const

/** A signature expires on time, even if no job has recorded it yet. */
const toSignatureStatus = (now: Date) => sql<Signature['status']>`case
  when s.status = 'PENDING' and s.expires_at <= ${now} then 'expired'
  else lower(s.status)
end`

/** Selects the ids of agreements of which a user is the landlord or manages the unit. */
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
    .where('unit.is_active', '=', SQL_TRUE)
    .where('managed.is_active', '=', SQL_TRUE)
    .select('managed.id')
  return owned.union(managed)
}

/** Selects a page of the agreements that a user manages or rents. */
export function selectAgreementPage(db: Db, userId: UserIdExpression, filters: AgreementQuery) {
  const rented = db
    .selectFrom('agreement_tenants as rented')
    .where('rented.tenant_id', '=', userId)
    .select('rented.agreement_id as id')

  let agreements = db
    .selectFrom('agreements as a')
    .where('a.is_active', '=', SQL_TRUE)
    .where('a.id', '=', anyIdIn(selectManagedAgreements(db, userId).union(rented)))
    .select(agreementColumns)
  const { q, status, property_unit_id } = filters
  if (q !== undefined) agreements = agreements.where('a.agreement_number', 'ilike', toContainsPattern(q))
  if (status !== undefined) agreements = agreements.where('a.status', '=', status)
  if (property_unit_id !== undefined)
    agreements = agreements.where('a.property_unit_id', '=', property_unit_id)
  return agreements
}

/** Selects one agreement that a user manages or rents; without columns yet. */
export function selectVisibleAgreement(db: Db, userId: UserIdExpression, id: RecordId) {
  return db
    .selectFrom('agreements as a')
    .where('a.is_active', '=', SQL_TRUE)
    .where(e => ('id' in id ? e('a.id', '=', id.id) : e('a.agreement_id', '=', id.uuid)))
    .where(e =>
      e.or([
        e('a.landlord_id', '=', userId),
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
  return selectVisibleAgreement(db, userId, id).select(agreementColumns)
}

/** Reads an agreement back in the transaction that changed it. */
export async function loadAgreementView(em: EntityManager, actor: Actor, id: number): Promise<AgreementView> {
  const [view] = await executeCompiled(em, selectAgreementView, { userId: actor.id, id })
  return view!
}

function selectAgreementView(db: Db, { userId, id }: { userId: number; id: number }) {
  return selectAgreement(db, sql.val(userId), { id })
}

/** Selects each party's signature: the one that is signed, else the latest that was sent. */
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
        .where('s.provider_request_id', 'is not', null)
        .distinctOn('s.signer_id')
        .orderBy('s.signer_id')
        .orderBy(sql`s.status = 'SIGNED'`, 'desc')
        .orderBy('s.id', 'desc')
        .select(signatureColumns(now))
      return selectJsonArray(db, Signature, latest).as('signatures')
    })
}
