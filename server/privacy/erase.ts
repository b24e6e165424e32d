import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { EraseInput } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Db, type EntityManager } from '../../db/database'
import { getSqlState } from '../../db/database-errors'
import { setQueryTime } from '../../db/deadlines'
import { User } from '../../db/entities'
import { consumeOtp } from '../auth/otp'
import type { Actor, Deps } from '../deps'
import { refuse } from '../faults'
import { getClientNetwork } from '../http/limits/client-ip'
import { results } from '../messages/results'
import { anonymizeAgreements, anonymizeProperties, anonymizeUser } from './anonymize'
import { areCertified, storeCertificates } from './certificates'
import { eraseRelatedRows } from './erase-related-rows'
import { requireNoHeldDeposits } from './held-deposits'
import { requireNoOpenAgreements } from './open-agreements'
import { isOwn, isOwnOrManagedUnit, isPartyOrManager, MAX_QUERY_MS, toUserId } from './ownership'
import { refuseUnsigned, selectUnsignedAgreements } from './refuse-unsigned'

const MAX_ATTEMPTS = 5
/** How long a statement of an erasure may wait for locks: meanwhile others wait for those that it has. */
const LOCKING_TIMEOUT = '1s'
/** A deadlock, and a statement that took too long. */
const CONTENDED = new Set(['40P01', '57014'])
const ERASED = { message: results.account_erased }

type Outcome = 'erased' | 'wrong otp' | 'retry'

/** Rolls an attempt back, with the use of the OTP: a refusal or a certificate is missing, or a record appeared. */
class RetryErasure extends Error {}

/**
 * Erases a user for good, in one transaction: credentials, names and texts. Signed agreements stay as
 * evidence, with their certificates, under an id without a name.
 * @throws UNAUTHORIZED The OTP is wrong or has expired.
 * @throws BAD_REQUEST Agreements have to be terminated, or deposits settled, first.
 * @throws SERVICE_UNAVAILABLE The user's records keep changing.
 */
export async function eraseUser(deps: Deps, actor: Actor, { otp }: EraseInput) {
  const auditFields = { user: actor.id, network: getClientNetwork() }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    setQueryTime(MAX_QUERY_MS)
    const outcome = await tryErase(deps, actor, otp)
    if (outcome === 'erased') {
      deps.log.audit('user_erased', auditFields)
      return ERASED
    }
    if (outcome === 'wrong otp') {
      // A parallel erasure used the OTP.
      if (!(await isActive(deps, actor))) return ERASED
      deps.log.audit('erasure_refused', auditFields)
      throw refuse('wrong_otp')
    }
    await refuseUnsigned(deps, actor)
    await storeCertificates(deps, actor.id)
  }
  throw refuse('erasure_contended')
}

async function isActive(deps: Deps, { id }: Actor) {
  return (await deps.db.em.fork().count(User, { id, is_active: true })) > 0
}

async function tryErase(deps: Deps, actor: Actor, otp: string): Promise<Outcome> {
  try {
    return await deps.db.transactional(async em => {
      // A wrong attempt must stay counted, and an error would roll it back.
      const isRightOtp = await consumeOtp(deps, em, { phone: actor.phone, otp })
      if (!isRightOtp) return 'wrong otp'
      // Checked before the locks, so that a refused erasure blocks no one, and again once the records cannot change.
      await requireErasable(em, actor.id)
      await eraseOnce(em, deps.now(), actor)
      return 'erased'
    })
  } catch (error) {
    if (error instanceof RetryErasure || CONTENDED.has(getSqlState(error) ?? '')) return 'retry'
    throw error
  }
}

/** Does nothing if the user was erased meanwhile. */
async function eraseOnce(em: EntityManager, now: Date, { id, phone }: Actor) {
  const { user, records } = await lockUserWithRecords(em, id)
  if (!user) return
  if (await hasNewRecords(em, id, records)) throw new RetryErasure()

  await requireErasable(em, id)
  const unsigned = await executeCompiled(em, selectUnsignedAgreements, { userId: id })
  if (unsigned.length > 0) throw new RetryErasure()
  if (!(await areCertified(em, records.agreements))) throw new RetryErasure()

  await anonymizeAgreements(em, now, id)
  await anonymizeProperties(em, now, id)
  await eraseRelatedRows(em, id, phone)
  anonymizeUser(user)
}

/** @throws BAD_REQUEST Agreements have to be terminated, or deposits settled, first. */
async function requireErasable(em: EntityManager, userId: number) {
  await requireNoOpenAgreements(em, userId)
  await requireNoHeldDeposits(em, userId)
}

/**
 * `lock_timeout` would begin anew with each transaction that holds the lock of the user: new ones that name the user
 * pass an erasure that waits.
 */
async function lockUserWithRecords(em: EntityManager, id: number) {
  const db = getKysely(em)
  await sql`set local statement_timeout = ${sql.lit(LOCKING_TIMEOUT)}`.execute(db)
  const records = await lockOwnRecords(em, id)
  const user = await em.findOne(User, { id, is_active: true }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  await sql`set local statement_timeout to default`.execute(db)
  return { user, records }
}

type OwnRecords = Awaited<ReturnType<typeof lockOwnRecords>>

/** Locks a user's records in the global order, to avoid deadlocks: property, unit, agreement, signature. */
async function lockOwnRecords(em: EntityManager, userId: number) {
  const db = getKysely(em)
  const own = selectOwnRecords(db, userId)
  const properties = await own.properties.forUpdate().execute()
  const units = await own.units.forUpdate().execute()
  const agreements = await own.agreements.forUpdate('a').execute()
  const agreementIds = agreements.map(({ id }) => id)
  await db
    .selectFrom('agreement_signatures as s')
    .where(e => e('s.agreement_id', '=', e.fn.any(e.val(agreementIds))))
    .select('s.id')
    .orderBy('s.id')
    .forUpdate()
    .execute()
  return { properties, units, agreements }
}

/** Once the user is locked no new record can name them, but one may have appeared before, unlocked. */
async function hasNewRecords(em: EntityManager, userId: number, locked: OwnRecords) {
  const own = selectOwnRecords(getKysely(em), userId)
  return (
    hasNewId(await own.properties.execute(), locked.properties) ||
    hasNewId(await own.units.execute(), locked.units) ||
    hasNewId(await own.agreements.execute(), locked.agreements)
  )
}

type Row = { id: number }

function hasNewId(rows: Row[], lockedRows: Row[]) {
  const lockedIds = new Set(lockedRows.map(({ id }) => id))
  return rows.some(({ id }) => !lockedIds.has(id))
}

function selectOwnRecords(db: Db, userId: number) {
  return {
    properties: db
      .selectFrom('properties as p')
      .where(isOwn('properties', 'p.id', toUserId(userId)))
      .select('p.id')
      .orderBy('p.id'),
    units: db
      .selectFrom('property_units as u')
      .where(isOwnOrManagedUnit('u.id', toUserId(userId)))
      .select('u.id')
      .orderBy('u.id'),
    agreements: db
      .selectFrom('agreements as a')
      .where(isPartyOrManager('a.id', toUserId(userId)))
      .select('a.id')
      .orderBy('a.id'),
  }
}
