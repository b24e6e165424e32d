import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../../db/database'
import type { AgreementSignature } from '../../../db/entities'
import type { Deps, Tx } from '../../deps'
import { doubleDelay, claimRows } from '../../domain/due-rows'
import { listSigningProviderNames } from '../../providers/signing/lookup'

/** The outbox of requests that are over for us, until the provider has cancelled them. */
type Cancellation = { provider: string; provider_request_id: string; agreement_id: number }

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

/** Claims due cancellations of configured providers, of one agreement or of all. */
export function claimDueCancellations(deps: Deps, agreementId?: number) {
  const now = deps.now()
  const isOfAgreement = agreementId === undefined ? sql`true` : sql`agreement_id = ${agreementId}`
  return claimRows(deps, {
    table: 'signing_cancellations',
    dueColumn: 'due_at',
    nextAttempt: doubleDelay(now, 'created_at'),
    isDue: sql`provider in (${sql.join(listSigningProviderNames(deps))}) and due_at <= ${now} and ${isOfAgreement}`,
  })
}
