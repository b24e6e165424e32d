import { expect, test } from 'bun:test'
import {
  createClient,
  ForbiddenError,
  KirayaError,
  NetworkError,
  NotFoundError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  ValidationError,
  type ErrorCode,
} from '../../sdk'
import {
  createStubServer,
  cuttingServer,
  dataResponse,
  errorResponse,
  plainErrorResponse,
  catchError,
} from './stub'

const details = [{ property: 'pin_code', constraints: { integer: 'pin_code must be a number' } }]
const create = (baseUrl: string) =>
  createClient({ baseUrl }).properties.create({ pin_code: 560001, property_type: 'pg' })

test.each([
  ['VALIDATION_ERROR', 400, ValidationError, 'ValidationError'],
  ['BAD_REQUEST', 400, ValidationError, 'ValidationError'],
  ['BAD_REQUEST', 413, ValidationError, 'ValidationError'],
  ['UNAUTHORIZED', 401, UnauthorizedError, 'UnauthorizedError'],
  ['FORBIDDEN', 403, ForbiddenError, 'ForbiddenError'],
  ['NOT_FOUND', 404, NotFoundError, 'NotFoundError'],
  ['TOO_MANY_REQUESTS', 429, TooManyRequestsError, 'TooManyRequestsError'],
  ['INTERNAL_SERVER_ERROR', 500, ServerError, 'ServerError'],
  ['SERVICE_UNAVAILABLE', 503, ServerError, 'ServerError'],
] as const)(
  '%s (%d) is one class, with the code, status, details and request id',
  async (code: ErrorCode, status, Kind, name) => {
    using it = createStubServer(errorResponse(status, code, { 'retry-after': '7' }, details))
    const error = await catchError(create(it.url))
    expect(error).toBeInstanceOf(Kind)
    expect(error).toBeInstanceOf(KirayaError)
    expect(error).toMatchObject({
      name,
      code,
      status,
      message: 'No',
      details,
      requestId: 'r1',
      retryAfter: 7,
    })
  },
)

test.each([
  [400, ValidationError, 'BAD_REQUEST'],
  [401, UnauthorizedError, 'UNAUTHORIZED'],
  [403, ForbiddenError, 'FORBIDDEN'],
  [404, NotFoundError, 'NOT_FOUND'],
  [429, TooManyRequestsError, 'TOO_MANY_REQUESTS'],
  [500, ServerError, 'INTERNAL_SERVER_ERROR'],
  [503, ServerError, 'SERVICE_UNAVAILABLE'],
] as const)('Variant A’s %d is the same class', async (status, Kind, code) => {
  using it = createStubServer(plainErrorResponse(status, 'No'))
  const error = await catchError(
    createClient({ baseUrl: it.url, variant: 'a' }).auth.verify('9876543210', '123456'),
  )
  expect(error).toBeInstanceOf(Kind)
  expect(error).toMatchObject({ code, status, message: 'No', requestId: 'r2' })
})

test('400: Variant A’s sentences become fields and rules', async () => {
  using it = createStubServer(plainErrorResponse(400, ['firstName is required', 'email must be valid']))
  const error = (await catchError(
    createClient({ baseUrl: it.url, variant: 'a' }).auth.sendOtp('9876543210'),
  )) as ValidationError
  expect(error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'firstName is required; email must be valid',
  })
  expect(error.violations).toEqual([
    { property: 'first_name', constraints: { valid: 'firstName is required' } },
    { property: 'email', constraints: { valid: 'email must be valid' } },
  ])
})

test('400: without named fields nothing is broken', async () => {
  using it = createStubServer(errorResponse(400, 'BAD_REQUEST'))
  expect(((await catchError(create(it.url))) as ValidationError).violations).toEqual([])
})

test.each([
  [404, NotFoundError, 'NOT_FOUND'],
  [413, ValidationError, 'BAD_REQUEST'],
  [500, ServerError, 'INTERNAL_SERVER_ERROR'],
  [502, ServerError, 'SERVICE_UNAVAILABLE'],
  [504, ServerError, 'SERVICE_UNAVAILABLE'],
] as const)('%d without our words, as a proxy answers', async (status, Kind, code) => {
  using it = createStubServer(() => new Response('<html>', { status }))
  const error = await catchError(create(it.url))
  expect(error).toBeInstanceOf(Kind)
  expect(error).toMatchObject({ code, status, message: `The server responded with status ${status}` })
})

test('an answer that is no JSON, or nothing, is the server’s error', async () => {
  for (const answer of [() => new Response('<html>'), () => new Response('')]) {
    using it = createStubServer(answer)
    const error = await catchError(createClient({ baseUrl: it.url }).properties.list())
    expect(error).toBeInstanceOf(ServerError)
    expect(error?.message).toBe('The response is not valid JSON')
  }
})

test('nobody there, or a connection that is cut', async () => {
  const refused = await catchError(create('http://127.0.0.1:1'))
  expect(refused).toBeInstanceOf(NetworkError)
  expect({ code: refused?.code, status: refused?.status, requestId: refused?.requestId }).toEqual({
    code: 'NETWORK_ERROR',
    status: undefined,
    requestId: undefined,
  })
  using it = cuttingServer()
  expect(await catchError(createClient({ baseUrl: it.url }).agreements.terminate(1))).toBeInstanceOf(
    NetworkError,
  )
})

test('no answer in time, and none to its end', async () => {
  using slow = createStubServer(async () => (await Bun.sleep(2000), dataResponse()()))
  const error = await catchError(createClient({ baseUrl: slow.url, timeoutMs: 50 }).auth.me())
  expect(error).toBeInstanceOf(TimeoutError)
  expect({ code: error?.code, status: error?.status }).toEqual({ code: 'TIMEOUT', status: undefined })
  using stuck = createStubServer(
    () =>
      new Response(
        new ReadableStream({ start: stream => stream.enqueue(new TextEncoder().encode('{"success":')) }),
      ),
  )
  expect(await catchError(createClient({ baseUrl: stuck.url, timeoutMs: 50 }).auth.me())).toBeInstanceOf(
    TimeoutError,
  )
})
