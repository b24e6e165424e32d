import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { processCancellations } from '../../../../server/leases/signing/sync'
import { interrupt, lockRow } from '../../../support/locks'
import { waitUntil } from '../../../support/round'
import { clock } from '../../../support/server'
import { insertSignature } from '../../../support/signatures'
import { enveloped } from '../../http/forms'
import { start } from './provider'
import { signingServer } from './signing-fixtures'

const time = clock()
const signing = signingServer({
  constants: { PROVIDER_RETRIES: 0, PROVIDER_BREAKER_FAILURES: 1000 },
  overrides: { now: time.now },
})
const { provider, server, tell, deliver, signs, signsAt, createPending } = signing
const { createSimpleDraft, createManagedDraft, getSignatures, getStatus, findRecords } = signing

/** The id of a request that is stored already. */
const TAKEN_ID = 'taken'
const failed = () => new Response(null, { status: 500 })

const reply = (request: Record<string, unknown>, signer: Record<string, unknown> = {}) =>
  Response.json({
    id: crypto.randomUUID(),
    status: 'sign_initiated',
    signers: [{ id: 's', status: 'pending', url: 'https://sign.example.com/x', ...signer }],
    ...request,
  })

describe('503: a start whose response cannot be used: the provider', () => {
  beforeAll(async () => {
    const { tenant, agreement } = await createSimpleDraft()
    const request = { provider: 'setu', provider_request_id: TAKEN_ID }
    await insertSignature(server.db, agreement, tenant, request)
  })

  test.each<[string, () => Response]>([
    ['names no signer', () => reply({ signers: [] })],
    ['gives no address', () => reply({}, { url: undefined })],
    ['gives an empty address', () => reply({}, { url: '' })],
    ['gives an address outside the web', () => reply({}, { url: 'javascript:alert(1)' })],
    ['gives ids that no column holds', () => reply({ id: 'x'.repeat(300) })],
    ["gives a signer's id that no column holds", () => reply({}, { id: 's'.repeat(300) })],
    ['sends a NUL', () => reply({ id: 'x\0' }, { url: 'https://sign.example.com/\0' })],
    ['gives an end that no calendar has', () => reply({ validUpto: '+275760-01-01T00:00:00Z' })],
    ['gives the id of another request', () => reply({ id: TAKEN_ID })],
  ])('%s; the agreement is unchanged, and a later start succeeds', async (_, create) => {
    const { owner, tenant, agreement, path } = await createSimpleDraft()
    provider.replies.create = create

    const { status, body } = await start(owner, agreement, tenant)

    expect([status, body]).toEqual([503, enveloped(503)])
    expect((await owner.get(path)).data).toEqual(agreement)
    expect(await getSignatures(owner, agreement)).toEqual({ signatures: [], allSigned: false })
    delete provider.replies.create
    expect((await start(owner, agreement, tenant)).status).toBe(200)
  })
})

test('a request that follows one that the provider never got is sent, and not reissued', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  provider.replies.create = failed
  expect((await start(owner, agreement, tenant)).status).toBe(503)
  delete provider.replies.create

  expect((await start(owner, agreement, tenant)).status).toBe(200)

  expect(await signing.listEntryTypes(owner, agreement)).toEqual(['created', 'sent'])
})

test('503: a signature whose request failed ends once no other change of the agreement is under way', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const listStatuses = async () => (await findRecords(agreement)).map(({ status }) => status)
  const [asked, failure] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()]
  provider.replies.create = () => {
    asked.resolve()
    return failure.promise
  }
  const started = start(owner, agreement, tenant)
  await asked.promise

  let meanwhile: string[] = []
  const response = await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => {
      failure.resolve(failed())
      return started
    },
    meanwhile: async () => void (meanwhile = await listStatuses()),
  })

  expect(meanwhile).toEqual(['PENDING'])
  expect(response.status).toBe(503)
  expect(await listStatuses()).toEqual(['EXPIRED'])
})

