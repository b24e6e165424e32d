import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../../db/database'
import type { AgreementSignature } from '../../../db/entities'
import type { Deps, Tx } from '../../deps'
import { listSigningProviderNames } from '../../providers/signing/lookup'

/** The outbox of requests that are over for us, until the provider has cancelled them. */
export type Cancellation = { provider: string; provider_request_id: string; agreement_id: number }

export const CANCELLATION_BATCH_SIZE = 20

export async function enqueueCancellation(of: EntityManager | Database, now: Date, request: Cancellation) {
  await executeCompiled(of, insertCancellation, { ...request, now })
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
    const { provider, provider_request_id, agreement_id } = signature
    if (provider_request_id)
      await enqueueCancellation(em, now(), { provider, provider_request_id, agreement_id })
  }
}

/** Leases due cancellations, of one agreement or of all. The older one is, the later it is tried again. */
export function leaseDueCancellations(deps: Deps, agreementId?: number) {
  const providers = listSigningProviderNames(deps)
  return executeCompiled(deps.db, updateDueCancellations, { providers, now: deps.now(), agreementId })
}

type DueCancellations = { providers: string[]; now: Date; agreementId?: number }

function updateDueCancellations(db: Db, { providers, now, agreementId }: DueCancellations) {
  const age = sql`${now}::timestamptz - created_at`
  const due = db
    .selectFrom('signing_cancellations')
    .where(sql<boolean>`provider = any(${providers}::text[])`)
    .where('due_at', '<=', sql<string>`${now}`)
    .$if(agreementId !== undefined, query => query.where('agreement_id', '=', agreementId!))
    .orderBy('due_at')
    .limit(CANCELLATION_BATCH_SIZE)
    .select(['provider', 'provider_request_id'])
    .forUpdate()
    .skipLocked()
  return db
    .updateTable('signing_cancellations')
    .set({ due_at: sql`${now}::timestamptz + greatest(interval '1 minute', ${age})` })
    .where(e =>
      e(e.refTuple('provider', 'provider_request_id'), 'in', due.$asTuple('provider', 'provider_request_id')),
    )
    .returning(['provider', 'provider_request_id', 'agreement_id'])
}

export async function deleteCancellation(deps: Deps, { provider, provider_request_id }: Cancellation) {
  await executeCompiled(deps.db, deleteRequest, { provider, provider_request_id })
}

function deleteRequest(db: Db, request: Omit<Cancellation, 'agreement_id'>) {
  return db
    .deleteFrom('signing_cancellations')
    .where('provider', '=', request.provider)
    .where('provider_request_id', '=', request.provider_request_id)
}
