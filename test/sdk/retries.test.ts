import { describe, expect, test } from 'bun:test'
import {
  createClient,
  NetworkError,
  PayloadTooLargeError,
  ServerError,
  TooManyRequestsError,
  type CallOptions,
  type Kiraya,
} from '../../sdk'
import { profile } from './calls'
import {
  catchError,
  createConnectionLosingServer,
  createStubServer,
  createTestToken,
  createTruncatingServer,
  dataResponse,
  errorResponse,
} from './stub-server'

type Call = [name: string, call: (client: Kiraya) => Promise<unknown>]

const unavailable = errorResponse(503, 'SERVICE_UNAVAILABLE')

describe('a call that is safe to repeat', () => {
  const calls: Call[] = [
    ['GET', client => client.properties.get(1)],
    ['PUT', client => client.profile.complete(profile)],
    ['DELETE', client => client.properties.delete(1)],
  ]

  test.each(calls)('%s is retried after 503', async (_, call) => {
    using server = createStubServer(unavailable, unavailable, dataResponse())
    await call(createClient({ baseUrl: server.url }))
    expect(server.requests).toHaveLength(3)
  })

  test.each([408, 429, 500, 502, 503, 504])('GET is retried after %d', async status => {
    using server = createStubServer(errorResponse(status, 'X', { 'retry-after': '0' }), dataResponse())
    await createClient({ baseUrl: server.url }).properties.get(1)
    expect(server.requests).toHaveLength(2)
  })

  test.each([400, 401, 403, 404, 409, 501, 505])('GET is not retried after %d', async status => {
    using server = createStubServer(errorResponse(status, 'X', { 'retry-after': '0' }), dataResponse())
    await catchError(createClient({ baseUrl: server.url }).properties.get(1))
    expect(server.requests).toHaveLength(1)
  })

  test.each(calls)('%s is not retried after 413: a body that is too large stays so', async (_, call) => {
    using server = createStubServer(
      errorResponse(413, 'PAYLOAD_TOO_LARGE', { 'retry-after': '0' }),
      dataResponse(),
    )
    const error = await catchError(call(createClient({ baseUrl: server.url })))
    expect(error).toBeInstanceOf(PayloadTooLargeError)
    expect(server.requests).toHaveLength(1)
  })

  test.each(calls)('%s is sent at most three times', async (_, call) => {
    using server = createStubServer(unavailable)
    const error = await catchError(call(createClient({ baseUrl: server.url })))
    expect(error).toBeInstanceOf(ServerError)
    expect(server.requests).toHaveLength(3)
  })

  test.each(calls)('%s is retried after a lost connection', async (_, call) => {
    using server = createConnectionLosingServer()
    expect(await call(createClient({ baseUrl: server.url }))).toEqual({ message: 'Fine' })
    expect(server.getCallCount()).toBe(2)
  })
})

// That each such method has a key is in methods.test.ts.
describe('a call with an idempotency key', () => {
  const calls: Call[] = [
    ['POST with a body', client => client.properties.create({} as never)],
    ['POST without one', client => client.units.resign(1, 2)],
  ]

  test.each(calls)('%s is retried with the same key; the next call has another', async (_, call) => {
    using server = createStubServer(unavailable, unavailable, dataResponse(), dataResponse())
    const client = createClient({ baseUrl: server.url })

    await call(client)
    await call(client)

    const [first, second, third, fourth, ...others] = server.requests.map(request => request.idempotencyKey)
    expect(first).toBeString()
    expect([second, third]).toEqual([first!, first!])
    expect(fourth).toBeString()
    expect(fourth).not.toBe(first!)
    expect(others).toEqual([])
  })

  test.each(calls)('%s is retried after a lost connection', async (_, call) => {
    using server = createConnectionLosingServer()
    await call(createClient({ baseUrl: server.url }))
    expect(server.getCallCount()).toBe(2)
  })
})

