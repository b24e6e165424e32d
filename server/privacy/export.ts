import { sql, type Expression } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { PersonalData } from '@kiraya/sdk/contract'
import { SQL_TRUE, type Db } from '../../db/database'
import { setQueryTime } from '../../db/deadlines'
import { agreementSelection } from '../agreements/queries'
import { selectActivities } from '../dashboard/queries'
import { hashPhone } from '../domain/phone-hash'
import type { Deps } from '../deps'
import { toSelection } from '../domain/columns'
import type { SessionReader, UserIdExpression } from '../http/authentication'
import { RawJson } from '../http/raw-json'
import * as columns from './export-columns'
import { selectExportedBooks } from './export-books'
import {
  isOwn,
  isOwnOrManagedUnit,
  isPartyOrManager,
  isRateLimitKeyOfHash,
  isRateLimitKeyWithPhone,
  MAX_QUERY_MS,
  mentionsUser,
} from './ownership'
import { redactPayload } from './redact-payload'

/** Exports all stored data about the user of a session, as raw JSON. */
export async function exportPersonalData(deps: Deps, reader: SessionReader) {
  setQueryTime(MAX_QUERY_MS)
  const phoneHash = hashPhone(deps.config, reader.phone)
  const { phone, ...data } = await reader.row('user_not_found', selectPersonalData, { phoneHash })
  deps.log.audit('data_exported', { user: data.user.id })
  const exported: PersonalData = {
    exported_at: deps.now().toISOString(),
    ...data,
    webhooks: data.webhooks.map(webhook => ({
      ...webhook,
      payload: toJsonValue(redactPayload(webhook, phone)),
    })),
  }
  return new RawJson(PersonalData, JSON.stringify(exported))
}

/** A payload that is not JSON is exported as text. */
function toJsonValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** One statement, so the export shows the state at one moment. */
function selectPersonalData(db: Db, userId: UserIdExpression, { phoneHash }: { phoneHash: string }) {
  const phone = sql<string>`(select mine.phone from users mine where mine.id = ${userId})`
  return db
    .selectNoFrom(phone.as('phone'))
    .select([
      jsonObjectFrom(selectAccount(db, userId)).$notNull().as('user'),
      jsonArrayFrom(selectOtps(db, phone)).as('one_time_passwords'),
      jsonArrayFrom(selectSessions(db, userId)).as('sessions'),
      jsonArrayFrom(selectKnownNetworks(db, userId)).as('known_networks'),
      jsonArrayFrom(selectRateLimits(db, phone, sql`${phoneHash}::text`)).as('counters'),
      jsonArrayFrom(selectIdempotencyKeys(db, userId)).as('repeatable_requests'),
      jsonArrayFrom(selectKycRequests(db, userId)).as('identity_checks'),
    ])
    .select([
      jsonArrayFrom(selectOwnProperties(db, userId)).as('properties'),
      jsonArrayFrom(selectOwnUnits(db, userId)).as('property_units'),
      jsonArrayFrom(selectAgreements(db, userId)).as('agreements'),
    ])
    .select([
      jsonArrayFrom(selectActivities(db, userId).orderBy('y.id')).as('activities'),
      jsonArrayFrom(selectNamedPeople(db, userId)).as('named_people'),
      jsonArrayFrom(selectGivenNames(db, userId)).as('names_given_by_others'),
      jsonArrayFrom(selectInvitations(db, phone)).as('invitations'),
      jsonArrayFrom(selectWebhooks(db, userId, phone)).as('webhooks'),
    ])
}

function selectAccount(db: Db, userId: UserIdExpression) {
  return db.selectFrom('users as u').where('u.id', '=', userId).select(toSelection(columns.accountColumns))
}

function selectOtps(db: Db, phone: Expression<string>) {
  return db
    .selectFrom('otp_sessions as o')
    .where('o.phone_number', '=', phone)
    .select(toSelection(columns.otpColumns))
}

function selectSessions(db: Db, userId: UserIdExpression) {
  return db
    .selectFrom('auth_sessions as a')
    .where('a.user_id', '=', userId)
    .orderBy('a.id')
    .select(toSelection(columns.sessionColumns))
}

function selectKnownNetworks(db: Db, userId: UserIdExpression) {
  return db
    .selectFrom('known_networks as k')
    .where('k.user_id', '=', userId)
    .orderBy('k.last_seen_at')
    .select(toSelection(columns.knownNetworkColumns))
}

