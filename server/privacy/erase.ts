import type { EraseInput } from '@kiraya/sdk/contract'
import { getSqlState } from '../../db/database-errors'
import { setQueryTime } from '../../db/deadlines'
import { User } from '../../db/entities'
import { consumeOtp } from '../accounts/auth/otp'
import type { Actor, Deps, Tx } from '../deps'
import { toIndianDate } from '../domain/dates'
import { refuse } from '../errors'
import { deleteUnusedFiles } from '../files/files'
import { getClientNetwork } from '../http/limits/client-ip'
import { loadLockedAgreement, lockAgreementById } from '../leases/access'
import { storeEvidence } from '../leases/evidence/service'
import { terminateLocked } from '../leases/agreements/withdrawal'
import { declineUnsigned, syncOpenSignatures } from '../leases/signing/refusal'
import type { Ending } from '../leases/signing/endings'
import { tryCancelNow } from '../leases/signing/sync'
import { results } from '../messages/results'
import { anonymizeRecords, anonymizeUser } from './anonymize'
import { hasNewRecords, lockUserWithRecords, type LockedRecords } from './lock-records'
import { findWithoutCertificate, requireNothingOpen } from './open-records'
import { MAX_QUERY_MS } from './ownership'

/** A deadlock, and a statement that took too long. */
const CONTENDED = new Set(['40P01', '57014'])
const ERASED = { message: results.account_erased }

type Ended = NonNullable<Ending<unknown>['ended']>

/**
 * Erases a user for good, in one transaction: credentials, names and texts. Signed agreements stay as
 * evidence, with their certificates, under an id without a name. What the user has not signed is declined or
 * withdrawn. Unless the user is erased, a right OTP stays valid.
 * @throws UNAUTHORIZED The OTP is wrong or has expired.
 * @throws BAD_REQUEST Agreements have to be terminated, deposits settled, or certificates stored, first.
 * @throws SERVICE_UNAVAILABLE Others change the user's records.
 */
export async function eraseUser(deps: Deps, actor: Actor, { otp }: EraseInput) {
  await syncOpenSignatures(deps, actor.id)
  await storeMissingEvidence(deps, actor.id)
  setQueryTime(MAX_QUERY_MS)
  const ended = await tryErase(deps, actor, otp)

  const auditFields = { user: actor.id, network: getClientNetwork() }
  if (!ended) {
    // A parallel erasure used the OTP.
    if (!(await isActive(deps, actor))) return ERASED
    deps.log.audit('erasure_refused', auditFields)
    throw refuse('wrong_otp')
  }
  deps.log.audit('user_erased', auditFields)
  for (const [event, fields] of ended) deps.log.audit(event, fields)
  await Promise.all(ended.map(([, { agreement }]) => tryCancelNow(deps, agreement)))
  return ERASED
}

/** Stores the certificates without which the erasure is refused; a job tries those again that fail. */
async function storeMissingEvidence(deps: Deps, userId: number) {
  for (const { id } of await findWithoutCertificate(deps.db.fork(), userId)) {
    try {
      await storeEvidence(deps, id)
    } catch (error) {
      deps.log.warn({ err: error, agreement: id }, 'A certificate could not be stored before an erasure')
      return
    }
  }
}

async function isActive(deps: Deps, { id }: Actor) {
  return (await deps.db.fork().count(User, { id, is_active: true })) > 0
}

/** Returns what the erasure ended; undefined if the OTP is wrong. */
async function tryErase(deps: Deps, actor: Actor, otp: string): Promise<Ended[] | undefined> {
  try {
    return await deps.db.transactional(async em => {
      // A wrong attempt must stay counted, and an error would roll it back.
      const isRightOtp = await consumeOtp(deps, em, { phone: actor.phone, otp })
      return isRightOtp ? await eraseConfirmed({ ...deps, em, actor }) : undefined
    })
  } catch (error) {
    if (!CONTENDED.has(getSqlState(error) ?? '')) throw error
    throw refuse('erasure_contended', {}, { cause: error })
  }
}

/** Does nothing if another request has erased the user. */
async function eraseConfirmed(tx: Tx): Promise<Ended[]> {
  const { em, actor } = tx
  const { id } = actor
  // Checked before the locks, so that a refused erasure blocks no one, and again once the records cannot change.
  await requireNothingOpen(em, id)
  const { user, records } = await lockUserWithRecords(em, id)
  if (!user) return []
  if (await hasNewRecords(em, id, records)) throw refuse('erasure_contended')
  await requireNothingOpen(em, id)

  const ended = await refuseUnsigned(tx, records.agreements)
  await anonymizeRecords(em, tx.now(), actor)
  await deleteUnusedFiles(tx, id)
  anonymizeUser(user)
  return ended
}

/** Refuses what waits for the user's signature: the landlord withdraws it, a tenant or manager declines. */
async function refuseUnsigned(tx: Tx, agreements: LockedRecords['agreements']): Promise<Ended[]> {
  const ended: Ended[] = []
  for (const { id, landlord_id, status, is_active } of agreements) {
    if (status !== 'PENDING' || !is_active) continue
    const end = landlord_id === tx.actor.id ? await withdraw(tx, id) : (await declineUnsigned(tx, id)).ended
    if (end) ended.push(end)
  }
  return ended
}

async function withdraw(tx: Tx, agreementId: number) {
  const locked = await loadLockedAgreement(tx.em, await lockAgreementById(tx.em, agreementId))
  return terminateLocked(tx, locked, { date: toIndianDate(tx.now()), reason: null })
}
