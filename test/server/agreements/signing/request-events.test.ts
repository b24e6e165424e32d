import { expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import type { TestUser } from '../../../support/users'
import { createPendingSignature } from '../../webhooks/pending-signature'
import { signingProvider, start } from './provider'
import { signingFixtures } from './signing-fixtures'

const provider = signingProvider()
const server = testServer({ env: { ...provider.env, PROVIDER_RETRIES: '0' } })
const { createSimpleDraft } = signingFixtures(server)

async function listEvents(reader: TestUser, { id }: { id: number }): Promise<string[]> {
  const { data } = await reader.get(`/agreements/${id}/timeline`)
  return data.events.map(({ type }: { type: string }) => type)
}

test('a request that follows one that the provider never got is sent, and not reissued', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  provider.replies.create = () => new Response(null, { status: 500 })
  expect((await start(owner, agreement, tenant)).status).toBe(503)
  delete provider.replies.create

  expect((await start(owner, agreement, tenant)).status).toBe(200)

  const events = await listEvents(owner, agreement)
  expect(events.filter(type => type === 'sent' || type === 'reissued')).toEqual(['sent'])
})

test('a page that is opened after its signature was cancelled does not count as viewed', async () => {
  const { owner, agreement, id, request, signature } = await createPendingSignature(provider, server)
  await owner.post(`/agreements/${agreement.id}/signatures/${id}/cancel`)

  await provider.webhook(server.url, provider.news('ESIGN_OTP_FAILED', request))

  expect((await signature()).status).toBe('expired')
  expect(await listEvents(owner, agreement)).not.toContain('viewed')
})

test('a webhook about the only signer of a request counts, whatever id it has for the signer', async () => {
  const { owner, agreement, request } = await createPendingSignature(provider, server)
  const news = provider.news('ESIGN_OTP_FAILED', request)
  news.data.esign.signers[0]!.id = 'another id'

  expect((await provider.webhook(server.url, news)).status).toBe(200)

  expect(await listEvents(owner, agreement)).toContain('viewed')
})