function selectRateLimits(db: Db, phone: Expression<string>, phoneHash: Expression<string>) {
  return db
    .selectFrom('rate_limits as r')
    .where(e => e.or([isRateLimitKeyWithPhone('r.key', phone), isRateLimitKeyOfHash('r.key', phoneHash)]))
    .orderBy('r.key')
    .select(toSelection(columns.rateLimitColumns))
}

function selectIdempotencyKeys(db: Db, userId: UserIdExpression) {
  return db
    .selectFrom('idempotency_keys as i')
    .where('i.user_id', '=', userId)
    .orderBy('i.created_at')
    .select(toSelection(columns.idempotencyKeyColumns))
}

function selectKycRequests(db: Db, userId: UserIdExpression) {
  return db
    .selectFrom('kyc_requests as k')
    .where('k.user_id', '=', userId)
    .orderBy('k.id')
    .select(toSelection(columns.kycRequestColumns))
}

function selectOwnProperties(db: Db, userId: UserIdExpression) {
  return db
    .selectFrom('properties as p')
    .where(isOwn('properties', 'p.id', userId))
    .orderBy('p.id')
    .select(toSelection(columns.exportedPropertyColumns))
}

function selectOwnUnits(db: Db, userId: UserIdExpression) {
  return db
    .selectFrom('property_units as u')
    .where(isOwnOrManagedUnit('u.id', userId))
    .where(e =>
      e.or([
        e('u.landlord_id', '=', userId),
        e.and([e('u.managed_by_id', '=', userId), e('u.is_active', '=', SQL_TRUE)]),
      ]),
    )
    .orderBy('u.id')
    .select(toSelection(columns.exportedUnitColumns))
}

function selectAgreements(db: Db, userId: UserIdExpression) {
  const agreementId = sql.ref<number>('a.id')
  return db
    .selectFrom('agreements as a')
    .where(isPartyOrManager('a.id', userId))
    .orderBy('a.id')
    .select(agreementSelection)
    .select([
      jsonArrayFrom(selectSignatures(db, userId, agreementId)).as('signatures'),
      jsonArrayFrom(selectDocuments(db, agreementId)).as('documents'),
      jsonArrayFrom(selectEvents(db, agreementId)).as('timeline'),
    ])
    .select(selectExportedBooks(db, agreementId))
}

function selectSignatures(db: Db, userId: UserIdExpression, agreementId: Expression<number>) {
  return db
    .selectFrom('agreement_signatures as s')
    .where('s.agreement_id', '=', agreementId)
    .where('s.signer_id', '=', userId)
    .orderBy('s.id')
    .select(toSelection(columns.signatureColumns))
}

function selectDocuments(db: Db, agreementId: Expression<number>) {
  return db
    .selectFrom('signed_documents as d')
    .where('d.agreement_id', '=', agreementId)
    .orderBy('d.id')
    .select(toSelection(columns.documentColumns))
}

function selectEvents(db: Db, agreementId: Expression<number>) {
  return db
    .selectFrom('agreement_events as v')
    .where('v.agreement_id', '=', agreementId)
    .orderBy('v.position')
    .select(toSelection(columns.eventColumns))
}

function selectNamedPeople(db: Db, userId: UserIdExpression) {
  return db
    .selectFrom('tenant_contacts as c')
    .innerJoin('users as person', 'person.id', 'c.tenant_id')
    .where('c.landlord_id', '=', userId)
    .orderBy('person.id')
    .select(toSelection(columns.namedPersonColumns))
}

function selectGivenNames(db: Db, userId: UserIdExpression) {
  return db
    .selectFrom('tenant_contacts as c')
    .where('c.tenant_id', '=', userId)
    .select(toSelection(columns.givenNameColumns))
}

function selectInvitations(db: Db, phone: Expression<string>) {
  return db
    .selectFrom('invitations as i')
    .where('i.phone_number', '=', phone)
    .select(toSelection(columns.invitationColumns))
}

function selectWebhooks(db: Db, userId: UserIdExpression, phone: Expression<string>) {
  return db
    .selectFrom('webhook_deliveries as w')
    .where(mentionsUser(userId, phone))
    .orderBy('w.id')
    .select(toSelection(columns.webhookColumns))
}
