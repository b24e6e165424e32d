import type { Deps } from '../../../server/deps'
import type { TestServer } from '../../support/server'
import { insertSignature } from '../../support/signatures'
import { createDraft, signInUser } from '../../support/users'
import { DAY_MS } from './durations'
import { toTimestamps } from '../../support/timestamps'

type SignatureStatus = 'PENDING' | 'SIGNED' | 'DECLINED' | 'EXPIRED'
type AgreementStatus = 'PENDING' | 'ACTIVE' | 'TERMINATED'
type Changes = {
  status?: SignatureStatus
  agreementStatus?: AgreementStatus
  requestId?: string | null
  provider?: string
  ageMs?: number
  expiresInMs?: number
  evidenceDueInMs?: number
}

/** Rows that jobs of a server find due, and the provider that they ask. */
export const createDueRows = (server: TestServer, now: () => Date) => {
  const db = () => server.db
  const fromNow = (ms: number) => new Date(now().getTime() + ms)

  /** A tenant's signature, asked for a day ago unless another age is given. */
  async function createSignature(changes: Changes = {}) {
    const { status = 'PENDING', agreementStatus, ageMs = DAY_MS, evidenceDueInMs } = changes
    const { requestId = crypto.randomUUID(), provider = 'sandbox', expiresInMs = 100 * DAY_MS } = changes
    const [owner, tenant] = [await signInUser(server), await signInUser(server)]
    const { agreement } = await createDraft(owner, [tenant])
    const change = db().updateTable('agreements').where('id', '=', agreement.id)
    if (agreementStatus) await change.set({ status: agreementStatus }).execute()
    if (evidenceDueInMs !== undefined)
      await change.set({ evidence_due_at: fromNow(evidenceDueInMs), updated_at: fromNow(-ageMs) }).execute()
    const { id } = await insertSignature(db(), agreement, tenant, {
      status,
      provider,
      provider_request_id: requestId,
      ...toTimestamps(fromNow(-ageMs)),
      expires_at: fromNow(expiresInMs),
      signed_at: status === 'SIGNED' ? fromNow(-ageMs) : null,
    })
    return { id, requestId: requestId!, agreementId: agreement.id as number }
  }

  /** A request that is to be cancelled in so many milliseconds. */
  async function createCancellation({ dueInMs = 0, ageMs = DAY_MS, provider = 'sandbox' } = {}) {
    const signature = await createSignature({ status: 'EXPIRED' })
    const { requestId, agreementId } = signature
    await db()
      .insertInto('signing_cancellations')
      .values({
        provider,
        provider_request_id: requestId,
        agreement_id: agreementId,
        due_at: fromNow(dueInMs),
        created_at: fromNow(-ageMs),
      })
      .execute()
    return signature
  }

  const selectSignature = (id: number) =>
    db().selectFrom('agreement_signatures').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

  const selectCancellation = (requestId: string) =>
    db()
      .selectFrom('signing_cancellations')
      .where('provider_request_id', '=', requestId)
      .select('due_at')
      .executeTakeFirst()

  const withSigning = (signing: Partial<Deps['signing']>): Deps => ({
    ...server.deps,
    signing: { ...server.deps.signing, ...signing },
  })

  const toDelayMs = (at: string | null) => at && new Date(at).getTime() - now().getTime()

  return { createSignature, createCancellation, selectSignature, selectCancellation, withSigning, toDelayMs }
}

export async function selectEvidenceDue(server: TestServer, agreementId: number) {
  const agreement = server.db.selectFrom('agreements').where('id', '=', agreementId)
  const { evidence_due_at } = await agreement.select('evidence_due_at').executeTakeFirstOrThrow()
  return evidence_due_at
}
