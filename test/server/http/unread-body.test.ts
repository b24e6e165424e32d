import { expect, test } from 'bun:test'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'

const server = testServer()

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
