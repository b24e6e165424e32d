import { sql, type Expression } from 'kysely'
import type { PersonalData } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import { activitySelection } from '../dashboard/queries'
import { toSelection } from '../domain/columns'
import { writeAgreements } from './export-agreements'
import * as columns from './export-columns'
import { listById, type ListsOf, type Owner } from './export-pages'
import { isRateLimitKeyOfHash, isRateLimitKeyWithPhone, selectAgreementIds, selectOwnIds } from './ownership'

type Lists = Omit<PersonalData, 'exported_at' | 'user' | 'agreements'> & { agreements: { id: number }[] }

/** Lists of an account are read by id, unless they say otherwise. */
export const exportedLists: ListsOf<Lists> = {
  one_time_passwords: {
    rows: (db, { phone }) =>
      db
        .selectFrom('otp_sessions as o')
        .where('o.phone_number', '=', phone)
        .select(toSelection(columns.otpColumns)),
  },
  sessions: listById(
    db => db.selectFrom('auth_sessions as a'),
    'a.id',
    columns.sessionColumns,
    ({ userId }) => sql`select id from auth_sessions where user_id = ${userId}`,
  ),
  known_networks: {
    rows: (db, { userId }) =>
      db
        .selectFrom('known_networks as k')
        .where('k.user_id', '=', userId)
        .orderBy('k.last_seen_at')
        .select(toSelection(columns.knownNetworkColumns)),
  },
  counters: {
    start: '',
    keys: selectCounterKeys,
    row: (db, _, key) =>
      db
        .selectFrom('rate_limits as r')
        .where('r.key', '=', key)
        .select(toSelection(columns.rateLimitColumns)),
  },
  repeatable_requests: { start: '', keys: selectRequestKeys, row: selectRequest },
  identity_checks: listById(
    db => db.selectFrom('kyc_requests as k'),
    'k.id',
    columns.kycRequestColumns,
    ({ userId }) => sql`select id from kyc_requests where user_id = ${userId}`,
  ),
  properties: {
    start: 0,
    keys: ({ userId }) => selectOwnIds('properties', userId),
    row: (db, _, id) =>
      db.selectFrom('properties as p').where('p.id', '=', id).select(columns.exportedProperty),
  },
  property_units: {
    start: 0,
    keys: selectUnitIds,
    row: (db, _, id) =>
      db.selectFrom('property_units as u').where('u.id', '=', id).select(columns.exportedUnit),
  },
  agreements: {
    start: 0,
    keys: ({ userId }) => selectAgreementIds(userId),
    row: (db, _, id) => db.selectNoFrom(sql<number>`${id}`.as('id')),
    write: writeAgreements,
  },
  activities: {
    start: 0,
    keys: ({ userId }) => sql`select id from activities where user_id = ${userId}`,
    isIndexed: true,
    row: (db, _, id) => db.selectFrom('activities as y').where('y.id', '=', id).select(activitySelection),
  },
  named_people: {
    start: 0,
    keys: ({ userId }) => sql`select tenant_id from tenant_contacts where landlord_id = ${userId}`,
    isIndexed: true,
    row: (db, { userId }, tenantId) =>
      db
        .selectFrom('tenant_contacts as c')
        .innerJoin('users as person', 'person.id', 'c.tenant_id')
        .where('c.landlord_id', '=', userId)
        .where('c.tenant_id', '=', tenantId)
        .select(toSelection(columns.namedPersonColumns)),
  },
  names_given_by_others: {
    start: 0,
    keys: ({ userId }) => sql`select landlord_id from tenant_contacts where tenant_id = ${userId}`,
    row: (db, { userId }, landlordId) =>
      db
        .selectFrom('tenant_contacts as c')
        .where('c.tenant_id', '=', userId)
        .where('c.landlord_id', '=', landlordId)
        .select(toSelection(columns.givenNameColumns)),
  },
  invitations: {
    rows: (db, { phone }) =>
      db
        .selectFrom('invitations as i')
        .where('i.phone_number', '=', phone)
        .select(toSelection(columns.invitationColumns)),
  },
}

function selectCounterKeys({ phone, phoneHash }: Owner) {
  const isOwn = sql.join(
    [isRateLimitKeyWithPhone('key', phone), isRateLimitKeyOfHash('key', phoneHash)],
    sql` or `,
  )
  return sql`select key from rate_limits where ${isOwn}`
}

const TIME_FORMAT = 'YYYYMMDDHH24MISSUS'
const TIME_LENGTH = 20

/** Keys that begin with a time, since the requests are in the order of their times. */
function selectRequestKeys({ userId }: Owner) {
  const time = sql`to_char(created_at at time zone 'UTC', ${sql.lit(TIME_FORMAT)})`
  return sql`select ${time} || key collate "C" from idempotency_keys where user_id = ${userId}`
}

function selectRequest(db: Db, { userId }: Owner, timeAndKey: Expression<string>) {
  return db
    .selectFrom('idempotency_keys as i')
    .where('i.user_id', '=', userId)
    .where('i.key', '=', sql<string>`substr(${timeAndKey}, ${sql.lit(TIME_LENGTH + 1)})`)
    .select(toSelection(columns.idempotencyKeyColumns))
}

/** Of the units that a user only manages, the deleted ones are their landlord's alone. */
function selectUnitIds({ userId }: Owner) {
  return sql`
    ${selectOwnIds('property_units', userId)}
    union select id from property_units where managed_by_id = ${userId} and is_active`
}
