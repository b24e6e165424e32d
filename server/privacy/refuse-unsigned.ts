import { executeCompiled } from '../../db/compiled-queries'
import { SQL_TRUE, type Db } from '../../db/database'
import { declineUnsigned, syncOpenSignatures } from '../leases/signing/refusal'
import { changeAndCancel } from '../leases/signing/status'
import { terminateAgreement } from '../leases/agreements/withdrawal'
import type { Actor, Deps } from '../deps'
import { Fault } from '../faults'
import type { Change } from '../http/changes'
import { isPartyOrSigner, toUserId } from './ownership'

/**
 * Refuses what waits for a user's signature: as a tenant or manager they decline, as the landlord they withdraw
 * the agreement. Each is a transaction of its own; one that changed meanwhile is left to the next attempt.
 */
export async function refuseUnsigned(deps: Deps, actor: Actor) {
  await syncOpenSignatures(deps, actor.id)
  const change: Change = (service, ...args) =>
    deps.db.transactional(em => service({ ...deps, em, actor }, ...args))
  const agreements = await executeCompiled(deps.db, selectUnsignedAgreements, { userId: actor.id })
  for (const { id, landlord_id } of agreements) {
    if (landlord_id === actor.id) await withdraw(deps, change, id)
    else await changeAndCancel(deps, change, declineUnsigned, id)
  }
}

async function withdraw(deps: Deps, change: Change, id: number) {
  try {
    await changeAndCancel(deps, change, terminateAgreement, String(id), {})
  } catch (error) {
    if (!(error instanceof Fault)) throw error
  }
}

/** Selects the pending agreements that a user has neither signed nor declined. */
export function selectUnsignedAgreements(db: Db, { userId }: { userId: number }) {
  return db
    .selectFrom('agreements as a')
    .where(isPartyOrSigner('a.id', toUserId(userId)))
    .where('a.status', '=', 'PENDING')
    .where('a.is_active', '=', SQL_TRUE)
    .where(e => {
      const own = e
        .selectFrom('agreement_signatures as s')
        .where('s.agreement_id', '=', e.ref('a.id'))
        .where('s.signer_id', '=', userId)
        .select('s.id')
      const tenancy = e
        .selectFrom('agreement_tenants as t')
        .where('t.agreement_id', '=', e.ref('a.id'))
        .where('t.tenant_id', '=', userId)
        .select('t.id')
      const hasToDecide = e.and([e.exists(tenancy), e.not(e.exists(own.where('s.status', '=', 'DECLINED')))])
      return e.and([
        e.not(e.exists(own.where('s.status', '=', 'SIGNED'))),
        e.or([e('a.landlord_id', '=', userId), e.exists(own.where('s.status', '=', 'PENDING')), hasToDecide]),
      ])
    })
    .orderBy('a.id')
    .select(['a.id', 'a.landlord_id'])
}
