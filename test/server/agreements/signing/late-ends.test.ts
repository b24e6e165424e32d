import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { processCancellations } from '../../../../server/agreements/signature-status'
import { testServer } from '../../../support/server'
import { signingProvider, signs, signsAt, start } from './provider'
import { signingFixtures } from './signing-fixtures'

// What a party does at the provider counts, however late Kiraya hears of it.

const provider = signingProvider()
const server = testServer({
  env: { ...provider.env, PROVIDER_RETRIES: '0', PROVIDER_BREAKER_FAILURES: '1000' },
})
const { createSimpleDraft, getSignatures, getStatus } = signingFixtures(server)
const SIGNED = { status: 'sign_complete', signerStatus: 'signed' }
const failed = () => new Response('x', { status: 500 })

/** The landlord has signed, the tenant has been asked to; `id` is the tenant's signature. */
async function createAlmostSigned() {
  const draft = await createSimpleDraft()
  const { owner, tenant, agreement, path } = draft
  await signs(provider, server.url, owner, agreement, owner)
  const { data } = await start(owner, agreement, tenant)
  const id: string = data.signature_id
  const cancel = () => owner.post(`${path}/signatures/${id}/cancel`)
  return { ...draft, id, cancel, getStatus: () => getStatus(owner, agreement) }
}

test('a party who signs while the provider refuses a cancellation has signed', async () => {
  const { id, cancel, getStatus } = await createAlmostSigned()
  provider.becomes(id, SIGNED)
  const error = { code: 'document_already_signed', detail: 'x', traceId: 'x' }
  provider.replies.cancel = () => Response.json({ error }, { status: 400 })
  expect([(await cancel()).status, await getStatus()]).toEqual([200, 'ACTIVE'])
})

test.each([['ESIGN_FAILED'], ['ESIGN_EXPIRED']])(
  'an agreement becomes ACTIVE when a stale %s comes in place of the last completion',
  async event => {
    const { id, getStatus } = await createAlmostSigned()
    const stale = provider.news(event, provider.of(id))
    provider.becomes(id, SIGNED)
    expect((await provider.webhook(server.url, stale)).status).toBe(200)
    expect(await getStatus()).toBe('ACTIVE')
  },
)

test('an agreement becomes ACTIVE when it is signed before its cancellation reaches the provider', async () => {
  const { agreement, id, cancel, getStatus } = await createAlmostSigned()
  provider.replies.cancel = failed
  await cancel()
  delete provider.replies.cancel
  provider.becomes(id, SIGNED)
  const cancellations = getKysely(server.em()).updateTable('signing_cancellations')
  await cancellations
    .set({ due_at: new Date(0) })
    .where('agreement_id', '=', agreement.id)
    .execute()
  await processCancellations(server.deps)
  expect([await getStatus(), provider.of(id).cancelled]).toEqual(['ACTIVE', false])
})

test('an agreement becomes ACTIVE once, when one party signs two requests', async () => {
  const { owner, tenant, agreement, id, cancel, getStatus } = await createAlmostSigned()
  provider.replies.cancel = failed
  await cancel()
  await signs(provider, server.url, owner, agreement, tenant)
  expect(await getStatus()).toBe('ACTIVE')
  expect((await signsAt(provider, server.url, id)).status).toBe(200)
  const { signatures } = await getSignatures(owner, agreement)
  expect(signatures).toMatchObject([{ status: 'signed' }, { status: 'signed' }])
})
