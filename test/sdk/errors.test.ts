import { describe, expect, test } from 'bun:test'
import {
  createClient,
  ForbiddenError,
  KirayaError,
  NetworkError,
  NotFoundError,
  PayloadTooLargeError,
  RequestTimeoutError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  ValidationError,
  type ErrorCode,
} from '../../sdk'
import { toKirayaError } from '../../sdk/error-mapping'
import { shouldRetry } from '../../sdk/retries'
import {
  catchError,
  createConnectionLosingServer,
  createStubServer,
  dataResponse,
  errorResponse,
  plainErrorResponse,
  stuckResponse,
} from './stub-server'

type ErrorClass = typeof KirayaError

const createProperty = (baseUrl: string) =>
  createClient({ baseUrl }).properties.create({ pin_code: 560001, property_type: 'pg' }, { maxRetries: 0 })

const verifyWithVariantA = (baseUrl: string) =>
  createClient({ baseUrl, variant: 'a' }).auth.verify('9876543210', '123456')

const statuses: [status: number, code: ErrorCode, ErrorClass: ErrorClass][] = [
  [400, 'BAD_REQUEST', ValidationError],
  [401, 'UNAUTHORIZED', UnauthorizedError],
  [403, 'FORBIDDEN', ForbiddenError],
  [404, 'NOT_FOUND', NotFoundError],
  [408, 'REQUEST_TIMEOUT', RequestTimeoutError],
  [409, 'BAD_REQUEST', ValidationError],
  [413, 'PAYLOAD_TOO_LARGE', PayloadTooLargeError],
  [429, 'TOO_MANY_REQUESTS', TooManyRequestsError],
  [499, 'BAD_REQUEST', ValidationError],
  [500, 'INTERNAL_SERVER_ERROR', ServerError],
  [501, 'INTERNAL_SERVER_ERROR', ServerError],
  [502, 'SERVICE_UNAVAILABLE', ServerError],
  [503, 'SERVICE_UNAVAILABLE', ServerError],
  [504, 'SERVICE_UNAVAILABLE', ServerError],
]

describe('Variant B', () => {
  test.each<(typeof statuses)[0]>([[400, 'VALIDATION_ERROR', ValidationError], ...statuses])(
    '%d: %s has one class, and carries details, request id and wait',
    async (status, code, ErrorClass) => {
      const details = [{ property: 'pin_code', constraints: { integer: 'must be a whole number' } }]
      using server = createStubServer(errorResponse(status, code, { 'retry-after': '7' }, details))

      const error = await catchError(createProperty(server.url))

      expect([error instanceof ErrorClass, error instanceof KirayaError]).toEqual([true, true])
      const { name } = ErrorClass
      const told = { name, code, status, message: 'No', details, requestId: 'r1', retryAfter: 7 }
      expect(error).toMatchObject(told)
    },
  )

  test('503: an envelope that says nothing of the failure is described by its status', async () => {
    using server = createStubServer(() => Response.json({ success: false }, { status: 503 }))
    const error = await catchError(createClient({ baseUrl: server.url, maxRetries: 0 }).auth.me())
    expect(error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The server responded with status 503',
    })
  })

  test('400: an error without details has no violations', async () => {
    using server = createStubServer(errorResponse(400, 'BAD_REQUEST'))
    const error = await catchError(createProperty(server.url))
    expect((error as ValidationError).violations).toEqual([])
  })
})

describe('Variant A', () => {
  test('400: sentences become violations by field', async () => {
    using server = createStubServer(plainErrorResponse(400, ['firstName is required', 'email must be valid']))

    const error = await catchError(verifyWithVariantA(server.url))

    const any = { rule: 'valid', params: {} }
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'firstName is required; email must be valid',
      violations: [
        { property: 'first_name', constraints: { valid: 'is required' }, ...any, label: 'First name' },
        { property: 'email', constraints: { valid: 'must be valid' }, ...any, label: 'Email' },
      ],
    })
  })

  test('403: the next step of the onboarding is in the details', async () => {
    using server = createStubServer(plainErrorResponse(403, 'Access denied: NEEDS_VERIFICATION'))
    const error = await catchError(verifyWithVariantA(server.url))
    expect(error!.details).toEqual({ status: 'NEEDS_VERIFICATION' })
  })
})

