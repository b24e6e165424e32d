import { sql, type Expression } from 'kysely'
import {
  Agreement,
  Signature,
  type AgreementQuery,
  type LeaseDocument,
  type NamedPerson,
} from '@kiraya/sdk/contract'
import { anyIdIn, SQL_TRUE, toIsoTimestamp, type Db } from '../../db/database'
import { toColumns } from '../domain/fields'
import { containsText } from '../domain/query'
import { hasId, recordPath, type PathIds, type RecordId } from '../http/record-id'
import type { Parent, UserId } from '../http/reads/reader'
import { selectManagedAgreements } from '../listing/visibility'
import { managerId, namedUnit, toNamedPerson, toNamedTenants } from './names'
import { depositMoves } from './previous-lease'

export const AgreementPath = recordPath({ id: 'agreement' })
export type AgreementPath = PathIds<typeof AgreementPath>

const tenantIds = sql<number[]>`array(
  select t.tenant_id from agreement_tenants t where t.agreement_id = a.id order by t.id
)`
const leaseDocument = sql<LeaseDocument | null>`case when a.document_template is not null
  then json_build_object('template', a.document_template, 'language', a.document_language) end`
const toAgreementId = (column: 'a.revises_id' | 'a.renews_id') => sql<string | null>`(
  select former.agreement_id from agreements former where former.id = ${sql.ref(column)}
)`

const objections = sql<Agreement['objections']>`case when a.recorded_on is null then '[]'::json else (
  select coalesce(json_agg(json_build_object(
    'tenant_id', t.tenant_id, 'reason', t.objection, 'objected_at', ${toIsoTimestamp(sql.ref('t.objected_at'))}
  ) order by t.id), '[]'::json)
  from agreement_tenants t where t.agreement_id = a.id and t.objected_at is not null
) end`

/** Every field of the response. */
const toAgreementSelection = (userId: UserId) =>
  toColumns('agreements as a', Agreement, {
    tenant_ids: tenantIds,
    unit: namedUnit,
    landlord: toNamedPerson(sql.ref('a.landlord_id'), userId),
    manager: toNamedPerson(managerId, userId).$castTo<NamedPerson | null>(),
    tenants: toNamedTenants(userId),
    document: leaseDocument,
    revises_agreement_id: toAgreementId('a.revises_id'),
    renews_agreement_id: toAgreementId('a.renews_id'),
    deposit_moves: depositMoves,
    objections,
    internal_notes: forLandlordSide('internal_notes', userId),
    external_ref: forLandlordSide('external_ref', userId),
  })

const forLandlordSide = (column: string, userId: UserId) => sql<string | null>`case
  when a.landlord_id = ${userId} or exists (
    select from property_units side
    where side.id = a.property_unit_id and side.managed_by_id = ${userId} and side.is_active
  ) then ${sql.ref(`a.${column}`)} end`

/** A signature expires on time, even if no job has recorded it yet. */
const toSignatureStatus = (now: Date) => sql<Signature['status']>`case
  when s.status = 'PENDING' and s.expires_at <= ${now} then 'expired'
  else lower(s.status)
end`

const selectSignature = (now: Date) =>
  toColumns('agreement_signatures as s', Signature, {
    signer_role: sql<Signature['signer_role']>`lower(s.signer_role)`,
    status: toSignatureStatus(now),
    signed_at: toIsoTimestamp(sql.ref('s.signed_at')),
    accepted_at: sql<string | null>`(
      select ${toIsoTimestamp(sql.ref('t.accepted_at'))} from agreement_tenants t
      where t.agreement_id = s.agreement_id and t.tenant_id = s.signer_id
    )`,
  })

/** Until a party signs, `signed_at` is absent, and not null. */
const toSignatures = (rows: Expression<unknown>) => sql<Signature[]>`(
  select coalesce(json_agg(
    case when signed_at is null then to_jsonb(latest) - 'signed_at' else to_jsonb(latest) end
  ), '[]')
  from ${rows} as latest
)`

