import { describe, expect, test } from 'bun:test'
import {
  createClient,
  NetworkError,
  PayloadTooLargeError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
  type Kiraya,
} from '../../sdk'
import {
  catchError,
  createConnectionLosingServer,
  createStubServer,
  createTruncatingServer,
  dataResponse,
  errorResponse,
  stuckResponse,
} from './stub-server'

type Call = [name: string, call: (client: Kiraya) => Promise<unknown>]

const unavailable = errorResponse(503, 'SERVICE_UNAVAILABLE')
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'a@b.co' }

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

describe('a call that creates a record', () => {
  const calls: Call[] = [
    ['a property', client => client.properties.create({} as never)],
    ['a unit', client => client.units.create(1, {} as never)],
    ['a tenant', client => client.tenants.create({} as never)],
    ['an agreement', client => client.agreements.create({} as never)],
    ['a signature', client => client.agreements.sign(1, { signer_id: 1 })],
    ['a revision', client => client.agreements.revise(1)],
    ['an identity check', client => client.profile.startKyc()],
    ['a charge', client => client.charges.create(1, {} as never)],
    ['a credit', client => client.charges.credit(1, {} as never)],
    ['a payment', client => client.payments.create(1, {} as never)],
    ['a termination', client => client.agreements.terminate(1)],
    ['a completion', client => client.agreements.complete(1)],
    ['a refusal', client => client.agreements.decline(1)],
    ['a cancellation', client => client.agreements.cancelSignature(1, 2)],
    ['a resignation', client => client.units.resign(1, 2)],
    ['a confirmation', client => client.payments.confirm(1)],
    ['a reversal', client => client.payments.reverse(1, { reason: 'Entered twice' })],
    ['a refund', client => client.payments.refund(1, {} as never)],
    ['a renewal', client => client.agreements.renew(1)],
    ['a settlement', client => client.deposits.settle(1, {} as never)],
    ['an acceptance of a settlement', client => client.deposits.accept(1)],
    ['a dispute', client => client.deposits.dispute(1, { reason: 'The wall was painted' })],
    ['the posting of a settlement', client => client.deposits.post(1)],
    ['a rent revision', client => client.rentRevisions.propose(1, {} as never)],
    ['an acceptance of a rent', client => client.rentRevisions.accept(1, 2)],
    ['a refusal of a rent', client => client.rentRevisions.decline(1, 2)],
  ]

  test.each(calls)('%s is retried with one idempotency key; the next call has another', async (_, call) => {
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

describe('429', () => {
  test('a short wait is waited for', async () => {
    const limited = errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '1' })
    using server = createStubServer(limited, dataResponse())
    await createClient({ baseUrl: server.url }).auth.me()
    expect(server.requests).toHaveLength(2)
  })

  test('a long wait is thrown at once', async () => {
    using server = createStubServer(errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '600' }))
    const error = await catchError(createClient({ baseUrl: server.url }).auth.me())
    expect(error).toBeInstanceOf(TooManyRequestsError)
    expect([error!.retryAfter, server.requests.length]).toEqual([600, 1])
  })
})

const silentServers: [description: string, respond: () => Response | Promise<Response>][] = [
  ['never responds', () => new Promise<Response>(() => {})],
  ['stops in the middle of its response', stuckResponse],
]
test.each(silentServers)('a server that %s causes a timeout', async (_, respond) => {
  using server = createStubServer(respond)
  const error = await catchError(createClient({ baseUrl: server.url, timeoutMs: 200 }).auth.me())
  expect(error).toBeInstanceOf(TimeoutError)
})

test('a truncated response is a network error', async () => {
  using server = createTruncatingServer()
  const error = await catchError(createClient({ baseUrl: server.url }).properties.create({} as never))
  expect(error).toBeInstanceOf(NetworkError)
})
