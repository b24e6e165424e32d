import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'bun:test'
import { waitUntil } from '../../support/round'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'
import { signInUser, type TestUser } from '../../support/users'

const server = testServer({ env: { BODY_TIMEOUT_MS: '60000' } })
const MIB = 1024 * 1024
const sockets: Socket[] = []
function endBodies() {
  for (const socket of sockets.splice(0)) socket.destroy()
}
afterEach(endBodies)

/** Begins a body, announced or in chunks, of which the end never arrives. Waits until it is sent, or refused. */
function beginBody({ token }: TestUser, bytes: number, isChunked: boolean) {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  const lines = [
    'POST /properties HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `authorization: Bearer ${token}`,
    isChunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`,
  ]
  const start = isChunked ? `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n` : 'x'
  return new Promise<void>(resolve => {
    socket.on('error', () => {}) // a body that is refused; the socket closes next
    socket.once('close', () => resolve())
    socket.write(`${lines.join('\r\n')}\r\n\r\n${start}`, () => resolve())
  })
}

const sendBody = (user: TestUser) => user.post('/properties', { alias_name: 'x'.repeat(14 * MIB) })

test.each([
  ['announced', false],
  ['in chunks', true],
])(
  '429: a third body of 14 MiB of one user at the same time, %s, until the others end',
  async (_, isChunked) => {
    const [greedy, other] = [await signInUser(server), await signInUser(server)]
    // A body that this sends itself may take the place of one that begins.
    const isFull = async () => {
      await beginBody(greedy, 14 * MIB, isChunked)
      return (await sendBody(greedy)).status === 429
    }
    await waitUntil(isFull, 'a response 429', 60_000)

    const { status, headers, error } = await sendBody(greedy)
    expect([status, headers.get('retry-after'), error.reason]).toEqual([429, '2', 'too_many_long_bodies'])
    expect((await greedy.post('/properties', {})).error.code).toBe('VALIDATION_ERROR')
    expect((await sendBody(other)).status).toBe(400)

    endBodies()
    await waitUntil(async () => (await sendBody(greedy)).status === 400, 'a response 400', 60_000)
  },
  150_000,
)

test('400: one after another, as many as one likes', async () => {
  const user = await signInUser(server)
  for (let count = 1; count <= 5; count++) expect((await sendBody(user)).status).toBe(400)
}, 60_000)

test('429: a long body beyond what all users together may send at once', async () => {
  const [other, ...users] = [await signInUser(server), await signInUser(server)]
  for (let count = 1; count <= 2; count++) users.push(await signInUser(server))
  const isFull = async () => {
    for (const user of users) await beginBody(user, 14 * MIB, false)
    return (await sendBody(other)).status === 429
  }

  await waitUntil(isFull, 'a response 429', 60_000)
  expect((await other.post('/properties', {})).error.code).toBe('VALIDATION_ERROR')

  endBodies()
  await waitUntil(async () => (await sendBody(other)).status === 400, 'a response 400', 60_000)
}, 90_000)

test.each([
  ['announced', ['content-length', String(14 * MIB)], 'x'],
  ['in chunks', ['transfer-encoding', 'chunked'], `${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`],
] as const)(
  '401: a long body with the token of an ended session is not awaited, %s',
  async (_, header, body) => {
    const user = await signInUser(server)
    await user.post('/auth/logout')
    const client = createRawClient(server.url)

    const { status } = await client.send({
      method: 'POST',
      target: '/properties',
      headers: [['content-type', 'application/json'], ['authorization', `Bearer ${user.token}`], [...header]],
      body,
    })

    expect(status).toBe(401)
    client.close()
  },
  20_000,
)
