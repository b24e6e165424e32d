import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freshDatabase } from '../../../support/database'
import {
  sendRequest,
  createDraft,
  freshPhone,
  createLandlord,
  completeSigning,
  signInUser,
} from '../../../support/users'

const root = join(import.meta.dir, '../../../..')
const ended: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ended.toReversed()) await end()
})

async function startServer(env: Record<string, string> = {}) {
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
  const end = () => {
    running.kill('SIGTERM')
    return running.exited
  }
  ended.push(database.drop, end)
  let output = ''
  for await (const chunk of running.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk
    if (/Kiraya listens on (\S+?)"/.test(output)) break
  }
  return { url: /Kiraya listens on (\S+?)"/.exec(output)![1]!, end, database }
}

function startReceiver() {
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
  return { endpoint: `http://127.0.0.1:${server.port}`, bodies }
}

const CANARIES = {
  password: 'canary-password-0'.repeat(3),
  query: 'canary-query',
  path: 'canary-path',
  name: 'Canaryfirst',
  document: 'canary-document',
}
type Options = Parameters<typeof sendRequest>[3]
function toShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShape)
  if (value === null) return null
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toShape(inner)]))
}

function listRequests(phone: string, token: string, agreement: any, property: any) {
  const sample: [method: string, path: string, options?: Options][] = [
    ['POST', '/auth/send-otp', { body: { phone_number: phone } }],
    ['POST', '/auth/verify', { body: { phone_number: phone, otp: '000000' } }],
    ['POST', '/auth/verify', { body: { phone_number: phone, otp: '123456' } }],
    ['POST', '/auth', { body: { phoneNumber: phone } }],
    ['PUT', '/profile/complete', { token, body: profile }],
    ['PUT', '/profile/complete', { token, body: { first_name: 5 } }],
    ['GET', `/agreements/${agreement.agreement_id}`, { token }],
    ['GET', `/agreements/${agreement.id}/timeline`, { token }],
    ['GET', `/agreements?search=${CANARIES.query}`, { token }],
    ['GET', `/properties/search?name=${CANARIES.query}&pin_code=560048`, { token }],
    ['PATCH', `/properties/${property.id}`, { token, body: { alias_name: CANARIES.name } }],
    ['POST', '/properties', { token, body: newProperty }],
    ['GET', '/dashboard', { token }],
    ['GET', '/auth/me', { token: `${token}x` }],
    ['GET', `/${CANARIES.path}/${CANARIES.path}`],
    ['GET', `/agreements/${CANARIES.path}`, { token }],
    ['POST', '/webhooks/esign', { body: { id: 'canary-webhook' } }],
    ['POST', '/auth/verify', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['GET', '/health/ready'],
    ['GET', '/metrics'],
    ['GET', '/docs'],
    ['GET', '/assets/none.js'],
    ['GET', '/openapi.json'],
  ]
  return sample
}
const profile = {
  first_name: CANARIES.name,
  last_name: 'B',
  email: 'canary@example.com',
  password: CANARIES.password,
}
const newProperty = { pin_code: 560048, property_type: 'pg', property_units: [{ unit_name: 'x' }] }

/** Sends valid and invalid requests; returns each response's status, header names and shape of the body. */
async function sendSampleRequests(url: string) {
  const owner = await createLandlord(url)
  const tenant = await signInUser(url)
  const { token } = owner
  const { agreement, property } = await createDraft(owner, [tenant], {
    document_url: `https://example.com/${CANARIES.document}.pdf`,
  })
  await completeSigning(owner, agreement.id, owner.id)
  const phone = freshPhone()
  const shapes: unknown[] = []
  for (const [method, path, options] of listRequests(phone, token, agreement, property)) {
    const { status, headers, body } = await sendRequest(url, method, path, options)
    const headerNames = [...headers.keys()].filter(name => name !== 'date').toSorted()
    shapes.push([method, path.replace(/[0-9a-f-]{36}|\d+/g, '…'), status, headerNames, toShape(body)])
  }
  const ids = [owner.user_id, agreement.agreement_id]
  const texts = ['canary', 'Canary', '123456', '000000', 'asha@', 'Asha']
  return { shapes, secrets: [owner.phone, tenant.phone, phone, token, tenant.token, ...ids, ...texts] }
}

// What spans hold is tested in process; here is what tracing does to a server as a process.
const receiver = startReceiver()
let sample: Awaited<ReturnType<typeof sendSampleRequests>>
beforeAll(async () => {
  const traced = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint })
  sample = await sendSampleRequests(traced.url)
  // The exit flushes the spans.
  expect(await traced.end()).toBe(0)
}, 60_000)

test('spans are sent to the receiver, without a canary', () => {
  expect(receiver.bodies.every(body => body.startsWith('/v1/traces '))).toBe(true)
  const text = receiver.bodies.join('\n').replace(/"(\w+TimeUnixNano|\w*[sS]panId|traceId)":"\w+"/g, '')
  expect(text.length).toBeGreaterThan(10_000)
  expect(sample.secrets.filter(secret => text.includes(secret))).toEqual([])
})

test.each([
  ['without tracing', {}],
  ['with a receiver that cannot be reached', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }],
])(
  'responses are the same %s',
  async (_, env: Record<string, string>) => {
    const other = await startServer(env)
    expect((await sendSampleRequests(other.url)).shapes).toEqual(sample.shapes)
    expect(await other.end()).toBe(0)
  },
  60_000,
)

test('no tracing module is loaded unless tracing is on', async () => {
  const countLoaded = async (module: string) => {
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
  expect(await countLoaded('observability/tracing')).toBeGreaterThan(3)
  expect(await countLoaded('process/server')).toBe(0)
})
