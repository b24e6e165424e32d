import { describe, expect, test } from 'bun:test'
import { AbortError, createClient, KirayaError, TimeoutError, ValidationError } from '../../sdk'
import { catchError, createStubServer, dataResponse, errorResponse } from './stub-server'

const unavailable = errorResponse(503, 'SERVICE_UNAVAILABLE')
const never = () => new Promise<Response>(() => {})

describe('a call that is cancelled', () => {
  test('while it waits for the server throws an AbortError', async () => {
    const controller = new AbortController()
    using server = createStubServer(() => {
      controller.abort()
      return never()
    })

    const { auth } = createClient({ baseUrl: server.url })
    const error = await catchError(auth.me({ signal: controller.signal }))

    expect(error).toBeInstanceOf(AbortError)
    expect(error).toBeInstanceOf(KirayaError)
    expect(server.requests).toHaveLength(1)
  })

  test('before it begins sends nothing, even with a fetch that ignores signals', async () => {
    let sent = 0
    const fetch = () => {
      sent++
      return dataResponse()()
    }
    const { auth } = createClient({ baseUrl: 'http://localhost', fetch })
    expect(await catchError(auth.me({ signal: AbortSignal.abort() }))).toBeInstanceOf(AbortError)
    expect(sent).toBe(0)
  })

  test('in vain, since its time is over before, throws a TimeoutError', async () => {
    const { auth } = createClient({ baseUrl: 'http://localhost', fetch: never })
    const { signal } = new AbortController()
    expect(await catchError(auth.me({ signal, timeoutMs: 1 }))).toBeInstanceOf(TimeoutError)
  })

  test('between two attempts is not sent again', async () => {
    const controller = new AbortController()
    using server = createStubServer(unavailable)
    const { auth } = createClient({ baseUrl: server.url, onResponse: () => controller.abort() })

    const error = await catchError(auth.me({ signal: controller.signal }))

    expect(error).toBeInstanceOf(AbortError)
    expect(server.requests).toHaveLength(1)
  })
})

test('the client’s maxRetries and timeoutMs hold for calls that name none', async () => {
  using server = createStubServer(unavailable)
  const { auth } = createClient({ baseUrl: server.url, maxRetries: 1 })

  await catchError(auth.me())
  await catchError(auth.me({ maxRetries: undefined, timeoutMs: undefined } as never))

  expect(server.requests).toHaveLength(4)
})

test('messages are asked for in the language of the call, else of the client, else of the platform', async () => {
  using server = createStubServer(dataResponse())
  const client = createClient({ baseUrl: server.url })

  await client.auth.me()
  await client.auth.me({ language: 'hi' })
  await client.auth.me()
  client.language = 'hi'
  await client.auth.me()
  await createClient({ baseUrl: server.url, language: 'hi' }).auth.me()

  const languages = server.requests.map(({ headers }) => headers.get('accept-language'))
  expect(languages).toEqual([null, 'hi', null, 'hi', 'hi'])
})

test('an own idempotency key is sent with every attempt; it does not make other calls safe to repeat', async () => {
  using server = createStubServer(unavailable, dataResponse(), unavailable)
  const { agreements, profile } = createClient({ baseUrl: server.url })

  await agreements.sign(1, { signer_id: 1 }, { idempotencyKey: 'mine' })
  await catchError(profile.completeKyc('v', { idempotencyKey: 'mine' }))

  expect(server.requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['mine', 'mine', 'mine'])
})

const wrongOptions = [{ maxRetries: -1 }, { maxRetries: Number.NaN }, { timeoutMs: 0 }, { timeoutMs: 1.5 }]
test.each(wrongOptions)('%p is refused with a sentence before any request', async option => {
  using server = createStubServer(dataResponse())
  const [[name]] = Object.entries(option) as [[string, number]]

  const error = await catchError(createClient({ baseUrl: server.url }).auth.me(option))

  expect(error).toBeInstanceOf(ValidationError)
  expect(error!.message).toMatch(new RegExp(`^${name} must be a whole number of at least [01]; it is `))
  expect(() => createClient({ baseUrl: server.url, ...option })).toThrow(ValidationError)
  expect(server.requests).toEqual([])
})

test('a header that cannot be sent is refused without its value', async () => {
  using server = createStubServer(dataResponse())
  const error = await catchError(createClient({ baseUrl: server.url, token: 'secret\n.' }).auth.me())
  expect(error).toBeInstanceOf(ValidationError)
  expect(error!.message).toBe('The value of the header authorization cannot be sent')
})

describe('withResponse', () => {
  test('returns the data with the status, the headers and the request id', async () => {
    using server = createStubServer(() =>
      Response.json(
        { success: true, data: { id: 7 } },
        { status: 201, headers: { 'x-request-id': 'r1', 'x-more': 'm' } },
      ),
    )
    const { tenants } = createClient({ baseUrl: server.url })

    const { data, status, headers, requestId } = await tenants
      .create({ phone_number: '9876543210' })
      .withResponse()

    expect([data.id, status, requestId, headers.get('x-more')]).toEqual([7, 201, 'r1', 'm'])
    expect(server.requests).toHaveLength(1)
  })

  test('hands out warnings beside the data; mostly there are none', async () => {
    const warning = { code: 'revision_notice_short', message: 'The new rent comes with less than 3 months' }
    const body = { success: true, message: 'Proposed', data: { id: 3 } }
    using server = createStubServer(
      () => Response.json({ ...body, warnings: [warning] }),
      () => Response.json(body),
    )
    const { rentRevisions } = createClient({ baseUrl: server.url })
    const propose = () => rentRevisions.propose(7, { rent_amount: 27_000, effective_on: '2027-06-01' })

    expect(await propose().withResponse()).toMatchObject({ data: { id: 3 }, warnings: [warning] })
    expect((await propose().withResponse()).warnings).toEqual([])
  })

  test('alone reports a failure: no other promise is rejected', async () => {
    const rejections: unknown[] = []
    const record = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', record)
    using server = createStubServer(errorResponse(404, 'NOT_FOUND'))

    const error = await catchError(createClient({ baseUrl: server.url }).agreements.get(1).withResponse())
    await Bun.sleep(0)
    process.off('unhandledRejection', record)

    expect(error).toMatchObject({ code: 'NOT_FOUND', requestId: 'r1' })
    expect(rejections).toEqual([])
  })
})
