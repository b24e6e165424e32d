import { expect, test } from 'bun:test'
import { createOperationsClient } from '@kiraya/sdk/operations'
import { sendRequest, signInUser } from '../../support/users'
import { enveloped } from '../http/forms'
import { signingServer } from '../leases/signing/signing-fixtures'

const OPS_TOKEN = 'a token for those who run it'
const signing = signingServer({ env: { OPS_TOKEN }, constants: { PROVIDER_RETRIES: 0 } })
const { provider, server, tell, deliver, createPending } = signing
const operations = () => createOperationsClient({ baseUrl: server.url, token: OPS_TOKEN })
const routes = [
  ['GET', '/operations/webhooks'],
  ['POST', '/operations/webhooks/1/replay'],
  ['GET', '/operations/jobs'],
  ['GET', '/operations/invitations'],
  ['POST', '/operations/invitations'],
  ['DELETE', '/operations/invitations/1'],
  ['GET', '/metrics'],
] as const

const replay = (id: number | string) =>
  sendRequest(server, 'POST', `/operations/webhooks/${id}/replay`, { token: OPS_TOKEN })

test.each(routes)('401: %s %s without the operations token', async (method, path) => {
  const { token } = await signInUser(server)
  for (const invalidToken of [undefined, token, `${OPS_TOKEN}x`, OPS_TOKEN.slice(1), ''])
    expect((await sendRequest(server, method, path, { token: invalidToken })).body).toEqual(enveloped(401))
})

test.each(['Bearer', 'bearer', 'BEARER '])('200: with the operations token after %p', async scheme => {
  const headers = { authorization: `${scheme} ${OPS_TOKEN}` }
  expect((await sendRequest(server, 'GET', '/operations/jobs', { headers })).status).toBe(200)
})

test('404: an unknown webhook', async () => {
  for (const id of ['0', 'x', '2147483647', '1e3']) expect((await replay(id)).status).toBe(404)
})

test('400: an invalid query', async () => {
  for (const query of ['state=x', 'limit=0', 'sort=payload'])
    expect(
      (await sendRequest(server, 'GET', `/operations/webhooks?${query}`, { token: OPS_TOKEN })).status,
    ).toBe(400)
})

test('the list has the newest webhooks first, with their outcome and what is stored', async () => {
  const { id } = await createPending()
  const request = provider.ends(id, 'expired')
  const news = provider.news('ESIGN_EXPIRED', request)
  const signer = { ...news.data.esign.signers[0], ...request.signer, signatureDetails: { gender: 'F' } }
  const esign = { ...news.data.esign, signers: [signer] }
  await deliver({ ...news, data: { esign }, note: 'Asha' })
  const unknownId = crypto.randomUUID()
  await tell('ESIGN_COMPLETE', { id: unknownId })
  expect((await operations().webhooks({ request_id: request.id })).data).toEqual([
    {
      id: expect.any(Number),
      provider: 'setu',
      request_id: request.id,
      document_id: id,
      payload: JSON.stringify(news),
      outcome: 'expired',
      attempts: 1,
      last_error: null,
      created_at: expect.any(String),
      processed_at: expect.any(String),
      next_attempt_at: null,
    },
  ])
  const { data, metadata } = await operations().webhooks({ limit: 2 })
  expect([data.length, metadata.total >= 2, data[0]!.id > data[1]!.id]).toEqual([2, true, true])
})

test('a failed webhook shows its error, and a replay processes it', async () => {
  const { id, signature } = await createPending()
  const request = provider.completes(id)
  provider.replies.read = () => new Response('x', { status: 500 })
  expect((await tell('ESIGN_COMPLETE', request)).status).toBe(503)
  const {
    data: [open],
  } = await operations().webhooks({ state: 'open', request_id: request.id })
  expect(open).toMatchObject({
    attempts: 1,
    last_error: expect.stringMatching(
      /^The e-signing provider cannot be reached: e-signing GET \S+ answered 500$/,
    ),
    processed_at: null,
  })
  expect((await operations().jobs()).waiting.webhooks).toBeGreaterThan(0)
  expect((await replay(open!.id)).status).toBe(503)
  delete provider.replies.read
  expect(await operations().replay(open!.id)).toMatchObject({
    outcome: 'signed',
    attempts: 3,
    last_error: null,
    processed_at: expect.any(String),
  })
  expect(await operations().replay(open!.id)).toMatchObject({ outcome: 'signed' })
  expect((await signature()).status).toBe('signed')
})