/**
 * Selects the ids of the agreements that a user sees: as landlord, manager or tenant. A statement that has
 * already selected the managed ones passes them.
 */
export function selectVisibleIds(
  db: Db,
  userId: UserId,
  managed: Expression<{ id: number }> = selectManagedAgreements(db, userId),
) {
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
  return anyIdIn(rented.union(fixed).union(managed))
}

/** Selects a page of the agreements that a user manages or is a party of. */
export function selectAgreementPage(db: Db, userId: UserId, filters: AgreementQuery) {
  let agreements = db
    .selectFrom('agreements as a')
    .where('a.is_active', '=', SQL_TRUE)
    .where('a.id', '=', selectVisibleIds(db, userId))
    .select(toAgreementSelection(userId))
  const { q, status, property_unit_id } = filters
  if (q !== undefined) agreements = agreements.where(containsText(q, sql`a.agreement_number`))
  if (status !== undefined) agreements = agreements.where('a.status', '=', status)
  if (property_unit_id !== undefined)
    agreements = agreements.where('a.property_unit_id', '=', property_unit_id)
  return agreements
}

/** Selects a draft that a user has declined: it has to name another, and no longer concerns them. */
function selectDeclinedDraft(db: Db, userId: UserId, agreementId: Expression<number>) {
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
export function selectVisibleAgreement(db: Db, userId: UserId, id: RecordId) {
  return db
    .selectFrom('agreements as a')
    .where('a.is_active', '=', SQL_TRUE)
    .where(hasId('a', 'agreement_id', id))
    .where(e =>
      e.or([
        e('a.landlord_id', '=', userId),
        e('a.manager_id', '=', userId),
        e.exists(selectManagedUnit(db, userId, e.ref('a.property_unit_id'))),
        e.exists(selectTenancy(db, userId, e.ref('a.id'))),
      ]),
    )
}

export function selectVisibleId(db: Db, userId: UserId, { id }: AgreementPath) {
  return selectVisibleAgreement(db, userId, id).select('a.id')
}

/** What a list of an agreement belongs to. */
export const ofAgreement: Parent<AgreementPath> = { select: selectVisibleId, missing: 'agreement_not_found' }

function selectManagedUnit(db: Db, userId: UserId, unitId: Expression<number>) {
  return db
    .selectFrom('property_units as u')
    .where('u.id', '=', unitId)
    .where('u.managed_by_id', '=', userId)
    .where('u.is_active', '=', SQL_TRUE)
    .select('u.id')
}

function selectTenancy(db: Db, userId: UserId, agreementId: Expression<number>) {
  return db
    .selectFrom('agreement_tenants as t')
    .where('t.agreement_id', '=', agreementId)
    .where('t.tenant_id', '=', userId)
    .where(e => e.not(e.exists(selectDeclinedDraft(db, userId, e.ref('t.agreement_id')))))
    .select('t.id')
}

export function selectAgreement(db: Db, userId: UserId, id: RecordId) {
  return selectVisibleAgreement(db, userId, id).select(toAgreementSelection(userId))
}

/** Selects each party's signature: the one that is signed, else the latest that was sent or declined. */
export function selectSignatures(
  db: Db,
  userId: UserId,
  { agreementId, now }: { agreementId: RecordId; now: Date },
) {
  return selectVisibleAgreement(db, userId, agreementId)
    .select(sql<boolean>`a.signed_date is not null`.as('allSigned'))
    .select(e => {
      const latest = db
        .selectFrom('agreement_signatures as s')
        .where('s.agreement_id', '=', e.ref('a.id'))
        .where(s =>
          s.or([s('s.provider_request_id', 'is not', null), s('s.status', 'in', ['SIGNED', 'DECLINED'])]),
        )
        .distinctOn('s.signer_id')
        .orderBy('s.signer_id')
        .orderBy(sql`s.status = 'SIGNED'`, 'desc')
        .orderBy('s.id', 'desc')
        .select(selectSignature(now))
      return toSignatures(latest).as('signatures')
    })
}
