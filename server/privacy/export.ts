import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { PersonalData, Signature, User } from '@kiraya/sdk/contract'
import { iso, isoTime, type Db } from '../../db/orm'
import { agreementSelection } from '../agreements/queries'
import { selectUsers } from '../auth/queries'
import type { Deps } from '../deps'
import type { SessionReader, UserIdExpression } from '../http/authentication'
import { propertySelection } from '../properties/queries'
import { redactPayload } from './redact-payload'
import { mentionsUser, isRateLimitKeyOfUser, isPartyOrManager } from './ownership'

const stamped = <const N extends string>(column: string, name: N) => isoTime(sql.ref(column)).as(name)

/** All that is kept about the asker, in one statement: it is one moment's state. */
function everything(db: Db, me: UserIdExpression) {
  const phone = sql<string>`(select mine.phone from users mine where mine.id = ${me})`
  const signatures = (agreement: ReturnType<typeof sql.ref<number>>) =>
    db
      .selectFrom('agreement_signatures as s')
      .where('s.agreement_id', '=', agreement)
      .where('s.signer_id', '=', me)
      .orderBy('s.id')
      .select([
        's.id',
        's.signature_id',
        's.signer_id',
        sql<Signature['signer_role']>`lower(s.signer_role)`.as('signer_role'),
        sql<Signature['status']>`lower(s.status)`.as('status'),
        iso('s.signed_at'),
        iso('s.expires_at'),
        's.decline_reason',
        's.provider',
        's.provider_request_id',
        's.provider_signature_id',
        's.signing_url',
        iso('s.viewed_at'),
        's.reminders',
        iso('s.next_reminder_at'),
      ])
  return db.selectNoFrom([
    phone.as('phone'),
    jsonObjectFrom(
      selectUsers(db)
        .where('u.id', '=', me)
        .select([
          sql<boolean>`u.password is not null`.as('has_password'),
          iso('u.last_login_at'),
          iso('u.created_at'),
          iso('u.updated_at'),
        ]),
    )
      .$notNull()
      .as('user'),
    jsonArrayFrom(
      db
        .selectFrom('otp_sessions as o')
        .where('o.phone_number', '=', phone)
        .select([
          stamped('o.created_at', 'asked_at'),
          stamped('o.expire_at', 'expires_at'),
          'o.attempts as wrong_tries',
        ]),
    ).as('one_time_passwords'),
    jsonArrayFrom(
      db
        .selectFrom('auth_sessions as a')
        .where('a.user_id', '=', me)
        .orderBy('a.id')
        .select([stamped('a.created_at', 'signed_in_at'), iso('a.token_expires_at'), 'a.is_active']),
    ).as('sessions'),
    jsonArrayFrom(
      db
        .selectFrom('rate_limits as r')
        .where(isRateLimitKeyOfUser('r.key', me, phone))
        .orderBy('r.key')
        .select(['r.key', 'r.count', iso('r.resets_at')]),
    ).as('counters'),
    jsonArrayFrom(
      db
        .selectFrom('idempotency_keys as i')
        .where('i.user_id', '=', me)
        .orderBy('i.created_at')
        .select(['i.key', iso('i.created_at'), sql<unknown>`i.answer -> 'of'`.as('answer')]),
    ).as('repeatable_requests'),
    jsonArrayFrom(
      db
        .selectFrom('kyc_requests as k')
        .where('k.user_id', '=', me)
        .orderBy('k.id')
        .select([
          'k.kyc_request_id',
          'k.provider',
          'k.provider_request_id',
          'k.verification_url',
          'k.status',
          'k.error_code',
          'k.error_message',
          'k.name',
          'k.masked_aadhaar',
          iso('k.expires_at'),
          iso('k.created_at'),
          iso('k.updated_at'),
        ]),
    ).as('identity_checks'),
    jsonArrayFrom(
      db
        .selectFrom('properties as p')
        .where('p.landlord_id', '=', me)
        .orderBy('p.id')
        .select(propertySelection),
    ).as('properties'),
    jsonArrayFrom(
      db
        .selectFrom('property_units as u')
        .where(e =>
          e.or([
            e('u.landlord_id', '=', me),
            e.and([e('u.managed_by_id', '=', me), e('u.is_active', '=', true)]),
          ]),
        )
        .orderBy('u.id')
        .select([
          'u.id',
          'u.property_unit_id',
          'u.property_id',
          'u.landlord_id',
          'u.managed_by_id',
          'u.unit_name',
          'u.room_type',
          'u.furnishing_type',
          'u.furniture_included',
          'u.area_sqft',
          'u.floor_number',
          'u.is_available',
          'u.unit_notes',
          'u.unit_amenities',
          'u.is_active',
          iso('u.created_at'),
          iso('u.updated_at'),
        ]),
    ).as('property_units'),
    jsonArrayFrom(
      db
        .selectFrom('agreements as a')
        .where(isPartyOrManager('a', me))
        .orderBy('a.id')
        .select(agreementSelection)
        .select(e => [
          jsonArrayFrom(signatures(sql.ref<number>('a.id'))).as('signatures'),
          jsonArrayFrom(
            db
              .selectFrom('signed_documents as d')
              .where('d.agreement_id', '=', e.ref('a.id'))
              .orderBy('d.id')
              .select(['d.sha256', 'd.size', stamped('d.created_at', 'stored_at')]),
          ).as('documents'),
          jsonArrayFrom(
            db
              .selectFrom('agreement_events as v')
              .where('v.agreement_id', '=', e.ref('a.id'))
              .orderBy('v.position')
              .select(['v.position', 'v.type', 'v.actor_id', 'v.details', iso('v.occurred_at'), 'v.hash']),
          ).as('timeline'),
        ]),
    ).as('agreements'),
    jsonArrayFrom(
      db
        .selectFrom('activities as y')
        .where('y.user_id', '=', me)
        .orderBy('y.id')
        .select([
          'y.id',
          'y.type',
          'y.message',
          'y.entity_type',
          'y.entity_id',
          'y.actor_id',
          iso('y.occurred_at'),
        ]),
    ).as('activities'),
    jsonArrayFrom(
      db
        .selectFrom('tenant_contacts as c')
        .innerJoin('users as who', 'who.id', 'c.tenant_id')
        .where('c.landlord_id', '=', me)
        .orderBy('who.id')
        .select(['who.id', 'who.phone', 'c.first_name', 'c.last_name']),
    ).as('named_people'),
    jsonArrayFrom(
      db
        .selectFrom('tenant_contacts as c')
        .where('c.tenant_id', '=', me)
        .select(['c.first_name', 'c.last_name']),
    ).as('names_given_by_others'),
    jsonArrayFrom(
      db
        .selectFrom('webhook_deliveries as w')
        .where(mentionsUser(me, phone))
        .orderBy('w.id')
        .select([
          'w.provider',
          'w.request_id',
          'w.outcome',
          iso('w.created_at'),
          sql<string>`w.payload`.as('payload'),
        ]),
    ).as('webhooks'),
  ])
}

export async function exportPersonalData(deps: Deps, asker: SessionReader): Promise<PersonalData> {
  const { phone: number, ...found } = await asker.row('User', everything, {})
  deps.log.audit('data_exported', { user: found.user.id })
  return {
    exported_at: deps.now().toISOString(),
    ...found,
    user: found.user satisfies User,
    webhooks: found.webhooks.map(({ payload, ...about }) => ({
      ...about,
      payload: redactPayload(payload, number),
    })),
  }
}
