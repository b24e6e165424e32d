import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { serveUntilEnd } from '../../support/provider-double'
import type { Constants } from '../../../server/settings/constants'
import { createTestClient } from './client'

const MAX_FAILURES = 3
const BREAK_MS = 100

type Respond = () => Response | Promise<Response>
const succeed: Respond = () => Response.json({ ok: true })
const fail: Respond = () => new Response('x', { status: 500 })
const reject: Respond = () => new Response('x', { status: 404 })

let requests = 0
let respond = succeed
const provider = serveUntilEnd(() => {
  requests += 1
  return respond()
})

/** A client with a circuit breaker of its own; a call returns its result and the outcome that was measured. */
function createCaller(constants: Partial<Constants> = {}) {
  const { client, lines, metrics } = createTestClient({
    PROVIDER_RETRIES: 0,
    PROVIDER_TIMEOUT_MS: 200,
    PROVIDER_BREAKER_FAILURES: MAX_FAILURES,
    PROVIDER_BREAKER_MS: BREAK_MS,
    ...constants,
  })
  const url = `${provider}/x`
  const schema = Type.Object({ ok: Type.Literal(true) })
  const options = { headers: { 'x-client-secret': 'hush' } }
  return {
    call: async () => {
      const before = requests
      const result = await client.requestJson('get', url, schema, options).then(
        () => 'success',
        (error: Error & { status: number; cause: Error }) =>
          `${error.status} ${error.message}: ${error.cause.message}`,
      )
      return { result, wasSent: requests > before }
    },
    download: () =>
      client.requestPdf(url).then(
        () => 'success',
        (error: Error & { cause: Error }) => error.cause.message,
      ),
    lines,
    outcomes: async () => {
      const { values } = await metrics.providerCalls.get()
      const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'))
      return Object.fromEntries(counts.map(({ labels, value }) => [labels.outcome, value]))
    },
  }
}

const rejected = {
  result:
    '503 The test provider cannot be reached: test: the circuit breaker opened after 3 failures in a row',
  wasSent: false,
}

const failures: [name: string, respond: Respond][] = [
  ['500', fail],
  ['a malformed response', () => Response.json({ ok: 'no' })],
  ['no JSON', () => new Response('<html>')],
  ['no response', () => new Promise<Response>(() => {})],
]
test.each(failures)(
  'opens after failures in a row with %s, then one call tests the provider',
  async (_, failing) => {
    const { call, outcomes, lines } = createCaller()
    respond = failing
    for (let failed = 0; failed < MAX_FAILURES; failed++) expect((await call()).wasSent).toBe(true)
    expect(await call()).toEqual(rejected)

    await Bun.sleep(BREAK_MS + 20)
    expect((await call()).wasSent).toBe(true) // it fails again
    expect((await call()).wasSent).toBe(false)

    respond = succeed
    await Bun.sleep(BREAK_MS + 20)
    for (let succeeded = 0; succeeded < 3; succeeded++)
      expect(await call()).toEqual({ result: 'success', wasSent: true })
    expect(await outcomes()).toEqual({ failed: 4, circuit_open: 2, success: 3 })
    const opened = 'The circuit breaker opened: calls to the provider keep failing'
    const closed = 'The circuit breaker closed: the provider works again'
    expect(lines.map(({ level, provider: name, msg }) => [level, name, msg])).toEqual([
      ['warn', 'test', opened],
      ['warn', 'test', opened],
      ['info', 'test', closed],
    ])
  },
)

test('while one call tests the provider, the others fail at once', async () => {
  const { call } = createCaller({ PROVIDER_TIMEOUT_MS: 5000 })
  respond = fail
  for (let failed = 0; failed < MAX_FAILURES; failed++) await call()
  await Bun.sleep(BREAK_MS + 20)

  const { promise, resolve } = Promise.withResolvers<Response>()
  respond = () => promise
  const before = requests
  const trial = call()
  const others = await Promise.all(Array.from({ length: 5 }, call))
  expect(others.map(({ result }) => result)).toEqual(Array(5).fill(rejected.result))

  resolve(Response.json({ ok: true }))
  expect((await trial).result).toBe('success')
  expect(requests - before).toBe(1)
})

describe('stays closed', () => {
  test('after 4xx responses: they show that the provider works', async () => {
    const { call, outcomes } = createCaller()
    respond = reject
    for (let sent = 0; sent < 6; sent++) expect((await call()).wasSent).toBe(true)
    expect(await outcomes()).toEqual({ rejected: 6 })
  })

  test('after fewer failures in a row: a success resets the count', async () => {
    const { call } = createCaller()
    for (let round = 0; round < 3; round++) {
      respond = fail
      for (let failed = 1; failed < MAX_FAILURES; failed++) expect((await call()).wasSent).toBe(true)
      respond = succeed
      expect((await call()).result).toBe('success')
    }
  })

  test('after failures of the host that a document is linked at', async () => {
    const { download, outcomes } = createCaller()
    respond = () => Response.json({ downloadUrl: 'http://127.0.0.1:1/lease.pdf' })
    for (let sent = 0; sent <= MAX_FAILURES; sent++)
      expect(await download()).toEndWith('The address of the document cannot be reached')
    expect(await outcomes()).toEqual({ success: MAX_FAILURES + 1 })
  })

  test('after failures of another provider', async () => {
    const failing = createCaller()
    const other = createCaller()
    respond = fail
    for (let failed = 0; failed <= MAX_FAILURES; failed++) await failing.call()
    expect((await failing.call()).wasSent).toBe(false)
    expect((await other.call()).wasSent).toBe(true)
  })
})
