import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { processCancellations } from '../../../server/agreements/signature-status'
import type { Deps } from '../../../server/deps'
import { reconcileSignatures, reconcileWebhooks, storeDueDocuments } from '../../../server/jobs/reconcile'
import { clock, testServer } from '../../support/server'
import { createDraft, signInUser } from '../../support/users'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './with-server'

const SECOND_MS = 1000
const PROVIDER = 'sandbox'
const time = clock()
const server = testServer({ overrides: { now: time.now } })
const db = () => getKysely(server.em())
const fromNow = (ms: number) => new Date(time.now().getTime() + ms)
const toDelayMs = (at: string | null) => at && new Date(at).getTime() - time.now().getTime()

/** The server's dependencies with a provider that does not answer, and a first check after `initialMs`. */
function createDeps(initialMs = 5 * MINUTE_MS): Deps {
  const fail = () => Promise.reject(new Error('down'))
  return {
    ...server.deps,
    config: { ...server.deps.config, RECONCILE_INITIAL_DELAY_MS: initialMs },
    signing: { ...server.deps.signing, status: fail, download: fail, cancel: fail },
  }
}

type Times = { ageMs: number; expiresInMs?: number; isSigned?: boolean }

/** An open request, or a signed one whose document is due. */
async function createSignature({ ageMs, expiresInMs = 100 * DAY_MS, isSigned = false }: Times) {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  const { id } = await db()
    .insertInto('agreement_signatures')
    .values({
      agreement_id: agreement.id,
      signer_id: tenant.id,
      signer_role: 'TENANT',
      status: isSigned ? 'SIGNED' : 'PENDING',
      provider: PROVIDER,
      provider_request_id: crypto.randomUUID(),
      created_at: fromNow(-ageMs),
      expires_at: fromNow(expiresInMs),
      signed_at: isSigned ? fromNow(-ageMs) : null,
      document_due_at: isSigned ? time.now() : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const getSignature = (id: number) =>
  db().selectFrom('agreement_signatures').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

describe('the next check of a signature', () => {
  const cases: [ageMs: number, expiresInMs: number, initialMs: number, delayMs: number | null][] = [
    [5 * MINUTE_MS - 1, DAY_MS, 5 * MINUTE_MS, null],
    [5 * MINUTE_MS, DAY_MS, 5 * MINUTE_MS, 5 * MINUTE_MS],
    [HOUR_MS, DAY_MS, 5 * MINUTE_MS, HOUR_MS],
    [2 * DAY_MS, HOUR_MS, 5 * MINUTE_MS, HOUR_MS],
    [2 * DAY_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 5 * MINUTE_MS],
    [2 * DAY_MS, 2 * MINUTE_MS, SECOND_MS, 2 * MINUTE_MS],
    [2 * DAY_MS, SECOND_MS, SECOND_MS, MINUTE_MS],
    [2 * DAY_MS, -HOUR_MS, SECOND_MS, MINUTE_MS],
  ]
  test.each(cases)(
    'of the age %d, which expires in %d ms',
    async (ageMs, expiresInMs, initialMs, delayMs) => {
      const id = await createSignature({ ageMs, expiresInMs })
      await reconcileSignatures(createDeps(initialMs))
      const { next_check_at } = await getSignature(id)
      expect(toDelayMs(next_check_at)).toBe(delayMs)
    },
  )
})

const doubled: [ageMs: number, delayMs: number][] = [
  [0, MINUTE_MS],
  [MINUTE_MS, MINUTE_MS],
  [MINUTE_MS + 1, MINUTE_MS + 1],
  [HOUR_MS, HOUR_MS],
]

test.each(doubled)('the download of a document that is %d ms old is tried again', async (ageMs, delayMs) => {
  const id = await createSignature({ ageMs, isSigned: true })
  await storeDueDocuments(createDeps())
  const { document_due_at } = await getSignature(id)
  expect(toDelayMs(document_due_at)).toBe(delayMs)
})

test.each(doubled)('a webhook that is %d ms old and fails is tried again', async (ageMs, delayMs) => {
  const { id } = await db()
    .insertInto('webhook_deliveries')
    .values({
      provider: 'no longer configured',
      digest: crypto.randomUUID(),
      payload: '{}',
      created_at: fromNow(-ageMs),
      next_attempt_at: time.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  await reconcileWebhooks(server.deps)

  const { next_attempt_at, attempts } = await db()
    .selectFrom('webhook_deliveries')
    .where('id', '=', id)
    .select(['next_attempt_at', 'attempts'])
    .executeTakeFirstOrThrow()
  expect([toDelayMs(next_attempt_at), attempts]).toEqual([delayMs, 1])
})

test.each(doubled)('a cancellation that is %d ms old and fails is tried again', async (ageMs, delayMs) => {
  const { agreement_id, provider_request_id } = await getSignature(await createSignature({ ageMs: 0 }))
  await sql`update agreement_signatures set status = 'EXPIRED' where provider_request_id = ${provider_request_id}`.execute(
    db(),
  )
  await db()
    .insertInto('signing_cancellations')
    .values({
      provider: PROVIDER,
      provider_request_id: provider_request_id!,
      agreement_id,
      created_at: fromNow(-ageMs),
      due_at: time.now(),
    })
    .execute()

  await processCancellations(createDeps(), agreement_id)

  const { due_at } = await db()
    .selectFrom('signing_cancellations')
    .where('agreement_id', '=', agreement_id)
    .select('due_at')
    .executeTakeFirstOrThrow()
  expect(toDelayMs(due_at)).toBe(delayMs)
})

test('what is due in a millisecond waits', async () => {
  const id = await createSignature({ ageMs: HOUR_MS, isSigned: true })
  await sql`update agreement_signatures set document_due_at = ${fromNow(1)} where id = ${id}`.execute(db())
  await storeDueDocuments(createDeps())
  const { document_due_at } = await getSignature(id)
  expect(toDelayMs(document_due_at)).toBe(1)
})

test.each([
  [0, 'EXPIRED'],
  [1, 'PENDING'],
])('a request that was never sent and expires in %d ms is %s', async (expiresInMs, status) => {
  const id = await createSignature({ ageMs: HOUR_MS, expiresInMs })
  await sql`update agreement_signatures set provider_request_id = null where id = ${id}`.execute(db())
  await reconcileSignatures(createDeps())
  expect((await getSignature(id)).status).toBe(status as 'PENDING')
})