describe('a response that is not the API’s', () => {
  test.each(statuses)('%d from a proxy, or in Variant A, is %s', async (status, code, ErrorClass) => {
    using proxy = createStubServer(() => new Response('<html>', { status }))
    using plain = createStubServer(plainErrorResponse(status, 'No'))

    const error = await catchError(createProperty(proxy.url))
    const plainError = await catchError(verifyWithVariantA(plain.url))

    expect([error, plainError]).toEqual([expect.any(ErrorClass), expect.any(ErrorClass)])
    expect(error).toMatchObject({ code, status, message: `The server responded with status ${status}` })
    expect(plainError).toMatchObject({ code, status, message: 'No', requestId: 'r2' })
  })

  const createServerOf = (type: string | undefined, text: string) =>
    createStubServer(
      () => new Response(text, { headers: { 'x-request-id': 'r1', ...(type && { 'content-type': type }) } }),
    )
  const jsonTexts = ['{', 'null', '5', '"a"', '[]', '{"success":true}', '{"success":false,"data":1}']
  test.each<readonly [text: string, found: string, type: string | undefined]>([
    ['<html>', 'text/html', 'text/html; charset=utf-8'],
    ['', 'no content type', undefined],
    ...jsonTexts.map(text => [text, "JSON that is not the API's", 'application/json'] as const),
  ])('200 with %j keeps its status, and asks for the baseUrl', async (text, found, type) => {
    using server = createServerOf(type, text)

    const error = await catchError(createClient({ baseUrl: `${server.url}/api/` }).auth.me())

    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({
      status: 200,
      requestId: 'r1',
      message: `GET ${server.url}/api/auth/me answered with ${found}; does baseUrl point to the API?`,
    })
  })

  const pageTexts = ['{}', '{"success":true,"data":{},"metadata":{}}', '{"success":true,"data":[]}']
  test.each(pageTexts)('200 with %s is no list', async text => {
    using server = createServerOf('application/json', text)

    const error = await catchError(createClient({ baseUrl: server.url }).properties.list())

    expect(error).toMatchObject({
      status: 200,
      message: expect.stringContaining("JSON that is not the API's"),
    })
  })

  test('200 with a page is no document', async () => {
    using server = createServerOf('text/html', '<html>')
    const error = await catchError(createClient({ baseUrl: server.url }).agreements.document(7))
    expect(error).toBeInstanceOf(ServerError)
  })
})

describe('no response', () => {
  test('a refused connection is a network error without status or request id', async () => {
    const error = await catchError(createProperty('http://127.0.0.1:1'))

    expect(error).toBeInstanceOf(NetworkError)
    expect(error!.message).toMatch(/CORS .*FRONTEND_ORIGIN/)
    const { code, status, requestId } = error!
    expect({ code, status, requestId }).toEqual({
      code: 'NETWORK_ERROR',
      status: undefined,
      requestId: undefined,
    })
  })

  test('a lost connection is a network error', async () => {
    using server = createConnectionLosingServer()
    const error = await catchError(createClient({ baseUrl: server.url }).profile.completeKyc('v'))
    expect(error).toBeInstanceOf(NetworkError)
  })

  const slowResponses: [description: string, respond: () => Response | Promise<Response>][] = [
    ['arrives too late', () => Bun.sleep(2000).then(dataResponse())],
    ['never ends', stuckResponse],
  ]
  test.each(slowResponses)('a response that %s is a timeout', async (_, respond) => {
    using server = createStubServer(respond)

    const error = await catchError(createClient({ baseUrl: server.url, timeoutMs: 50 }).auth.me())

    expect(error).toBeInstanceOf(TimeoutError)
    const { code, status } = error!
    expect({ code, status }).toEqual({ code: 'TIMEOUT', status: undefined })
  })
})

describe('a wait that the server asks for', () => {
  const cases: [retryAfter: string | undefined, decision: string][] = [
    [undefined, 'up to ky'],
    ['0', 'up to ky'],
    ['5', 'up to ky'],
    ['6', 'refused'],
    ['3600', 'refused'],
  ]
  test.each(cases)('of %p seconds: a further attempt is %s', (retryAfter, decision) => {
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    const failure = { response: { headers, status: 503 } }
    const answer = shouldRetry({ error: Object.assign(new Error('x'), failure) }, true)
    expect(answer).toBe(decision === 'refused' ? false : undefined)
  })

  test.each([
    [undefined, undefined],
    ['0', undefined],
    ['soon', undefined],
    ['7', 7],
  ])('of %p seconds is %p in the error', (retryAfter, seconds) => {
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    expect(toKirayaError(503, {}, headers).retryAfter).toBe(seconds!)
  })
})
