import { connect } from 'node:net'
import { expect, test } from 'bun:test'
import { toPdfResponse } from '../../../server/http/pdf-response'
import { pdfResponse } from '../../../server/sandbox/esign-calls'
import { waitUntil } from '../../support/round'
import { testServer } from '../../support/server'
import { createProperty, signInUser, type TestUser } from '../../support/users'
import { createResponses, getReader, MIB, readToEnd, requestOf, type Reader } from './unread'

const server = testServer()

/** Begins to send a text, and returns its reader. */
function begin(
  { limitText }: ReturnType<typeof createResponses>,
  userId: number,
  mib: number,
  signal?: AbortSignal,
) {
  const response = limitText(requestOf(userId, signal), 'x'.repeat(mib * MIB)) as Response
  return getReader(response)
}

const readAll = (readers: Reader[]) => Promise.all(readers.map(readToEnd))

test('a short text is sent as it is, a long one whole', async () => {
  const { limitText } = createResponses()
  const long = `${'₹'.repeat(150_000)}end`

  expect(limitText(requestOf(1), 'short')).toBe('short')
  expect(limitText(requestOf(1), 'x'.repeat(256 * 1024))).toBeString()
  expect(await (limitText(requestOf(1), `${long}${long}`) as Response).text()).toBe(`${long}${long}`)
})

test('a document keeps its status and headers', async () => {
  const { limitResponse } = createResponses()
  const [short, long] = [new Uint8Array(256 * 1024), new Uint8Array(256 * 1024 + 1).fill(7)]
  const send = (content: Uint8Array<ArrayBuffer>) => {
    const headers = { 'content-length': String(content.length), etag: '"1"' }
    return new Response(content, { status: 206, headers })
  }
  const unchanged = send(short)

  expect(limitResponse(requestOf(1), unchanged)).toBe(unchanged)
  const limited = limitResponse(requestOf(1), send(long))
  expect([limited.status, limited.headers.get('etag')]).toEqual([206, '"1"'])
  expect(await limited.bytes()).toEqual(long)
})

const longPdf = new Uint8Array(256 * 1024 + 1)

test.each([
  ['Kiraya', toPdfResponse('lease', longPdf)],
  ['the sandbox', pdfResponse(longPdf, 'lease.pdf')],
])('a document of %s is sent as its client reads it', async (_, document) => {
  const { limitResponse } = createResponses()

  const limited = limitResponse(requestOf(1), document)

  expect(limited).not.toBe(document)
  expect(await limited.bytes()).toEqual(longPdf)
})

test('of one user, what was not read for the longest time is cut off', async () => {
  const responses = createResponses()
  const [first, second, other] = [begin(responses, 1, 16), begin(responses, 1, 16), begin(responses, 2, 16)]
  await first.read()

  const third = begin(responses, 1, 1)

  const [ofFirst, ...rest] = await readAll([first, second, other, third])
  expect([ofFirst! > 15, ...rest]).toEqual([true, undefined, 16, 1])
})

test('of all users, the one who has most to read is cut off first', async () => {
  const responses = createResponses()
  const slow = begin(responses, 1, 30)
  await slow.read()
  const greedy = [begin(responses, 2, 20), begin(responses, 2, 12)]
  const others = [begin(responses, 3, 17), begin(responses, 4, 17)]

  const last = begin(responses, 5, 16)

  const [ofSlow, ...rest] = await readAll([slow, ...greedy, ...others, last])
  expect([ofSlow! > 29, ...rest]).toEqual([true, undefined, 12, 17, 17, 16])
})

test('of users with as much, the one who has read least is cut off first', async () => {
  const responses = createResponses()
  const [first, second, third] = [1, 2, 3].map(userId => begin(responses, userId, 32)) as [
    Reader,
    Reader,
    Reader,
  ]
  for (const reader of [second, third, first]) await reader.read()
  await third.read()
  await first.read()

  const last = begin(responses, 4, 1)

  const [ofFirst, ofSecond, ...rest] = await readAll([first, second, third, last])
  expect([ofFirst! > 31, ofSecond, rest.at(-1)]).toEqual([true, undefined, 1])
})

test.each([
  ['read', async (reader: Reader) => void (await readToEnd(reader))],
  ['given up by its reader', (reader: Reader) => reader.cancel()],
  ['left by its client', async (_: Reader, client: AbortController) => client.abort()],
])('a response that was %s does not count', async (_, end) => {
  const responses = createResponses()
  const client = new AbortController()
  const kept = begin(responses, 1, 20)
  await end(begin(responses, 1, 12, client.signal), client)

  const next = begin(responses, 1, 12)

  expect(await readAll([kept, next])).toEqual([20, 12])
})

test('a response that is longer than the limits is sent if it is alone', async () => {
  const responses = createResponses()

  const [cutOff, longest] = [begin(responses, 1, 1), begin(responses, 1, 100)]

  expect(await readAll([cutOff, longest])).toEqual([undefined, 100])
})

/** Units of 100 KB each. */
const createUnits = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    unit_name: String(index),
    unit_amenities: Array<string>(100).fill('\u{1F3E0}'.repeat(250)),
  }))

/** Asks for a property without reading the response, and returns what reads it: whether it came whole. */
async function ask({ token }: TestUser, path: string, method = 'GET') {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const closed = Promise.withResolvers<void>()
  socket.on('error', () => {}) // a response that is cut off; the socket closes next
  socket.on('close', () => closed.resolve())
  const headers = [
    'host: localhost',
    `authorization: Bearer ${token}`,
    'connection: close',
    'content-type: application/json',
    'content-length: 2',
  ]
  socket.write(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{}`)
  socket.pause()
  return async () => {
    let end = ''
    socket.on('data', data => {
      end = (end + data.toString('latin1')).slice(-10)
    })
    socket.resume()
    await closed.promise
    return end.endsWith('}\r\n0\r\n\r\n')
  }
}

const countResponses = async () => {
  const { values } = await server.deps.metrics.requests.get()
  const counts = values.filter(
    ({ metricName, labels }) => metricName?.endsWith('_count') && labels.method !== 'POST',
  )
  return counts.reduce((total, { value }) => total + value, 0)
}

/** The bytes of texts and buffers that are in use. */
function measureContents() {
  Bun.gc(true)
  return process.memoryUsage().external
}

test('clients that do not read take a bounded amount of memory', async () => {
  const [greedy, other] = [await signInUser(server), await signInUser(server)]
  const { path } = await createProperty(greedy, { property_units: createUnits(100) })
  const { path: otherPath } = await createProperty(other, { property_units: createUnits(10) })
  const [countBefore, bytesBefore] = [await countResponses(), measureContents()]

  const ofOther = await ask(other, otherPath)
  const ofGreedy = await Promise.all(
    Array.from({ length: 15 }, (_, index) => ask(greedy, path, index % 2 ? 'PATCH' : 'GET')),
  )
  await waitUntil(async () => (await countResponses()) === countBefore + 16, '16 responses', 60_000)

  expect((measureContents() - bytesBefore) / MIB).toBeLessThan(100)
  const whole = await Promise.all(ofGreedy.map(read => read()))
  expect(whole.filter(Boolean)).toHaveLength(3)
  expect(await ofOther()).toBe(true)
}, 120_000)
