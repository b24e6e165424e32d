import { describe, expect, spyOn, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { MAX_DOCUMENT_BYTES } from '../../../server/providers/download'
import type { ProviderErrorKind } from '../../../server/providers/provider-errors'
import type { Constants } from '../../../server/settings/constants'
import { createTestClient } from './client'
import { createStubServer, stuckResponse } from '../../sdk/stub-server'

type Method = 'get' | 'post'
type Respond = Parameters<typeof createStubServer>[0]

const RETRIES = 2
const Answer = Type.Object({ ok: Type.Literal(true) })
const succeed = () => Response.json({ ok: true })
const silent = () => new Promise<Response>(() => {})
/** With the provider's own code, and a wait that keeps the test short. */
const fail = (status: number, kind?: ProviderErrorKind) => () =>
  Response.json({ kind }, { status, headers: { 'retry-after': '0' } })

/** Calls a provider that gives these responses, and tells how often and with which result. */
async function call(method: Method, responses: Respond[], constants: Partial<Constants> = {}) {
  using provider = createStubServer(...responses)
  const readKind = (body: unknown) => Object(body).kind as ProviderErrorKind | undefined
  const { client } = createTestClient({ PROVIDER_RETRIES: RETRIES, ...constants }, readKind)
  const result = await client.requestJson(method, provider.url, Answer).then(
    () => 'success',
    (error: Error & { status: number; cause: Error }) => `${error.status} ${error.cause.message}`,
  )
  return { result, attempts: provider.requests.length }
}

const hurried = { PROVIDER_TIMEOUT_MS: 500, PROVIDER_TOTAL_TIMEOUT_MS: 8000 }

describe('a GET', () => {
  test.each([408, 429, 500, 502, 503, 504])('answered %d is tried again', async status => {
    const response = await call('get', [fail(status), fail(status), succeed])
    expect(response).toEqual({ result: 'success', attempts: 3 })
  })

  test.each([400, 401, 403, 404])('answered %d is not', async status => {
    expect(await call('get', [fail(status), succeed])).toMatchObject({ attempts: 1 })
  })

  test('that is not answered in time is tried as often as the constant says', async () => {
    const { attempts } = await call('get', [silent], hurried)
    expect(attempts).toBe(1 + RETRIES)
  })
})

test('a provider is not followed to another address, which would get the credentials', async () => {
  const moved = () => new Response(null, { status: 307, headers: { location: '/elsewhere' } })
  expect(await call('post', [moved, succeed])).toEqual({
    result: expect.stringMatching(/^503 test POST .* answered 307$/),
    attempts: 1,
  })
})

describe('a POST', () => {
  const cases: [status: number, kind: ProviderErrorKind | undefined, attempts: number][] = [
    [408, undefined, 1],
    [429, undefined, 3],
    [500, undefined, 1],
    [502, undefined, 1],
    [503, undefined, 3],
    [504, undefined, 1],
    [400, 'rate_limited', 3],
    [503, 'rate_limited', 3],
    [503, 'failed', 3],
    [500, 'failed', 1],
    [503, 'rejected', 1],
    [429, 'misconfigured', 1],
    [429, 'undeliverable', 1],
  ]
  test.each(cases)('answered %d, %p, is sent %d times', async (status, kind, attempts) => {
    const response = await call('post', [fail(status, kind), fail(status, kind), succeed])
    expect(response.attempts).toBe(attempts)
  })

  test('that is not answered in time is sent once: the provider may have worked on it', async () => {
    expect(await call('post', [silent], hurried)).toMatchObject({ attempts: 1 })
  })

  test.each(['ConnectionRefused', 'ECONNREFUSED'])('that was refused, %s, is sent again', async code => {
    using fetch = spyOn(globalThis, 'fetch')
    fetch.mockRejectedValueOnce(Object.assign(new Error('refused'), { code }))
    expect(await call('post', [succeed])).toEqual({ result: 'success', attempts: 1 })
  })

  test('whose connection was lost is not', async () => {
    using fetch = spyOn(globalThis, 'fetch')
    fetch.mockRejectedValueOnce(Object.assign(new Error('lost'), { code: 'ECONNRESET' }))
    expect(await call('post', [succeed])).toMatchObject({ attempts: 0 })
  })
})

describe('the waits between attempts', () => {
  /** Waits that are over at once, and how long they would have been. */
  async function listWaits(random: number) {
    const waits: number[] = []
    const { setTimeout } = globalThis
    const skip = (work: () => void, ms = 0) => {
      if (ms === TIMEOUT_MS) return setTimeout(work, ms)
      waits.push(Math.round(ms))
      return setTimeout(work, 0)
    }
    using _ = spyOn(globalThis, 'setTimeout').mockImplementation(skip as unknown as typeof setTimeout)
    using dice = spyOn(Math, 'random').mockReturnValue(random)
    const busy = () => new Response('', { status: 503 })
    const constants = { PROVIDER_RETRIES: 8, PROVIDER_TIMEOUT_MS: TIMEOUT_MS }
    await call('get', [busy], { ...constants, PROVIDER_TOTAL_TIMEOUT_MS: 60_000 })
    expect(dice).toHaveBeenCalled()
    return waits
  }
  const TIMEOUT_MS = 59_000

  test('double up to ten seconds', async () => {
    expect(await listWaits(1)).toEqual([300, 600, 1200, 2400, 4800, 9600, 10_000, 10_000])
  })

  test('differ, so that callers do not come back together', async () => {
    expect(await listWaits(0.5)).toEqual([150, 300, 600, 1200, 2400, 4800, 9600, 10_000])
  })
})

describe('all attempts together', () => {
  const total = { PROVIDER_TIMEOUT_MS: 120_000, PROVIDER_TOTAL_TIMEOUT_MS: 500 }

  test.each<Method>(['get', 'post'])('end in time: a %s waits no hour for the next one', async method => {
    const limited = () => new Response('', { status: 429, headers: { 'retry-after': '3600' } })
    expect(await call(method, [limited, succeed], total)).toMatchObject({ attempts: 1 })
  })

  const unfinished: [what: string, respond: Respond][] = [
    ['no response', silent],
    ['half a body', stuckResponse],
  ]
  const endless = (['get', 'post'] as const).flatMap(method =>
    unfinished.map(([what, respond]) => [method, what, respond] as const),
  )
  test.each(endless)('end in time, also if a %s gets %s', async (method, _, respond) => {
    const { result, attempts } = await call(method, [respond, succeed], total)
    expect(result).toEndWith(': TimeoutError')
    expect(attempts).toBe(1)
  })
})

const toBody = (bytes: number) => JSON.stringify({ ok: true }).padEnd(bytes)
const compress = (bytes: number) => () =>
  new Response(Bun.gzipSync(Buffer.from(toBody(bytes))), { headers: { 'content-encoding': 'gzip' } })

const forms: [form: string, respond: (bytes: number) => Respond][] = [
  ['with its length', bytes => () => new Response(toBody(bytes))],
  ['in chunks', bytes => () => new Response(new Blob([toBody(bytes)]).stream())],
  ['compressed', compress],
]
test.each(forms)('a response %s has at most 10 MiB', async (_, respond) => {
  expect(await call('get', [respond(MAX_DOCUMENT_BYTES)])).toMatchObject({ result: 'success' })
  expect((await call('get', [respond(MAX_DOCUMENT_BYTES + 1)])).result).toStartWith('503')
})
