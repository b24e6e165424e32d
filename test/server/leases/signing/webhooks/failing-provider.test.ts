import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { signingServer } from '../signing-fixtures'

const { provider, server, tell, deliver, createPending, selectWebhooks, listWebhooks } = signingServer({
  constants: { PROVIDER_RETRIES: 0 },
})
const fail = () => new Response('x', { status: 500 })

test('200: a webhook about a signature that counts as signed does not need the provider', async () => {
  const { request, signature } = await createPending()
  provider.completes(request.documentId)
  await tell('ESIGN_COMPLETE', request)
  provider.replies.read = fail

  const again = await tell('ESIGN_COMPLETE', request, { nonce: 1 })

  expect(again.status).toBe(200)
  expect((await signature()).status).toBe('signed')
})

test('200: a webhook that comes again after it was processed does not need the provider', async () => {
  const { request, signature } = await createPending()
  provider.ends(request.documentId, 'expired')
  const payload = provider.news('ESIGN_EXPIRED', request)
  expect((await deliver(payload)).status).toBe(200)
  provider.replies.read = fail

  expect((await deliver(payload)).status).toBe(200)

  expect((await signature()).status).toBe('expired')
  expect(await listWebhooks(payload)).toHaveLength(1)
})

test('503: a signature of a request that the provider does not know is reported again', async () => {
  const { request, signature } = await createPending()
  provider.becomes(request.documentId, { cancelled: true })
  const payload = provider.news('ESIGN_COMPLETE', request)

  expect((await deliver(payload)).status).toBe(503)

  expect(await listWebhooks(payload)).toEqual([{ outcome: null, processed_at: null }])
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
    expect((await deliver(payload)).status).toBe(503)
  } finally {
    await sql`drop function refuse_attempt cascade`.execute(db)
  }

  const stored = selectWebhooks(payload).select([
    'attempts',
    sql`extract(epoch from next_attempt_at - created_at)::int`.as('wait_s'),
  ])
  expect(await stored.execute()).toEqual([{ attempts: 0, wait_s: 60 }])
})
