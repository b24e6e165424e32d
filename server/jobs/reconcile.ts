import { sql } from 'kysely'
import { AgreementSignature, KycRequest } from '../../db/entities'
import { query } from '../../db/orm'
import { records } from '../../db/records'
import { leaseDueDocuments, storeSignedDocument } from '../agreements/signed-documents'
import { reconcileSignature } from '../agreements/signing'
import type { Deps } from '../deps'
import { reconcileKycRequest } from '../profile/kyc'
import { processDelivery } from '../webhooks/service'

export const BATCH_SIZE = 50
const AT_ONCE = 5

/** Asks the provider about every open signature that is due, and about those that ended otherwise while their agreement waits. Whatever the webhooks did, in the end the provider's word is heard. */
export const reconcileSignatures = (deps: Deps) =>
  processInBatches(
    deps,
    'a signature',
    () =>
      leaseDueRows(
        deps,
        'agreement_signatures',
        deps.signing.name,
        sql`(status = 'PENDING' or status in ('DECLINED', 'EXPIRED') and provider_request_id is not null and agreement_id in (select id from agreements where status = 'PENDING'))`,
      ),
    async id => reconcileSignature(deps, await records(deps.orm).findOneOrFail(AgreementSignature, { id })),
  )

/** The same for identity checks. The sandbox's automatic ones wait for their user to come back. */
export async function reconcileKyc(deps: Deps) {
  if (deps.config.sandbox.kyc && deps.config.SANDBOX_EKYC === 'auto') return
  await processInBatches(
    deps,
    'an identity check',
    () => leaseDueRows(deps, 'kyc_requests', deps.kyc.name, sql`status in ('CREATED', 'KYC_REQUESTED')`),
    async id => reconcileKycRequest(deps, await records(deps.orm).findOneOrFail(KycRequest, { id })),
  )
}

/** Deliveries that were stored but not acted upon, since something failed or we were stopped in between. */
export const reconcileWebhooks = (deps: Deps) =>
  processInBatches(
    deps,
    'a webhook',
    async () => {
      const now = deps.now()
      const { rows } = await sql<{ id: number }>`
    update webhook_deliveries set next_attempt_at = ${now}::timestamptz + greatest(interval '1 minute', ${now}::timestamptz - created_at)
    where id in (select id from webhook_deliveries where processed_at is null and next_attempt_at <= ${now} order by next_attempt_at limit ${BATCH_SIZE} for update skip locked) returning id`.execute(
        query(deps.orm),
      )
      return rows
    },
    id => processDelivery(deps, id),
  )

/** Signed PDFs of active agreements that are not kept yet. */
export const storeDueDocuments = (deps: Deps) =>
  processInBatches(
    deps,
    'a signed document',
    () => leaseDueDocuments(deps, BATCH_SIZE),
    async id => storeSignedDocument(deps, await records(deps.orm).findOneOrFail(AgreementSignature, { id })),
  )

/**
 * Takes what is due by putting its next check off in the statement that finds it, so that no two instances take the same.
 * First after `RECONCILE_INITIAL_DELAY_MS`, then after as long again as it has been open, but soon after its time is over.
 */
async function leaseDueRows(
  deps: Deps,
  table: 'agreement_signatures' | 'kyc_requests',
  provider: string,
  open: ReturnType<typeof sql>,
) {
  const now = deps.now()
  const first = sql`${deps.config.RECONCILE_INITIAL_DELAY_MS} * interval '1 millisecond'`
  const { rows } = await sql<{ id: number }>`
    update ${sql.table(table)} set next_check_at = ${now}::timestamptz + greatest(${first}, least(${now}::timestamptz - created_at, greatest(expires_at - ${now}::timestamptz, interval '1 minute')))
    where id in (select id from ${sql.table(table)} where ${open} and provider = ${provider} and coalesce(next_check_at, created_at + ${first}) <= ${now} order by id limit ${BATCH_SIZE} for update skip locked)
    returning id`.execute(query(deps.orm))
  return rows
}

/** Takes batch after batch until nothing is due, a few at a time. One that fails does not keep the others waiting; its own next check comes. */
export async function processInBatches(
  { log }: Deps,
  what: string,
  take: () => Promise<{ id: number }[]>,
  work: (id: number) => Promise<unknown>,
) {
  for (let taken = await take(); taken.length; taken = taken.length < BATCH_SIZE ? [] : await take()) {
    const left = taken.map(({ id }) => id)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let id = left.shift(); id !== undefined; id = left.shift()) {
          await work(id).catch(error =>
            log.warn(
              { id, err: error },
              `The state of ${what} could not be settled; it is asked again later`,
            ),
          )
        }
      }),
    )
  }
}
