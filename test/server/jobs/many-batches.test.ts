import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import type { Deps } from '../../../server/deps'
import { BATCH_SIZE } from '../../../server/jobs/leases'
import { reconcileKyc, reconcileWebhooks, storeDueDocuments } from '../../../server/jobs/reconcile'
import { clock, testServer } from '../../support/server'
import { createDraft, signInUser } from '../../support/users'

const HOUR_MS = 3_600_000
const COUNT = 2 * BATCH_SIZE + 1
const PROVIDER = 'sandbox'
const time = clock()
const server = testServer({ overrides: { now: time.now }, env: { SANDBOX_EKYC: 'manual' } })
const db = () => getKysely(server.em())
const hourAgo = () => new Date(time.now().getTime() - HOUR_MS)

const withSigning = (signing: Partial<Deps['signing']>): Deps => ({
  ...server.deps,
  signing: { ...server.deps.signing, ...signing },
})

test('a run processes more webhooks than two batches, each once', async () => {
  await sql`
    insert into webhook_deliveries (provider, digest, payload, next_attempt_at, created_at)
    select ${PROVIDER}, md5(n::text), '{}', ${time.now()}, ${hourAgo()} from generate_series(1, ${COUNT}) n`.execute(
    db(),
  )

  await reconcileWebhooks(server.deps)

  const deliveries = await db()
    .selectFrom('webhook_deliveries')
    .select(['attempts', 'outcome', 'next_attempt_at'])
    .execute()
  const processed = { attempts: 1, outcome: 'not understood', next_attempt_at: null }
  expect(deliveries).toEqual(Array.from({ length: COUNT }, () => processed))
})

test('a run stores the signed documents of more than two batches, each once', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  // Several requests of one party, of which at most one may be signed: so the others are over.
  await sql`
    insert into agreement_signatures (
      agreement_id, signer_id, signer_role, status, provider, provider_request_id, expires_at, signed_at,
      document_due_at
    )
    select ${agreement.id}, ${tenant.id}, 'TENANT', 'EXPIRED', ${PROVIDER}, n, ${time.now()}, ${hourAgo()},
      ${time.now()}
    from generate_series(1, ${COUNT}) n`.execute(db())
  const asked: string[] = []
  const download = async (requestId: string) => {
    asked.push(requestId)
    return Buffer.from(`%PDF-${requestId}`)
  }

  await storeDueDocuments(withSigning({ download }))

  expect([asked.length, new Set(asked).size]).toEqual([COUNT, COUNT])
  const { rows } = await sql<{ stored: number; due: number }>`
    select (select count(*)::int from signed_documents) as stored,
      (select count(*)::int from agreement_signatures where document_due_at is not null) as due`.execute(db())
  expect(rows).toEqual([{ stored: COUNT, due: 0 }])
})

test('a run checks the identities of more than two batches, each once', async () => {
  await sql`
    with person as (
      insert into users (phone) select 'batch ' || n from generate_series(1, ${COUNT}) n returning id
    )
    insert into kyc_requests (user_id, provider, provider_request_id, status, expires_at, created_at)
    select id, ${PROVIDER}, id, 'KYC_REQUESTED', ${new Date(time.now().getTime() + HOUR_MS)}, ${hourAgo()}
    from person`.execute(db())
  const asked: string[] = []
  const { kyc } = server.deps
  const status: typeof kyc.status = async requestId => {
    asked.push(requestId)
    return { status: 'KYC_REQUESTED' }
  }

  await reconcileKyc({ ...server.deps, kyc: { ...kyc, status } })

  expect([asked.length, new Set(asked).size]).toEqual([COUNT, COUNT])
})

test.each([
  [0, 'ERROR'],
  [1, 'KYC_REQUESTED'],
])('an identity check that expires in %d ms is %s', async (expiresInMs, status) => {
  const { id } = await signInUser(server)
  await sql`
    insert into kyc_requests (user_id, provider, provider_request_id, status, expires_at, created_at)
    values (
      ${id}, ${PROVIDER}, ${crypto.randomUUID()}, 'KYC_REQUESTED',
      ${new Date(time.now().getTime() + expiresInMs)}, ${hourAgo()}
    )`.execute(db())
  const { kyc } = server.deps
  const isOpen: typeof kyc.status = async () => ({ status: 'KYC_REQUESTED' })

  await reconcileKyc({ ...server.deps, kyc: { ...kyc, status: isOpen } })

  const request = db().selectFrom('kyc_requests').where('user_id', '=', id).select('status')
  expect(await request.executeTakeFirst()).toEqual({ status: status as 'ERROR' })
})
