import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { context } from '@opentelemetry/api'
import { createTracing } from '../../../server/observability/tracing'
import { startTestServer } from '../../support/server'
import { completeSigning, createDraft, createLandlord, sendRequest, signInUser } from '../../support/users'

const ERROR = 2
const SERVER = 2
const CLIENT = 3

type Attribute = { key: string; value: Record<string, unknown> }
type Span = {
  name: string
  kind: number
  traceId: string
  attributes: Attribute[]
  events?: unknown[]
  status: { code?: number; message?: string }
}

const bodies: string[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    bodies.push(await request.text())
    return Response.json({})
  },
})
afterAll(async () => {
  context.disable()
  await receiver.stop(true)
})

/** Traces some work, and returns its spans. */
async function record(work: (tracing: ReturnType<typeof createTracing>) => Promise<unknown>) {
  bodies.length = 0
  const tracing = createTracing(`http://127.0.0.1:${receiver.port}`)
  await work(tracing)
  expect(await tracing.stop()).toBeUndefined()
  context.disable()
  const resources = bodies.flatMap(body => JSON.parse(body).resourceSpans)
  return resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope: any) => scope.spans)) as Span[]
}
const isFailed = ({ status }: Span) => status.code === ERROR
const getAttributes = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

describe('a span', () => {
  const lost = Promise.reject(new Error('lost'))
  lost.catch(() => {})

  let spans: Span[]
  beforeAll(async () => {
    spans = await record(async tracing => {
      for (const status of [200, 404, 499, 500, 503])
        tracing.endRequest(tracing.startRequest('GET'), 'GET', `/${status}`, status)

      tracing.observeQuery('select 2 from polling', Promise.resolve())
      const span = tracing.startRequest('POST')
      await tracing.runInRequest(span, async () => {
        tracing.observeQuery(' SELECT 1 from "users"', Promise.resolve())
        tracing.observeQuery('insert into "jobs"."job" values (1)', lost)
        tracing.observeQuery('commit', Promise.resolve())
        await tracing.withSpan('call x', {}, () => lost).catch(() => {})
      })
      tracing.endRequest(span, 'POST', '/queries', 201)
    })
  })

  test('of a request fails with a status of 500 or more', () => {
    const requests = spans.filter(({ kind }) => kind === SERVER)
    const failed = requests.filter(isFailed).map(({ name }) => name)
    expect(requests).toHaveLength(6)
    expect(failed.toSorted()).toEqual(['GET /500', 'GET /503'])
  })

  test('of a query or call belongs to a request, and fails with it; those of no request have none', () => {
    const clients = spans.filter(({ kind }) => kind === CLIENT)
    const seen = clients.map(span => [span.name, isFailed(span)])
    expect(seen.toSorted()).toEqual([
      ['call x', true],
      ['commit', false],
      ['insert job', true],
      ['select users', false],
    ])
  })
})

let traced: Span[]
let secrets: string[]
beforeAll(async () => {
  traced = await record(async tracing => {
    await using server = Object.assign(
      await startTestServer({ overrides: { tracing }, observe: tracing.observeQuery }),
      { [Symbol.asyncDispose]: () => server.end() },
    )
    const [owner, tenant] = [await createLandlord(server), await signInUser(server)]
    const { agreement, property } = await createDraft(owner, [tenant])
    await completeSigning(owner, agreement.id, owner.id)
    await owner.patch(`/properties/${property.id}`, { alias_name: 'Canaryname' })
    await owner.get(`/agreements/${agreement.agreement_id}`)
    await owner.get('/properties/search?name=canary-query&pin_code=560048')
    await owner.get('/agreements/canary-path')
    for (const path of ['/canary-path', '/health/ready', '/docs', '/openapi.json', '/auth/me?x=canary'])
      await sendRequest(server, 'GET', path)
    const body = { phone_number: owner.phone, password: 'canary-password-0'.repeat(3) }
    await sendRequest(server, 'POST', '/auth/login', { body })
    const ids = [owner.user_id, agreement.agreement_id]
    secrets = [owner.phone, tenant.phone, owner.token, ...ids, 'anary', '123456', 'asha@', 'Asha']
  })
})
const listRoots = () => traced.filter(({ kind }) => kind === SERVER)

test('a traced server has a span for each request, named by its route, but for those of operators and pages', () => {
  const outcomes = listRoots().map(span => {
    const found = getAttributes(span)
    return `${span.name} ${found['http.request.method']} ${found['http.response.status_code']}`
  })
  expect(outcomes).toContain('GET /agreements/:id GET 200')
  expect(outcomes).toContain('GET /agreements/:id GET 404')
  expect(outcomes).toContain('POST /agreements POST 201')
  expect(outcomes).toContain('GET none GET 404')
  expect(outcomes.filter(name => /sandbox|health|metrics|docs|assets|openapi/.test(name))).toEqual([])
})

test('a traced server has spans for the queries and provider calls of a request in its trace', () => {
  const root = listRoots().find(({ name }) => name === 'POST /agreements/:id/sign')!
  const trace = traced.filter(({ traceId }) => traceId === root.traceId)
  expect(trace.map(({ name }) => name)).toContain('call e-signing')
  expect(trace.map(getAttributes)).toContainEqual(
    expect.objectContaining({ 'db.system.name': 'postgresql', 'db.operation.name': 'select' }),
  )
})

test('a traced server has no personal data in its spans: no path, header, body, message or event', () => {
  const text = JSON.stringify(traced).replace(/"(\w+TimeUnixNano|\w*[sS]panId|traceId)":"\w+"/g, '')
  expect(text.length).toBeGreaterThan(5000)
  expect(secrets.filter(secret => text.includes(secret))).toEqual([])
  const keys = traced.flatMap(span => span.attributes.map(({ key }) => key))
  expect([...new Set(keys)].toSorted()).toEqual([
    'db.collection.name',
    'db.operation.name',
    'db.system.name',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'provider',
  ])
  expect(traced.filter(span => span.events?.length || span.status.message)).toEqual([])
})
