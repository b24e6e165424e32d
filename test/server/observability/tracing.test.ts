import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freshDatabase } from '../../support/database'
import {
  sendRequest,
  createDraft,
  freshPhone,
  createLandlord,
  completeSigning,
  signInUser,
} from '../../support/users'

const root = join(import.meta.dir, '../../..')
const ended: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ended.toReversed()) await end()
})

async function start(env: Record<string, string> = {}) {
  const database = await freshDatabase()
  const running = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'test',
      PORT: '0',
      HOST: '127.0.0.1',
      RUN_JOBS: 'false',
      DATABASE_URL: database.url,
      JWT_SECRET: 'a secret that only the tests know, of more than 32 bytes',
      ESIGN_WEBHOOK_SECRET: 'another secret that only the tests know, as long',
      ...env,
    },
  })
  const end = async () => (running.kill('SIGTERM'), running.exited)
  ended.push(database.drop, end)
  let output = ''
  for await (const chunk of running.stdout.pipeThrough(new TextDecoderStream()))
    if (/Kiraya listens on (\S+?)"/.test((output += chunk))) break
  return { url: /Kiraya listens on (\S+?)"/.exec(output)![1]!, end, database }
}

type Span = {
  name: string
  kind: number
  spanId: string
  parentSpanId?: string
  traceId: string
  attributes: { key: string; value: unknown }[]
  events?: unknown[]
  status: { code?: number; message?: string }
}
function receiver() {
  const bodies: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async request => {
      bodies.push(`${new URL(request.url).pathname} ${await request.text()}`)
      return Response.json({})
    },
  })
  ended.push(() => server.stop(true))
  const spans = () =>
    bodies.flatMap(
      body =>
        JSON.parse(body.slice(body.indexOf(' '))).resourceSpans.flatMap((resource: any) =>
          resource.scopeSpans.flatMap((scope: any) => scope.spans),
        ) as Span[],
    )
  return { endpoint: `http://127.0.0.1:${server.port}`, bodies, spans }
}

const CANARIES = {
  password: 'canary-password-0'.repeat(3),
  query: 'canary-query',
  path: 'canary-path',
  name: 'Canaryfirst',
  document: 'canary-document',
}
/** A walk over what succeeds and what fails; of each answer its status, its headers' names and the shape of its body. */
async function walk(url: string) {
  const shapes: unknown[] = []
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shape)
      : value && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
        : value === null
          ? null
          : typeof value
  const seen = async (method: string, path: string, options?: Parameters<typeof sendRequest>[3]) => {
    const answer = await sendRequest(url, method, path, options)
    shapes.push([
      method,
      path.replace(/[0-9a-f-]{36}|\d+/g, '…'),
      answer.status,
      [...answer.headers.keys()].filter(name => name !== 'date').toSorted(),
      shape(answer.body),
    ])
    return answer
  }
  const owner = await createLandlord(url)
  const tenant = await signInUser(url)
  const { token } = owner
  const { agreement, property } = await createDraft(owner, [tenant], {
    document_url: `https://example.com/${CANARIES.document}.pdf`,
  })
  await completeSigning(owner, agreement.id, owner.id)
  const phone = freshPhone()
  await seen('POST', '/auth/send-otp', { body: { phone_number: phone } })
  await seen('POST', '/auth/verify', { body: { phone_number: phone, otp: '000000' } })
  await seen('POST', '/auth/verify', { body: { phone_number: phone, otp: '123456' } })
  await seen('POST', '/auth', { body: { phoneNumber: phone } })
  await seen('PUT', '/profile/complete', {
    token,
    body: {
      first_name: CANARIES.name,
      last_name: 'B',
      email: 'canary@example.com',
      password: CANARIES.password,
    },
  })
  await seen('PUT', '/profile/complete', { token, body: { first_name: 5 } })
  await seen('GET', `/agreements/${agreement.agreement_id}`, { token })
  await seen('GET', `/agreements/${agreement.id}/timeline`, { token })
  await seen('GET', `/agreements?search=${CANARIES.query}`, { token })
  await seen('GET', `/properties/search?name=${CANARIES.query}&pin_code=560048`, { token })
  await seen('PATCH', `/properties/${property.id}`, { token, body: { alias_name: CANARIES.name } })
  await seen('POST', '/properties', {
    token,
    body: { pin_code: 560048, property_type: 'pg', property_units: [{ unit_name: 'x' }] },
  })
  await seen('GET', '/dashboard', { token })
  await seen('GET', '/auth/me', { token: `${token}x` })
  await seen('GET', `/${CANARIES.path}/${CANARIES.path}`)
  await seen('GET', `/agreements/${CANARIES.path}`, { token })
  await seen('POST', '/webhooks/esign', { body: { id: 'canary-webhook' } })
  await seen('POST', '/auth/verify', { body: '{', headers: { 'content-type': 'application/json' } })
  await seen('GET', '/health/ready')
  return {
    shapes,
    secrets: [
      owner.phone,
      tenant.phone,
      phone,
      token,
      tenant.token,
      owner.user_id,
      agreement.agreement_id,
      'canary',
      'Canary',
      '123456',
      '000000',
      'asha@',
      'Asha',
    ],
  }
}

