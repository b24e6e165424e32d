import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { testServer } from '../../../../support/server'
import { signingProvider } from '../provider'
import { createPendingSignature, listWebhooks, selectWebhooks } from './pending-signature'

const provider = signingProvider()
const server = testServer({ env: provider.env, constants: { PROVIDER_RETRIES: 0 } })
const fail = () => new Response('x', { status: 500 })

test('200: a webhook about a signature that counts as signed does not need the provider', async () => {
  const { request, signature } = await createPendingSignature(provider, server)
  provider.becomes(request.documentId, { status: 'sign_complete', signerStatus: 'signed' })
  await provider.webhook(server.url, provider.news('ESIGN_COMPLETE', request))
  provider.replies.read = fail

  const again = await provider.webhook(server.url, provider.news('ESIGN_COMPLETE', request, { nonce: 1 }))

  expect(again.status).toBe(200)
  expect((await signature()).status).toBe('signed')
})

test('200: a webhook that comes again after it was processed does not need the provider', async () => {
  const { request, signature } = await createPendingSignature(provider, server)
  provider.ends(request.documentId, 'expired')
  const payload = provider.news('ESIGN_EXPIRED', request)
  expect((await provider.webhook(server.url, payload)).status).toBe(200)
  provider.replies.read = fail

  expect((await provider.webhook(server.url, payload)).status).toBe(200)

  expect((await signature()).status).toBe('expired')
  expect(await listWebhooks(server, payload)).toHaveLength(1)
})

test('503: a signature of a request that the provider does not know is reported again', async () => {
  const { request, signature } = await createPendingSignature(provider, server)
  provider.becomes(request.documentId, { cancelled: true })
  const payload = provider.news('ESIGN_COMPLETE', request)

  expect((await provider.webhook(server.url, payload)).status).toBe(503)

  expect(await listWebhooks(server, payload)).toEqual([{ outcome: null, processed_at: null }])
  expect((await signature()).status).toBe('pending')
})

test('503: a webhook whose processing cannot begin is stored, and tried again after a minute', async () => {
  const db = server.db
  const payload = JSON.stringify({ event: crypto.randomUUID() })
  await sql`create function refuse_attempt() returns trigger language plpgsql
    as $$ begin raise exception 'stopped' using errcode = '57P01'; end $$`.execute(db)
  await sql`create trigger refuse_attempt before update on received_webhooks
    for each row execute function refuse_attempt()`.execute(db)
  try {
    expect((await provider.webhook(server.url, payload)).status).toBe(503)
  } finally {
    await sql`drop function refuse_attempt cascade`.execute(db)
  }

  const stored = selectWebhooks(server, payload).select([
    'attempts',
    sql`extract(epoch from next_attempt_at - created_at)::int`.as('wait_s'),
  ])
  expect(await stored.execute()).toEqual([{ attempts: 0, wait_s: 60 }])
})
