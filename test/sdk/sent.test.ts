import { expect, test } from 'bun:test'
import { createClient, type TokenStore } from '../../sdk'
import { createOperationsClient } from '../../sdk/operations'
import { createStubServer, dataResponse, emptyPage } from './stub-server'

test('a document is that of the signature', async () => {
  using server = createStubServer(() => new Response('%PDF-1.7'))
  const { agreements } = createClient({ baseUrl: server.url })
  await agreements.document(7, { signature_id: 'a-b' })
  expect(server.requests[0]!.path).toBe('/agreements/7/document?signature_id=a-b')
})

test('a webhook is replayed under its number', async () => {
  using server = createStubServer(dataResponse({ id: 17 }))
  const operations = createOperationsClient({ baseUrl: server.url, token: 'ops' })
  await operations.replay(17)
  expect(server.requests).toMatchObject([
    { method: 'POST', path: '/operations/webhooks/17/replay', body: {} },
  ])
})

test('iterateInvitations keeps its query', async () => {
  using server = createStubServer(emptyPage)
  const operations = createOperationsClient({ baseUrl: server.url, token: 'ops' })
  await operations.iterateInvitations({ status: 'open', limit: 5 }).toArray({ limit: 10 })
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/operations/invitations?status=open&limit=5&page=1',
  ])
})

test('each request has the token that the store has then', async () => {
  using server = createStubServer(dataResponse([]))
  let token = 'first'
  const tokenStore: TokenStore = { get: () => token, set: () => {}, clear: () => {} }
  const { properties } = createClient({ baseUrl: server.url, tokenStore })

  await properties.get(1)
  token = 'second'
  await properties.get(1)

  expect(server.requests.map(({ authorization }) => authorization)).toEqual(['Bearer first', 'Bearer second'])
})

test('data may be null', async () => {
  using server = createStubServer(dataResponse(null))
  const { properties } = createClient({ baseUrl: server.url })
  expect((await properties.get(1)) as unknown).toBeNull()
})