/** Since when a statement waits for a lock. */
async function findLockedSince() {
  const { rows } = await sql<{ since: string }>`
    select query_start::text as since from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
  return rows[0]?.since
}

/** A request that the provider stored although its response was an error. */
function createOrphan(phone: string) {
  const { documentId } = provider.creates().at(-1)!.body
  const orphan = {
    id: `orphan-${documentId}`,
    documentId,
    signer: { identifier: phone, displayName: '' },
    status: 'sign_initiated',
    signerStatus: 'pending',
    errCode: null,
    cancelled: false,
  }
  provider.kept.set(orphan.id, orphan)
  return orphan
}

describe('a request whose response was lost', () => {
  test('is cancelled when its webhook comes, which names the documentId', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    let orphan: ReturnType<typeof createOrphan>
    provider.replies.create = () => {
      orphan = createOrphan(tenant.phone)
      return failed()
    }
    expect((await start(owner, agreement, tenant)).status).toBe(503)
    const webhook = provider.news('ESIGN_REQUEST_CREATED', orphan!)
    expect((await deliver(webhook)).status).toBe(200)
    expect(orphan!.cancelled).toBe(true)
    expect(await getStatus(owner, agreement)).toBe('DRAFT')
    const webhooks = server.db.selectFrom('received_webhooks')
    const stored = webhooks.where('request_id', '=', orphan!.id).select(['outcome', 'last_error'])
    expect(await stored.execute()).toEqual([{ outcome: 'orphan cancelled', last_error: null }])
  })

  test('is cancelled after the failed start, even if its webhook comes earlier', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    let orphan: ReturnType<typeof createOrphan>
    provider.replies.create = async () => {
      orphan = createOrphan(tenant.phone)
      const webhook = provider.news('ESIGN_REQUEST_CREATED', orphan)
      expect((await deliver(webhook)).status).toBe(200)
      return failed()
    }
    expect((await start(owner, agreement, tenant)).status).toBe(503)
    expect(orphan!.cancelled).toBe(true)
  })

  test('is cancelled also if a repeated request succeeded', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    const { data } = await start(owner, agreement, tenant)
    const real = provider.of(data.signature_id)
    const twin = { ...real, id: `twin-${real.id}` }
    provider.kept.set(twin.id, twin)
    const completion = { signerStatus: 'signed', status: 'sign_complete' }
    await tell('ESIGN_COMPLETE', twin, completion)
    expect([twin.cancelled, real.cancelled]).toEqual([true, false])
    expect((await getSignatures(owner, agreement)).signatures).toMatchObject([{ status: 'pending' }])
  })

  test('is replaced when the lease of a stopped server has expired', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    await insertSignature(server.db, agreement, tenant, { provider: 'setu', expires_at: time.now() })
    expect((await start(owner, agreement, tenant)).status).toBe(200)
    expect((await getSignatures(owner, agreement)).signatures).toHaveLength(1)
  })
})

test('a request is cancelled if storing the response takes the time that the request has for the database', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const [asked, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { DATABASE_TIMEOUT_MS } = server.deps.config
  Object.assign(server.deps.config, { DATABASE_TIMEOUT_MS: 1500 })
  provider.replies.after = ({ body }) => {
    if (body) asked.resolve()
    return body && stored.promise
  }
  const started = start(owner, agreement, tenant)
  await asked.promise
  const { documentId } = provider.creates().at(-1)!.body

  const response = await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => {
      stored.resolve()
      return started
    },
    meanwhile: async () => {
      const waitsSince = await findLockedSince()
      const isNext = async () => {
        const since = await findLockedSince()
        return since !== undefined && since !== waitsSince
      }
      await waitUntil(isNext, 'the statement after the one that took too long')
    },
  })

  Object.assign(server.deps.config, { DATABASE_TIMEOUT_MS })
  expect(response.status).toBe(503)
  expect(provider.of(documentId).cancelled).toBe(true)
})

test('an agreement is ACTIVE though a spare signature cannot be cancelled at the provider', async () => {
  const { owner, manager, tenant, second, agreement } = await createManagedDraft()
  await start(owner, agreement, manager)
  provider.replies.cancel = failed
  for (const signer of [owner, tenant, second]) await signs(owner, agreement, signer)
  expect(await getStatus(owner, agreement)).toBe('ACTIVE')
})

// What a party does at the provider counts, however late Kiraya hears of it.

test('a party who signs while the provider refuses a cancellation has signed', async () => {
  const { id, cancel, status } = await createPending()
  provider.completes(id)
  const error = { code: 'document_already_signed', detail: 'x', traceId: 'x' }
  provider.replies.cancel = () => Response.json({ error }, { status: 400 })
  expect([(await cancel()).status, await status()]).toEqual([200, 'ACTIVE'])
})

test.each([['ESIGN_FAILED'], ['ESIGN_EXPIRED']])(
  'an agreement becomes ACTIVE when a stale %s comes in place of the last completion',
  async event => {
    const { id, request, status } = await createPending()
    const stale = provider.news(event, request)
    provider.completes(id)
    expect((await deliver(stale)).status).toBe(200)
    expect(await status()).toBe('ACTIVE')
  },
)

test('an agreement becomes ACTIVE when it is signed before its cancellation reaches the provider', async () => {
  const { agreement, id, cancel, status } = await createPending()
  provider.replies.cancel = failed
  await cancel()
  delete provider.replies.cancel
  provider.completes(id)
  const cancellations = server.db.updateTable('signing_cancellations')
  await cancellations
    .set({ due_at: new Date(0) })
    .where('agreement_id', '=', agreement.id)
    .execute()
  await processCancellations(server.deps)
  expect([await status(), provider.of(id).cancelled]).toEqual(['ACTIVE', false])
})

test('an agreement becomes ACTIVE once, when one party signs two requests', async () => {
  const { owner, tenant, agreement, id, cancel, status } = await createPending()
  provider.replies.cancel = failed
  await cancel()
  await signs(owner, agreement, tenant)
  expect(await status()).toBe('ACTIVE')
  expect((await signsAt(id)).status).toBe(200)
  const { signatures } = await getSignatures(owner, agreement)
  expect(signatures).toMatchObject([{ status: 'signed' }, { status: 'signed' }])
})
