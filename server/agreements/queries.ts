import { sql } from 'kysely'
import { Signature, type AgreementQuery } from '@kiraya/sdk/contract'
import { anyOf, iso, yes, type Db } from '../../db/orm'
import { type UserIdExpression } from '../http/authentication'
import { selectJsonArray } from '../http/raw-json'
import { toContainsPattern } from '../domain/query'
import type { RecordId } from '../domain/record-id'

export const selectTenantIds = sql<
  number[]
>`array(select t.tenant_id from agreement_tenants t where t.agreement_id = a.id order by t.id)`

export const selectRevisedAgreementId = sql<
  string | null
>`(select r.agreement_id from agreements r where r.id = a.revises_id)`.as('revises_agreement_id')
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
  iso('a.created_at'),
  iso('a.updated_at'),
] as const

/** The agreements of which a user is landlord or manages the unit. */
export const selectManagedAgreements = (db: Db, me: UserIdExpression) =>
  db
    .selectFrom('agreements as own')
    .where('own.landlord_id', '=', me)
    .where('own.is_active', '=', yes)
    .select('own.id')
    .union(
      db
        .selectFrom('property_units as managed')
        .innerJoin('agreements as under', 'under.property_unit_id', 'managed.id')
        .where('managed.managed_by_id', '=', me)
        .where('managed.is_active', '=', yes)
        .where('under.is_active', '=', yes)
        .select('under.id'),
    )

/** The agreements that a user may see: as landlord or manager of the unit, or as a tenant. */
export const selectVisibleAgreementIds = (db: Db, me: UserIdExpression) =>
  db
    .selectFrom('agreements as a')
    .where('a.is_active', '=', yes)
    .where(
      'a.id',
      '=',
      anyOf(
        selectManagedAgreements(db, me).union(
          db
            .selectFrom('agreement_tenants as rented')
            .where('rented.tenant_id', '=', me)
            .select('rented.agreement_id as id'),
        ),
      ),
    )

export const selectAgreementPage = (
  db: Db,
  me: UserIdExpression,
  { q, status, property_unit_id }: AgreementQuery,
) =>
  selectVisibleAgreementIds(db, me)
    .select(agreementColumns)
    .select([selectTenantIds.as('tenant_ids'), selectRevisedAgreementId])
    .$if(q !== undefined, all => all.where('a.agreement_number', 'ilike', toContainsPattern(q!)))
    .$if(status !== undefined, all => all.where('a.status', '=', status!))
    .$if(property_unit_id !== undefined, all => all.where('a.property_unit_id', '=', property_unit_id!))

/** One agreement where the user may see it; without fields yet. */
export const selectVisibleAgreement = (db: Db, me: UserIdExpression, id: RecordId) =>
  db
    .selectFrom('agreements as a')
    .where('a.is_active', '=', yes)
    .where(e => ('id' in id ? e('a.id', '=', id.id) : e('a.agreement_id', '=', id.uuid)))
    .where(e =>
      e.or([
        e('a.landlord_id', '=', me),
        e.exists(
          db
            .selectFrom('property_units as u')
            .where('u.id', '=', e.ref('a.property_unit_id'))
            .where('u.managed_by_id', '=', me)
            .where('u.is_active', '=', yes)
            .select('u.id'),
        ),
        e.exists(
          db
            .selectFrom('agreement_tenants as t')
            .where('t.agreement_id', '=', e.ref('a.id'))
            .where('t.tenant_id', '=', me)
            .select('t.id'),
        ),
      ]),
    )

export const selectAgreement = (db: Db, me: UserIdExpression, id: RecordId) =>
  selectVisibleAgreement(db, me, id)
    .select(agreementColumns)
    .select([selectTenantIds.as('tenant_ids'), selectRevisedAgreementId])

/** Whether all have signed, which dates the agreement, and the latest signature of each party that was sent, or the one that is signed. One past its time counts as expired. */
export const selectSignatures = (db: Db, me: UserIdExpression, { of, now }: { of: RecordId; now: Date }) =>
  selectVisibleAgreement(db, me, of)
    .select(sql<boolean>`a.signed_date is not null`.as('allSigned'))
    .select(e =>
      selectJsonArray(
        db,
        Signature,
        db
          .selectFrom('agreement_signatures as s')
          .where('s.agreement_id', '=', e.ref('a.id'))
          .where('s.provider_request_id', 'is not', null)
          .distinctOn('s.signer_id')
          .orderBy('s.signer_id')
          .orderBy(sql`s.status = 'SIGNED'`, 'desc')
          .orderBy('s.id', 'desc')
          .select([
            's.id',
            's.signature_id',
            's.signer_id',
            iso('s.expires_at'),
            's.decline_reason',
            iso('s.signed_at'),
            sql<Signature['signer_role']>`lower(s.signer_role)`.as('signer_role'),
            sql<
              Signature['status']
            >`case when s.status = 'PENDING' and s.expires_at <= ${now} then 'expired' else lower(s.status) end`.as(
              'status',
            ),
          ]),
      ).as('signatures'),
    )
