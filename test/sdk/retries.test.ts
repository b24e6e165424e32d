import { describe, expect, test } from 'bun:test'
import { createClient, NetworkError, ServerError, TooManyRequestsError, type Kiraya } from '../../sdk'
import { BACKOFF } from '../../sdk/retries'
import { profile, proofs } from './proofs'
import {
  catchError,
  createConnectionLosingServer,
  createStubServer,
  createTestToken,
  createTruncatingServer,
  dataResponse,
  errorResponse,
} from './stub-server'

type Call = (client: Kiraya) => Promise<unknown>

// That each method that creates has a key is in methods.test.ts.
const safe: Record<string, Call> = {
  GET: client => client.properties.get(1),
  PUT: client => client.profile.complete(profile),
  DELETE: client => client.properties.delete(1),
  'POST with a key and a body': client => client.properties.create({} as never),
  'POST with a key alone': client => client.units.resign(1, 2),
}
const unsafe: Record<string, Call> = {
  'POST without a key': client => client.profile.completeKyc('v'),
  PATCH: client => client.properties.update(1, {}),
}
const calls = [
  ...Object.entries(safe).map(([name, call]) => ['safe', name, call] as const),
  ...Object.entries(unsafe).map(([name, call]) => ['unsafe', name, call] as const),
  ...Object.entries(proofs).map(([name, call]) => ['proof', name, call] as const),
]

const token = createTestToken({ phone: '9876543210' })
/** Even a caller who asks for retries of a proof gets none. */
const options = { maxRetries: 5, idempotencyKey: 'key' }
const connect = (url: string, fetch?: () => Promise<Response>) =>
  createClient({ baseUrl: url, token, ...(fetch && { fetch }) })

const inBun = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
const refusals = [inBun, new TypeError('fetch failed', { cause: inBun })]

describe.each(calls)('a %s call, %s,', (kind, _, call) => {
  test('is sent again only after what may pass, if nothing can have happened twice', async () => {
    const count = async (status: number) => {
      using server = createStubServer(errorResponse(status, 'X', { 'retry-after': '0' }))
      await catchError(call(connect(server.url), kind === 'proof' ? options : {}))
      return server.requests.length
    }
    const isRepeated = [kind === 'safe', kind !== 'proof', kind === 'safe', kind === 'safe']
    expect(await Promise.all([408, 429, 500, 503].map(count))).toEqual(isRepeated.map(is => (is ? 3 : 1)))
  })

  test('is sent again after a lost connection if it is safe, after a refused one unless it is a proof', async () => {
    using server = createConnectionLosingServer()
    const countRefused = async (refusal: Error) => {
      let attempts = 0
      const refuseFirst = () => {
        attempts++
        return attempts === 1 ? Promise.reject(refusal) : Promise.resolve(dataResponse()())
      }
      await catchError(call(connect('http://kiraya.test', refuseFirst), options))
      return attempts
    }
    const refused = Promise.all(refusals.map(countRefused))
    const error = await catchError(call(connect(server.url), options))
    expect([server.getCallCount(), error instanceof NetworkError]).toEqual(
      kind === 'safe' ? [2, false] : [1, true],
    )
    expect(await refused).toEqual(kind === 'proof' ? [1, 1] : [2, 2])
  })
})

test.each(Object.entries(safe))(
  '%s is sent again by itself after 503; a call keeps its key',
  async (_, call) => {
    const unavailable = errorResponse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' })
    using server = createStubServer(unavailable, dataResponse(), unavailable)
    const client = connect(server.url)

    await call(client)
    expect(await catchError(call(client))).toBeInstanceOf(ServerError)

    const keys = server.requests.map(({ idempotencyKey }) => idempotencyKey)
    const [first, , second] = keys
    expect(keys).toEqual([first!, first!, second!, second!, second!])
    if (server.requests[0]!.method === 'POST')
      expect([typeof first, first === second]).toEqual(['string', false])
  },
)

test('the waits double from half a second to eight, less at most a quarter', () => {
  const waits = [1, 2, 3, 4, 5, 6].map(BACKOFF.delay)
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  for (const wait of waits) {
    expect(BACKOFF.jitter(wait)).toBeLessThanOrEqual(wait)
    expect(BACKOFF.jitter(wait)).toBeGreaterThan(0.75 * wait - 1)
  }
})

test('a long wait is thrown at once', async () => {
  using server = createStubServer(errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '600' }))
  const error = await catchError(createClient({ baseUrl: server.url }).auth.me())
  expect(error).toBeInstanceOf(TooManyRequestsError)
  expect([error!.retryAfter, server.requests.length]).toEqual([600, 1])
})

test('a truncated response is a network error', async () => {
  using server = createTruncatingServer()
  const error = await catchError(createClient({ baseUrl: server.url }).properties.create({} as never))
  expect(error).toBeInstanceOf(NetworkError)
})