describe('a call without an idempotency key', () => {
  const calls: Call[] = [
    ['POST', client => client.profile.completeKyc('v')],
    ['PATCH', client => client.properties.update(1, {})],
  ]

  test.each(calls)('%s is not retried after 503', async (_, call) => {
    using server = createStubServer(unavailable, dataResponse())
    const error = await catchError(call(createClient({ baseUrl: server.url })))
    expect(error).toBeInstanceOf(ServerError)
    expect(server.requests).toHaveLength(1)
  })

  test.each(calls)('%s is not retried after a lost connection', async (_, call) => {
    using server = createConnectionLosingServer()
    const error = await catchError(call(createClient({ baseUrl: server.url })))
    expect(error).toBeInstanceOf(NetworkError)
    expect(server.getCallCount()).toBe(1)
  })

  test.each(calls)('%s is retried after 429', async (_, call) => {
    const limited = errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '0' })
    using server = createStubServer(limited, dataResponse())
    await call(createClient({ baseUrl: server.url }))
    expect(server.requests).toHaveLength(2)
  })

  const refusal = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const refusals: [...Call, form: string, refusal: Error][] = calls.flatMap(([name, call]) => [
    [name, call, 'Bun', refusal],
    [name, call, 'Node', new TypeError('fetch failed', { cause: refusal })],
  ])
  test.each(refusals)('%s is retried after a refused connection', async (_, call, __, refusal) => {
    using server = createStubServer(dataResponse())
    let attempts = 0
    const refuseFirst = (...request: Parameters<typeof fetch>) => {
      attempts++
      return attempts === 1 ? Promise.reject(refusal) : fetch(...request)
    }
    await call(createClient({ baseUrl: server.url, fetch: refuseFirst }))
    expect([attempts, server.requests.length]).toEqual([2, 1])
  })
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

const token = createTestToken({ phone: '9876543210' })

/** What a one-time secret or a password proves. A repeated request would find it used up, or count as a guess. */
const proofs: [description: string, call: (client: Kiraya, options: CallOptions) => Promise<unknown>][] = [
  ['auth.verify', ({ auth }, options) => auth.verify('9876543210', '123456', options)],
  ['auth.login', ({ auth }, options) => auth.login('9876543210', 'correct horse', options)],
  ['auth.eraseMyData', ({ auth }, options) => auth.eraseMyData('123456', options)],
  [
    'profile.complete with an OTP',
    ({ profile: p }, options) => p.complete({ ...profile, otp: '123456' }, options),
  ],
  [
    'profile.complete with the current password',
    ({ profile: p }, options) =>
      p.complete({ ...profile, password: 'correct horse', current_password: 'wrong horse' }, options),
  ],
]
const failures = [
  unavailable,
  errorResponse(500, 'INTERNAL_SERVER_ERROR'),
  errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '0' }),
  errorResponse(408, 'REQUEST_TIMEOUT'),
]
/** Even a caller who asks for retries gets none. */
const options = { maxRetries: 5, idempotencyKey: 'key' }

describe.each(proofs)('%s is sent once', (_, call) => {
  test('after every failure that others are retried after', async () => {
    for (const failure of failures) {
      using server = createStubServer(failure)
      await catchError(call(createClient({ baseUrl: server.url, token }), options))
      expect(server.requests).toHaveLength(1)
    }
  })

  test('after a lost and a refused connection', async () => {
    using server = createConnectionLosingServer()
    await catchError(call(createClient({ baseUrl: server.url, token }), options))
    expect(server.getCallCount()).toBe(1)

    let attempts = 0
    const refuse = () => {
      attempts++
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    }
    await catchError(call(createClient({ baseUrl: server.url, token, fetch: refuse }), options))
    expect(attempts).toBe(1)
  })
})

test('profile.complete without a proof is retried', async () => {
  using server = createStubServer(failures[0]!, failures[0]!)
  await catchError(createClient({ baseUrl: server.url, token }).profile.complete(profile, { maxRetries: 1 }))
  expect(server.requests).toHaveLength(2)
})
