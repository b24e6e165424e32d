import { expect, test } from 'bun:test'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'

const server = testServer()
const impatient = testServer({ env: { BODY_TIMEOUT_MS: '300' } })
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

const LONG = 'x'.repeat(64 * 1024 + 1)
test.each<[status: number, what: string, body: string, header: [string, string]]>([
  [408, 'does not arrive', '{', ['content-length', '100']],
  [
    413,
    'is too long, in chunks',
    `${LONG.length.toString(16)}\r\n${LONG}\r\n0\r\n\r\n`,
    ['transfer-encoding', 'chunked'],
  ],
])('%d: a body that %s closes the connection', async (expected, _, body, header) => {
  const client = createRawClient(impatient.url)
  const headers: [string, string][] = [['content-type', 'application/json'], header]
  const response = await client.send({ method: 'POST', target: '/auth/send-otp', headers, body })
  client.close()
  expect([response.status, response.headers.connection]).toEqual([expected, 'close'])
})

test('a server that stops closes the connection after each response', async () => {
  const client = createRawClient(draining.url)
  const { status, headers } = await client.send({ method: 'GET', target: '/health/live', body: '' })
  client.close()
  expect([status, headers.connection]).toEqual([200, 'close'])
})
