import { expect, test } from 'bun:test'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'

const server = testServer()
const draining = testServer({ overrides: { isDraining: () => true } })

test.each([
  ['GET', '/health/live', '', undefined],
  ['POST', '/nowhere', '', undefined],
  ['POST', '/nowhere', '{"unread":true}', 'close'],
])('%s %s with the body %p: the connection header is %p', async (method, target, body, connection) => {
  const client = createRawClient(server.url)
  const { headers } = await client.send({ method, target, body })
  client.close()
  expect(headers.connection).toBe(connection!)
})

test('a server that stops closes the connection after each response', async () => {
  const client = createRawClient(draining.url)
  const { status, headers } = await client.send({ method: 'GET', target: '/health/live', body: '' })
  client.close()
  expect([status, headers.connection]).toEqual([200, 'close'])
})
