import { afterAll, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../server/faults'
import { createTestClient } from './client'

const json = (body: unknown, init?: ResponseInit) => Response.json(body, init)
const responses: Record<string, () => Response | Promise<Response>> = {
  '/ok': () => json({ downloadUrl: 'x' }),
  '/list': () => json([]),
  '/field': () => json({ downloadUrl: 1 }),
  '/text': () => new Response('the secret', { headers: { 'content-type': 'application/json' } }),
  '/none': () => new Response(null, { status: 204 }),
  '/error': () => json({ downloadUrl: 'x' }, { status: 502 }),
  '/silent': () => new Promise(() => {}),
  '/moved': () => new Response(null, { status: 307, headers: { location: `${host.url}ok` } }),
}
const host = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: request => responses[new URL(request.url).pathname]?.() ?? new Response('x', { status: 404 }),
})
afterAll(() => host.stop(true))

const { client } = createTestClient({ PROVIDER_RETRIES: 0, PROVIDER_TIMEOUT_MS: 300 })
const Link = Type.Object({ downloadUrl: Type.String() })

const tell = (work: Promise<unknown>) =>
  work.then(
    () => 'success',
    (fault: Fault) => `${fault.status} ${(fault.cause as Error).message}`,
  )

test.each([
  ['/ok', 'success'],
  ['/list', '503 test POST /list gave a malformed response: /'],
  ['/field', '503 test POST /field gave a malformed response: /downloadUrl'],
  ['/none', '503 test POST /none gave a malformed response: /downloadUrl'],
  ['/text', '503 test POST /text: SyntaxError'],
  ['/error', '503 test POST /error answered 502'],
  ['/moved', '503 test POST /moved answered 307'],
  ['/silent', '503 test POST /silent: TimeoutError'],
])('JSON from %s: %s, and nothing of what it holds', async (path, expected) => {
  expect(await tell(client.requestJson('post', `${host.url}${path.slice(1)}`, Link))).toBe(expected)
})

test('a provider that is not there is not reached', async () => {
  expect(await tell(client.requestJson('get', 'http://127.0.0.1:1/x', Link))).toBe(
    '503 test GET /x: NetworkError',
  )
})
