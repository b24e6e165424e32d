import { expect, test } from 'bun:test'
import { createClient, NetworkError, nextStep, ServerError, TimeoutError, TooManyRequestsError, ValidationError, type KirayaError } from '../../sdk'
import { hashPassword } from '../../sdk/password'
import { path } from '../../sdk/path'

/** A server that answers each request in turn from a list, the last one for ever. */
function answering(...answers: (() => Response | Promise<Response>)[]) {
  let calls = 0
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => answers[Math.min(calls++, answers.length - 1)]!() })
  return { url: `http://127.0.0.1:${server.port}`, calls: () => calls, [Symbol.dispose]: () => void server.stop(true) }
}
const failure = (status: number, code: string, headers: Record<string, string> = {}) => () => Response.json({ success: false, data: null, error: { code, message: 'No' } }, { status, headers: { 'x-request-id': 'r1', ...headers } })
const fine = () => Response.json({ success: true, data: { user: {}, status: 'LOGIN_SUCCESSFUL' } })
const thrown = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as KirayaError)

test('429: says how long to wait', async () => {
  using it = answering(failure(429, 'TOO_MANY_REQUESTS', { 'retry-after': '30' }))
  const error = await thrown(createClient({ baseUrl: it.url }).auth.sendOtp('9876543210'))
  expect(error).toBeInstanceOf(TooManyRequestsError)
  expect(error).toMatchObject({ retryAfter: 30, requestId: 'r1', status: 429 })
})

test('500 and an answer that is no JSON are the server’s errors', async () => {
  using it = answering(() => new Response('<html>', { status: 500 }))
  expect(await thrown(createClient({ baseUrl: it.url }).auth.sendOtp('9876543210'))).toBeInstanceOf(ServerError)
})

test('a read is tried again, what creates something is not', async () => {
  using reads = answering(failure(503, 'SERVICE_UNAVAILABLE'), fine)
  expect((await createClient({ baseUrl: reads.url }).auth.me()).status).toBe('LOGIN_SUCCESSFUL')
  expect(reads.calls()).toBe(2)
  using writes = answering(failure(503, 'SERVICE_UNAVAILABLE'), fine)
  expect(await thrown(createClient({ baseUrl: writes.url }).properties.create({ pin_code: 560001, property_type: 'pg' }))).toBeInstanceOf(ServerError)
  expect(writes.calls()).toBe(1)
})

test('nobody there, and nobody answering in time', async () => {
  expect(await thrown(createClient({ baseUrl: 'http://127.0.0.1:1' }).auth.sendOtp('9876543210'))).toBeInstanceOf(NetworkError)
  using slow = answering(async () => (await Bun.sleep(2000), fine()))
  expect(await thrown(createClient({ baseUrl: slow.url, timeoutMs: 50 }).auth.sendOtp('9876543210'))).toBeInstanceOf(TimeoutError)
})

test('a fetch of one’s own is used', async () => {
  const asked: string[] = []
  const own = Object.assign(async (input: Parameters<typeof fetch>[0]) => (asked.push(input instanceof Request ? input.url : String(input)), fine()), { preconnect: fetch.preconnect })
  await createClient({ baseUrl: 'http://kiraya.example/', fetch: own, token: 'a.b.c' }).auth.me()
  expect(asked).toEqual(['http://kiraya.example/auth/me'])
})

test('Variant A’s sentences become fields and rules', async () => {
  using it = answering(() => Response.json({ statusCode: 400, message: ['firstName is required'], error: 'Bad Request' }, { status: 400 }))
  const error = await thrown(createClient({ baseUrl: it.url, variant: 'a' }).auth.sendOtp('9876543210'))
  expect(error).toBeInstanceOf(ValidationError)
  expect((error as ValidationError).broken).toEqual([{ property: 'first_name', constraints: { valid: 'firstName is required' } }])
})

test('the password hash is PBKDF2-HMAC-SHA-256 with 600,000 rounds over a salt of the phone number', async () => {
  const { pbkdf2Sync } = await import('node:crypto')
  expect(await hashPassword('9876543210', 'pässword')).toBe(pbkdf2Sync('pässword', 'kiraya:9876543210', 600_000, 32, 'sha256').toString('hex'))
})

test('an id stays within its segment of the path', () => {
  expect(path`properties/${'../x?y#z'}/units/${7}`).toBe('properties/..%2Fx%3Fy%23z/units/7')
  expect(path`properties/${'..'}`).toBe('properties/%2E%2E')
})

test.each([[undefined, 'sign-in'], [null, 'sign-in'], ['NEEDS_PROFILE_COMPLETION', 'complete-profile'], ['NEEDS_VERIFICATION', 'verify-identity'], ['LOGIN_SUCCESSFUL', 'dashboard']] as const)('status %s routes to %s', (status, step) => {
  expect(nextStep(status)).toBe(step)
})

test('the bundle for browsers holds ky and ours alone', async () => {
  const built = await Bun.build({ entrypoints: [`${import.meta.dir}/../../sdk/index.ts`], target: 'browser', minify: true, sourcemap: 'external' })
  const map = JSON.parse(await built.outputs.find(({ kind }) => kind === 'sourcemap')!.text()) as { sources: string[] }
  expect(map.sources.filter(source => !/(^|\/)sdk\/|node_modules\/ky\//.test(source))).toEqual([])
})
