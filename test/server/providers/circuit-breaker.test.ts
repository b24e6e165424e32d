import { afterAll, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { createMetrics } from '../../../server/observability/metrics'
import { createProviderClient } from '../../../server/providers/http-client'

let asked = 0
let answer: () => Response | Promise<Response> = () => Response.json({ ok: true })
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => (asked++, answer()) })
afterAll(() => server.stop(true))
const outbound = (env: Record<string, string> = {}) =>
  createProviderClient(
    'test',
    readConfig({
      NODE_ENV: 'test',
      JWT_SECRET: 'x',
      ESIGN_WEBHOOK_SECRET: 'x',
      PROVIDER_RETRIES: '0',
      PROVIDER_TIMEOUT_MS: '200',
      PROVIDER_BREAKER_FAILURES: '3',
      PROVIDER_BREAKER_MS: '100',
      ...env,
    }),
    createLog('silent', false),
    createMetrics(),
  )
const url = `http://127.0.0.1:${server.port}/x`
const caller = (env?: Record<string, string>) => {
  const call = outbound(env)
  return async () => {
    const before = asked
    const said = await call
      .json('get', url, Type.Object({ ok: Type.Literal(true) }), { headers: { 'x-client-secret': 'hush' } })
      .then(
        () => 'fine',
        error => `${error.status} ${error.message}: ${error.cause?.message}`,
      )
    return { said, went: asked > before }
  }
}

const faults: [string, () => Response | Promise<Response>][] = [
  ['500', () => new Response('x', { status: 500 })],
  ['a malformed answer', () => Response.json({ ok: 'no' })],
  ['no JSON', () => new Response('<html>')],
  ['silence', () => new Promise<Response>(() => {})],
]
test.each(faults)(
  'after calls that failed in a row with %s the provider is left alone, then tried by one call',
  async (_, fault) => {
    const call = caller()
    answer = fault
    for (let n = 0; n < 3; n++) expect((await call()).went).toBe(true)
    expect(await call()).toEqual({
      said: '503 The test provider cannot be reached: test is left alone after failing 3 times',
      went: false,
    })
    await Bun.sleep(120)
    expect((await call()).went).toBe(true) // the trial fails too
    expect((await call()).went).toBe(false)
    answer = () => Response.json({ ok: true })
    await Bun.sleep(120)
    expect(await call()).toEqual({ said: 'fine', went: true })
    for (let n = 0; n < 2; n++) expect((await call()).said).toBe('fine')
  },
)

test('while one call tries the provider again, the others do not wait for it', async () => {
  const call = caller({ PROVIDER_TIMEOUT_MS: '5000' })
  answer = () => new Response('x', { status: 500 })
  for (let n = 0; n < 3; n++) await call()
  await Bun.sleep(120)
  const { promise, resolve } = Promise.withResolvers<Response>()
  answer = () => promise
  const before = asked
  const trial = call()
  const others = Promise.all(Array.from({ length: 5 }, call))
  expect((await others).every(({ said }) => said.includes('left alone'))).toBe(true)
  resolve(Response.json({ ok: true }))
  expect([(await trial).said, asked - before]).toEqual(['fine', 1])
})

test('a refusal shows that the provider lives, and a success forgets the failures before it', async () => {
  const call = caller()
  answer = () => new Response('x', { status: 404 })
  for (let n = 0; n < 6; n++) expect((await call()).went).toBe(true)
  for (let round = 0; round < 3; round++) {
    answer = () => new Response('x', { status: 500 })
    for (let n = 0; n < 2; n++) expect((await call()).went).toBe(true)
    answer = () => Response.json({ ok: true })
    expect((await call()).said).toBe('fine')
  }
})

test('one provider that fails leaves the others alone', async () => {
  const [one, other] = [caller(), caller()]
  answer = () => new Response('x', { status: 500 })
  for (let n = 0; n < 4; n++) await one()
  expect([(await one()).went, (await other()).went]).toEqual([false, true])
})
