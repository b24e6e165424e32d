import { executeCompiled } from '../../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../../db/database'
import type { AgreementSignature } from '../../../db/entities'
import type { Tx } from '../../deps'

/** The outbox of requests that are over for us, until the provider has cancelled them. */
type Cancellation = { provider: string; provider_request_id: string; agreement_id: number }
type Signature = Pick<AgreementSignature, 'provider' | 'provider_request_id' | 'agreement_id'>

/** Enqueues the cancellation of a signature's request, if it has one. */
export async function enqueueCancellation(of: EntityManager | Database, now: Date, signature: Signature) {
  const { provider, provider_request_id, agreement_id } = signature
  if (!provider_request_id) return
  await executeCompiled(of, insertCancellation, { provider, provider_request_id, agreement_id, now })
}

function insertCancellation(db: Db, { now, ...request }: Cancellation & { now: Date }) {
  return db
    .insertInto('signing_cancellations')
    .values({ ...request, due_at: now, created_at: now })
    .onConflict(conflict => conflict.columns(['provider', 'provider_request_id']).doNothing())
}

/** Ends open signatures and enqueues the cancellation of their requests; the caller flushes. */
export async function expireSignatures({ em, now }: Pick<Tx, 'em' | 'now'>, open: AgreementSignature[]) {
  for (const signature of open) {
    signature.status = 'EXPIRED'
    signature.next_reminder_at = null
    await enqueueCancellation(em, now(), signature)
  }
}
