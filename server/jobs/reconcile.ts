import { sql } from 'kysely'
import { AgreementSignature, KycRequest } from '../../db/entities'
import { query } from '../../db/orm'
import { dueDocuments, keepDocument } from '../agreements/documents'
import { checkSignature } from '../agreements/sign'
import type { Deps } from '../deps'
import { checkKyc } from '../profile/service'
import { processDelivery } from '../webhooks/service'

const BATCH = 50
const DOCUMENTS = 20

/** Asks the provider about every open signature that is due. Whatever the webhooks did, in the end the provider's word is heard. */
export async function reconcileSignatures(deps: Deps) {
  for (const signature of await due(deps, 'agreement_signatures', deps.signing.name, sql`status = 'PENDING'`)) await settle(deps, 'a signature', signature.id, async () =>
    checkSignature(deps, await deps.orm.em.fork().findOneOrFail(AgreementSignature, signature.id)))
}

/** The same for identity checks. The sandbox's automatic ones wait for their user to come back. */
export async function reconcileKyc(deps: Deps) {
  if (deps.config.sandbox.kyc && deps.config.SANDBOX_EKYC === 'auto') return
  for (const request of await due(deps, 'kyc_requests', deps.kyc.name, sql`status in ('CREATED', 'KYC_REQUESTED')`)) await settle(deps, 'an identity check', request.id, async () =>
    checkKyc(deps, await deps.orm.em.fork().findOneOrFail(KycRequest, request.id)))
}

/** Deliveries that were stored but not acted upon, since something failed or we were stopped in between. */
export async function reconcileWebhooks(deps: Deps) {
  const left = await query(deps.orm.em.fork()).selectFrom('webhook_deliveries').select('id').where('processed_at', 'is', null)
    .where('next_attempt_at', '<=', deps.now().toISOString()).orderBy('next_attempt_at').limit(BATCH).execute()
  for (const { id } of left) await settle(deps, 'a webhook', id, () => processDelivery(deps, id))
}

/** Signed PDFs of active agreements that are not kept yet. */
export async function keepDocuments(deps: Deps) {
  for (const signature of await dueDocuments(deps, DOCUMENTS)) await settle(deps, 'a signed document', signature.id, () => keepDocument(deps, signature))
}

/**
 * Takes what is due by putting its next check off in the statement that finds it, so that no two instances take the same.
 * First after `RECONCILE_FIRST_MS`, then after as long again as it has been open, but soon after its time is over.
 */
async function due(deps: Deps, table: 'agreement_signatures' | 'kyc_requests', provider: string, open: ReturnType<typeof sql>) {
  const now = deps.now()
  const { rows } = await sql<{ id: number }>`
    update ${sql.table(table)} set next_check_at = ${now}::timestamptz + greatest(${deps.config.RECONCILE_FIRST_MS} * interval '1 millisecond', least(${now}::timestamptz - created_at, greatest(expires_at - ${now}::timestamptz, interval '1 minute')))
    where id in (select id from ${sql.table(table)} where ${open} and provider = ${provider} and coalesce(next_check_at, created_at + ${deps.config.RECONCILE_FIRST_MS} * interval '1 millisecond') <= ${now} order by id limit ${BATCH} for update skip locked)
    returning id`.execute(query(deps.orm.em.fork()))
  return rows
}

/** One that fails does not keep the others waiting; its own next check comes. */
async function settle({ log }: Deps, what: string, id: number, work: () => Promise<unknown>) {
  await work().catch(error => log.warn({ id, cause: error instanceof Error ? error.message : String(error) }, `The state of ${what} could not be settled; it is asked again later`))
}
