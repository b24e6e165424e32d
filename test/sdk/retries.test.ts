import { expect, test } from 'bun:test'
import {
  createClient,
  NetworkError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
  type Kiraya,
} from '../../sdk'
import {
  createStubServer,
  breakingServer,
  cuttingServer,
  dataResponse,
  errorResponse,
  catchError,
} from './stub'

const unavailable = errorResponse(503, 'SERVICE_UNAVAILABLE')
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'a@b.co' }
const repeatable: [string, (kiraya: Kiraya) => Promise<unknown>][] = [
  ['GET', kiraya => kiraya.properties.get(1)],
  ['PUT', kiraya => kiraya.profile.complete(profile)],
  ['DELETE', kiraya => kiraya.properties.delete(1)],
]
const once: [string, (kiraya: Kiraya) => Promise<unknown>][] = [
  ['POST', kiraya => kiraya.agreements.terminate(1)],
  ['PATCH', kiraya => kiraya.properties.update(1, {})],
]

test.each(repeatable)('%s is tried again after 503, up to twice', async (_, call) => {
  using it = createStubServer(unavailable, unavailable, dataResponse())
  await call(createClient({ baseUrl: it.url }))
  expect(it.asked.length).toBe(3)
  using down = createStubServer(unavailable)
  expect(await catchError(call(createClient({ baseUrl: down.url })))).toBeInstanceOf(ServerError)
  expect(down.asked.length).toBe(3)
})

const keyed: [string, (kiraya: Kiraya) => Promise<unknown>][] = [
  ['a property', kiraya => kiraya.properties.create({} as never)],
  ['a unit', kiraya => kiraya.units.create(1, {} as never)],
  ['a tenant', kiraya => kiraya.tenants.create({} as never)],
  ['an agreement', kiraya => kiraya.agreements.create({} as never)],
  ['a signature', kiraya => kiraya.agreements.sign(1, { signer_id: 1 })],
  ['a new version', kiraya => kiraya.agreements.revise(1)],
  ['an identity check', kiraya => kiraya.profile.startKyc()],
]
test.each(keyed)(
  'creating %s is tried again under one Idempotency-Key, and the next time under another',
  async (_, call) => {
    using it = createStubServer(unavailable, unavailable, dataResponse(), dataResponse())
    const kiraya = createClient({ baseUrl: it.url })
    await call(kiraya)
    await call(kiraya)
    const [first, second, third, fourth] = it.asked.map(({ key }) => key)
    expect([it.asked.length, typeof first, first === second && second === third, fourth === first]).toEqual([
      4,
      'string',
      true,
      false,
    ])
    using lost = cuttingServer()
    await call(createClient({ baseUrl: lost.url }))
    expect(lost.calls()).toBe(2)
  },
)

test.each(repeatable)('%s is tried again after a lost connection', async (_, call) => {
  using it = cuttingServer()
  expect(await call(createClient({ baseUrl: it.url }))).toEqual({ message: 'Fine' })
  expect(it.calls()).toBe(2)
})

test.each(once)('%s is not, where it may have happened', async (_, call) => {
  using down = createStubServer(unavailable, dataResponse())
  expect(await catchError(call(createClient({ baseUrl: down.url })))).toBeInstanceOf(ServerError)
  expect(down.asked.length).toBe(1)
  using lost = cuttingServer()
  expect(await catchError(call(createClient({ baseUrl: lost.url })))).toBeInstanceOf(NetworkError)
  expect(lost.calls()).toBe(1)
})

test.each(once)('%s is tried again where it cannot have happened', async (_, call) => {
  using limited = createStubServer(
    errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '0' }),
    dataResponse(),
  )
  await call(createClient({ baseUrl: limited.url }))
  expect(limited.asked.length).toBe(2)

  using it = createStubServer(dataResponse())
  let tries = 0
  await call(
    createClient({
      baseUrl: it.url,
      fetch: (...asked) =>
        tries++
          ? fetch(...asked)
          : Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
    }),
  )
  expect(it.asked.length).toBe(1)
})

test('429: a short wait is kept, a long one is told', async () => {
  using brief = createStubServer(
    errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '1' }),
    dataResponse(),
  )
  await createClient({ baseUrl: brief.url }).auth.me()
  expect(brief.asked.length).toBe(2)

  using long = createStubServer(errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '600' }))
  const error = await catchError(createClient({ baseUrl: long.url }).auth.me())
  expect(error).toBeInstanceOf(TooManyRequestsError)
  expect([error!.retryAfter, long.asked.length]).toEqual([600, 1])
})

test.each([
  ['says nothing', () => new Promise<Response>(() => {})],
  [
    'stops within its answer',
    () => new Response(new ReadableStream({ start: stream => stream.enqueue('{"success":') })),
  ],
])('a server that %s is not waited for longer than the time-out', async (_, answer) => {
  using it = createStubServer(answer)
  expect(await catchError(createClient({ baseUrl: it.url, timeoutMs: 200 }).auth.me())).toBeInstanceOf(
    TimeoutError,
  )
})

test('an answer that breaks off is a lost connection', async () => {
  using it = breakingServer()
  expect(await catchError(createClient({ baseUrl: it.url }).properties.create({} as never))).toBeInstanceOf(
    NetworkError,
  )
})
