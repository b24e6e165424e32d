import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { processCancellations } from '../../../../server/agreements/signature-status'
import { reconcileSignatures } from '../../../../server/jobs/reconcile'
import { clock, testServer } from '../../../support/server'
import { createDraft, createManager, createTenant, signInUser } from '../../../support/users'
import { enveloped } from '../../http/forms'
import { signingProvider, signs, signsAt, start } from './provider'
import { hurriedInstance, problem, providerFailures, slowFailures } from './provider-failures'

const provider = signingProvider()
const time = clock()
const server = testServer({
  env: {
    ...provider.env,
    PROVIDER_TIMEOUT_MS: '10000',
    PROVIDER_TOTAL_TIMEOUT_MS: '20000',
    PROVIDER_RETRIES: '0',
  },
  overrides: { now: time.now },
})
const hurried = hurriedInstance(server, provider.env)

async function createDraftOfTwo() {
  const landlord = await signInUser(server)
  const tenant = await createTenant(server)
  const draft = await createDraft(landlord, [tenant])
  const getStatus = async () => (await landlord.get(draft.path)).data.status as string
  const listSignatures = async () => (await landlord.get(`${draft.path}/signatures`)).data.signatures
  return { landlord, tenant, ...draft, getStatus, listSignatures }
}

/** The landlord has signed, the tenant has been asked to; `signature_id` is the tenant's. */
async function createAlmostSigned() {
  const draft = await createDraftOfTwo()
  const { landlord, tenant, agreement } = draft
  await signs(provider, server.url, landlord, agreement, landlord)
  const { data } = await start(landlord, agreement, tenant)
  return { ...draft, signature_id: data.signature_id as string }
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
const isCancelled = (requestId: string) => provider.kept.get(requestId)!.cancelled

describe('a request whose response was lost', () => {
  test('is cancelled when its webhook comes, which names the documentId', async () => {
    const { landlord, tenant, agreement, getStatus } = await createDraftOfTwo()
    let orphan: ReturnType<typeof createOrphan>
    provider.replies.create = () => {
      orphan = createOrphan(tenant.phone)
      return new Response(null, { status: 500 })
    }
    expect((await start(landlord, agreement, tenant)).status).toBe(503)
    const webhook = provider.news('ESIGN_REQUEST_CREATED', orphan!)
    expect((await provider.webhook(server.url, webhook)).status).toBe(200)
    expect(isCancelled(orphan!.id)).toBe(true)
    expect(await getStatus()).toBe('DRAFT')
    const delivery = getKysely(server.em())
      .selectFrom('webhook_deliveries')
      .where('request_id', '=', orphan!.id)
    expect(await delivery.select(['outcome', 'last_error']).execute()).toEqual([
      { outcome: 'orphan cancelled', last_error: null },
    ])
  })

  test('is cancelled also if a repeated request succeeded', async () => {
    const { landlord, tenant, agreement, listSignatures } = await createDraftOfTwo()
    const { data } = await start(landlord, agreement, tenant)
    const real = provider.of(data.signature_id)
    const twin = { ...real, id: `twin-${real.id}` }
    provider.kept.set(twin.id, twin)
    const completion = { signerStatus: 'signed', status: 'sign_complete' }
    await provider.webhook(server.url, provider.news('ESIGN_COMPLETE', twin, completion))
    expect([isCancelled(twin.id), isCancelled(real.id)]).toEqual([true, false])
    expect(await listSignatures()).toMatchObject([{ status: 'pending' }])
  })

  test('is replaced when the lease of a stopped server has expired', async () => {
    const { landlord, tenant, agreement, listSignatures } = await createDraftOfTwo()
    const lease = {
      agreement_id: agreement.id,
      signer_id: tenant.id,
      signer_role: 'TENANT' as const,
      provider: 'setu',
      expires_at: time.now(),
    }
    await getKysely(server.em()).insertInto('agreement_signatures').values(lease).execute()
    expect((await start(landlord, agreement, tenant)).status).toBe(200)
    expect(await listSignatures()).toHaveLength(1)
  })

  test('is cancelled after the failed start, even if its webhook comes earlier', async () => {
    const { landlord, tenant, agreement } = await createDraftOfTwo()
    let orphan: ReturnType<typeof createOrphan>
    provider.replies.create = async () => {
      orphan = createOrphan(tenant.phone)
      const webhook = provider.news('ESIGN_REQUEST_CREATED', orphan)
      expect((await provider.webhook(server.url, webhook)).status).toBe(200)
      return new Response('x', { status: 500 })
    }
    expect((await start(landlord, agreement, tenant)).status).toBe(503)
    expect(isCancelled(orphan!.id)).toBe(true)
  })
})

const readFailures = {
  fails: providerFailures.fails,
  'does not know': providerFailures['does not know'],
  'answers with HTML': providerFailures['answers with HTML'],
  'names no signer': providerFailures['names no signer'],
  'does not answer in time': slowFailures['does not answer in time'],
}
test.each(Object.entries(readFailures))(
  '503: a webhook of a completion when the provider %s at the reading back changes nothing, and the next counts',
  async (name, fail) => {
    const { signature_id, getStatus } = await createAlmostSigned()
    const { url } = name in slowFailures ? hurried : server
    provider.replies.read = fail
    const { status, body } = await signsAt(provider, url, signature_id)
    expect([status, body]).toEqual([503, enveloped(503)])
    expect(await getStatus()).toBe('PENDING')
    delete provider.replies.read
    expect((await signsAt(provider, server.url, signature_id)).status).toBe(200)
    expect(await getStatus()).toBe('ACTIVE')
  },
)

test('an agreement is ACTIVE though a spare signature cannot be cancelled at the provider', async () => {
  const { landlord, tenant, property, unit, agreement, getStatus } = await createDraftOfTwo()
  const manager = await createManager(server)
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  await start(landlord, agreement, manager)
  provider.replies.cancel = () => new Response(null, { status: 500 })
  for (const signer of [landlord, tenant]) await signs(provider, server.url, landlord, agreement, signer)
  expect(await getStatus()).toBe('ACTIVE')
})

test('a party who signs while the provider refuses a cancellation has signed', async () => {
  const { landlord, path, signature_id, getStatus } = await createAlmostSigned()
  provider.becomes(signature_id, { status: 'sign_complete', signerStatus: 'signed' })
  provider.replies.cancel = () => problem(400, 'document_already_signed', 'x')
  const { status } = await landlord.call('POST', `${path}/signatures/${signature_id}/cancel`)
  expect([status, await getStatus()]).toEqual([200, 'ACTIVE'])
})

describe('an agreement that every party has signed becomes ACTIVE', () => {
  const makeDue = (table: 'signing_cancellations' | 'agreement_signatures', agreementId: number) => {
    const db = getKysely(server.em())
    const past = new Date(0)
    return table === 'signing_cancellations'
      ? db.updateTable(table).set({ due_at: past }).where('agreement_id', '=', agreementId).execute()
      : db.updateTable(table).set({ next_check_at: past }).where('agreement_id', '=', agreementId).execute()
  }

  test.each([['ESIGN_FAILED'], ['ESIGN_EXPIRED']])(
    'when a stale %s comes in place of the last completion',
    async event => {
      const { signature_id, getStatus } = await createAlmostSigned()
      const stale = provider.news(event, provider.of(signature_id))
      provider.becomes(signature_id, { status: 'sign_complete', signerStatus: 'signed' })
      expect((await provider.webhook(server.url, stale)).status).toBe(200)
      expect(await getStatus()).toBe('ACTIVE')
    },
  )

  test('when the provider notes the signature after it has reported a refusal', async () => {
    const { agreement, signature_id, getStatus } = await createAlmostSigned()
    await provider.webhook(server.url, provider.news('ESIGN_FAILED', provider.of(signature_id)))
    expect(await getStatus()).toBe('PENDING')
    provider.becomes(signature_id, { status: 'sign_complete', signerStatus: 'signed' })
    await makeDue('agreement_signatures', agreement.id)
    await reconcileSignatures(server.deps)
    expect(await getStatus()).toBe('ACTIVE')
  })

  test('when it is signed before its cancellation reaches the provider', async () => {
    const { landlord, agreement, path, signature_id, getStatus } = await createAlmostSigned()
    provider.replies.cancel = () => new Response('x', { status: 500 })
    await landlord.call('POST', `${path}/signatures/${signature_id}/cancel`)
    delete provider.replies.cancel
    provider.becomes(signature_id, { status: 'sign_complete', signerStatus: 'signed' })
    await makeDue('signing_cancellations', agreement.id)
    await processCancellations(server.deps)
    expect([await getStatus(), provider.of(signature_id).cancelled]).toEqual(['ACTIVE', false])
  })

  test('once, when one party signs two requests', async () => {
    const { landlord, tenant, agreement, path, signature_id, getStatus, listSignatures } =
      await createAlmostSigned()
    provider.replies.cancel = () => new Response('x', { status: 500 })
    await landlord.call('POST', `${path}/signatures/${signature_id}/cancel`)
    await signs(provider, server.url, landlord, agreement, tenant)
    expect(await getStatus()).toBe('ACTIVE')
    expect((await signsAt(provider, server.url, signature_id)).status).toBe(200)
    const statuses = (await listSignatures()).map((each: { status: string }) => each.status)
    expect(statuses).toEqual(['signed', 'signed'])
  })
})
