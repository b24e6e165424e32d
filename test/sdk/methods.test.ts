import { describe, expect, test } from 'bun:test'
import { TimeoutError, ValidationError, type Call } from '../../sdk'
import { VERSION } from '../../sdk/version'
import { callMethod, createClients, methods } from './calls'
import { catchError, createStubServer, emptyPage, errorResponse } from './stub-server'

const never = () => new Promise<Response>(() => {})

test('the list of methods is complete', () => {
  const clients = createClients({ baseUrl: 'http://localhost' })
  const nouns = Object.entries(clients).filter(([name]) => !['token', 'language'].includes(name))
  const names = nouns.flatMap(([noun, verbs]) =>
    Object.entries(verbs ?? {})
      .filter(([, verb]) => typeof verb === 'function')
      .map(([verb]) => `${noun}.${verb}`),
  )
  expect(names.toSorted()).toEqual(methods.map(({ name }) => name).toSorted())
})

const KEY = expect.stringMatching(/^[\da-f-]{36}$/)

test.each(methods)('$name sends $kind $request', async called => {
  using server = createStubServer(emptyPage)
  await catchError(callMethod(createClients({ baseUrl: server.url }), called, { input: { note: 'n' } }))
  const { kind, request } = called
  const [{ method, path, body, idempotencyKey }] = server.requests as [(typeof server.requests)[0]]
  expect(`${method} ${path}`).toBe(request + (kind === 'query' ? '?note=n' : ''))
  expect(idempotencyKey).toEqual(['once', 'bare', 'key'].includes(kind) ? KEY : null)
  if (['once', 'body'].includes(kind)) expect(body).toEqual({ note: 'n' })
  if (['query', 'none'].includes(kind)) expect(body).toBeUndefined()
})

describe.each(methods)('$name takes the options of a call:', called => {
  test('headers and an idempotency key; it hands out the response', async () => {
    using server = createStubServer(emptyPage)
    const options = { headers: { 'X-Trace': 'abc' }, idempotencyKey: 'key-1' }

    const underWay = callMethod(createClients({ baseUrl: server.url }), called, { options })

    if (!/waitFor/.test(called.name)) {
      const response = await (underWay as Call<unknown>).withResponse()
      expect(response).toMatchObject({ data: expect.anything(), status: 200 })
    }
    await catchError(underWay)
    const [{ headers, idempotencyKey }] = server.requests as [(typeof server.requests)[0]]
    expect([headers.get('x-trace'), idempotencyKey]).toEqual(['abc', 'key-1'])
    expect(headers.get('x-kiraya-client')).toBe(`kiraya-sdk/${VERSION} (bun/${Bun.version})`)
  })

  test('a signal, a time limit and a number of retries', async () => {
    using server = createStubServer(errorResponse(503, 'SERVICE_UNAVAILABLE'))
    const clients = createClients({ baseUrl: server.url })
    const silent = createClients({ baseUrl: 'http://x.test', fetch: never })

    const cancelled = await catchError(
      callMethod(clients, called, { options: { signal: AbortSignal.abort() } }),
    )
    const late = await catchError(callMethod(silent, called, { options: { timeoutMs: 1 } }))
    const failed = await catchError(callMethod(clients, called, { options: { maxRetries: 0 } }))

    expect([cancelled!.name, cancelled!.code]).toEqual(['AbortError', 'ABORTED'])
    expect(late).toBeInstanceOf(TimeoutError)
    expect([failed!.status, server.requests.length]).toEqual([503, 1])
  })
})

const byId = methods.filter(({ ids }) => ids.length > 0)
test.each(byId)('$name refuses an id that is missing before any request', async called => {
  using server = createStubServer(emptyPage)
  const clients = createClients({ baseUrl: server.url })
  const path = called.request.split(' /')[1]!
  const before = path.slice(0, path.lastIndexOf(`/${called.ids.at(-1)}`) + 1)
  const missing: [lastId: unknown, word: string][] = [
    [undefined, 'undefined'],
    [null, 'null'],
    ['', 'empty'],
    [' ', 'blank'],
    [Number.NaN, 'NaN'],
    [{ id: 1 }, 'an object'],
  ]
  for (const [lastId, word] of missing) {
    const error = await catchError(callMethod(clients, called, { lastId }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error!.message).toBe(
      `The id after ${before} must be the number or UUID of a record; it is ${word}`,
    )
  }
  expect(server.requests).toEqual([])
})