describe('traces', () => {
  const it = receiver()
  let walked: Awaited<ReturnType<typeof walk>>
  let spans: Span[]
  beforeAll(async () => {
    const traced = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: it.endpoint })
    walked = await walk(traced.url)
    expect(await traced.end()).toBe(0) // sends what is left
    spans = it.spans()
  }, 60_000)

  test('are of requests by their patterns, with the queries and the calls to providers within them', () => {
    const attributes = (span: Span) =>
      Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value as object)[0]]))
    const roots = spans.filter(span => span.kind === 2)
    const of = (name: string) => roots.filter(span => span.name === name)
    expect(it.bodies.every(body => body.startsWith('/v1/traces '))).toBe(true)
    for (const name of [
      'POST /auth/send-otp',
      'POST /auth/verify',
      'PUT /profile/complete',
      'GET /agreements/:id',
      'GET /properties/search',
      'POST /properties',
    ])
      expect(of(name).length).toBeGreaterThan(0)
    expect(of('GET /agreements/:id').map(attributes)).toContainEqual({
      'http.request.method': 'GET',
      'http.route': '/agreements/:id',
      'http.response.status_code': 200,
    })
    const within = (root: Span) => spans.filter(span => span.traceId === root.traceId)
    expect(within(of('GET /dashboard')[0]!).map(attributes)).toContainEqual(
      expect.objectContaining({ 'db.system.name': 'postgresql', 'db.operation.name': 'select' }),
    )
    expect(within(of('POST /agreements/:id/sign')[0]!).map(span => span.name)).toContain('call e-signing')
    expect(roots.filter(({ name }) => /sandbox|health/.test(name))).toEqual([])
  })

  test('tell nothing of persons: no canary, no typed path, no header, body, message or event', () => {
    const text = it.bodies.join('\n').replace(/"(\w+TimeUnixNano|\w*[sS]panId|traceId)":"\w+"/g, '')
    expect(text.length).toBeGreaterThan(10_000)
    expect(walked.secrets.filter(secret => text.includes(secret))).toEqual([])
    expect([...new Set(spans.flatMap(span => span.attributes.map(({ key }) => key)))].toSorted()).toEqual([
      'db.collection.name',
      'db.operation.name',
      'db.system.name',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'provider',
    ])
    expect(spans.filter(span => span.events?.length || span.status.message)).toEqual([])
    console.log(
      JSON.stringify({
        promise: 'tracing',
        requests: spans.filter(span => span.kind === 2).length,
        spans: spans.length,
        canaries: 0,
      }),
    )
  })

  test('change no answer: each is the same as without them', async () => {
    const plain = await start()
    expect(walked.shapes).toEqual((await walk(plain.url)).shapes)
  }, 60_000)

  test('keep nobody waiting whose receiver is gone', async () => {
    const alone = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    expect((await walk(alone.url)).shapes).toEqual(walked.shapes)
    expect(await alone.end()).toBe(0)
  }, 60_000)

  test('cost nothing where they are not wanted: nothing of them is loaded', async () => {
    const loading = async (module: string) => {
      const code = `let loaded = 0; Bun.plugin({ name: 'seen', setup: build => void build.onLoad({ filter: /@opentelemetry.(sdk|exporter|context|resources)/ }, async ({ path }) => (loaded++, { contents: await Bun.file(path).text(), loader: 'js' })) }); await import('./server/${module}'); console.log(loaded)`
      const run = Bun.spawn([process.execPath, '-e', code], {
        cwd: root,
        env: { PATH: process.env.PATH },
        stdout: 'pipe',
        stderr: 'inherit',
      })
      const loaded = Number(await new Response(run.stdout).text())
      expect(await run.exited).toBe(0)
      return loaded
    }
    expect(await loading('observability/tracing')).toBeGreaterThan(3)
    expect(await loading('process/server')).toBe(0)
  })
})
