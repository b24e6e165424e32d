import { afterAll, beforeAll, expect, test } from 'bun:test'
import { context } from '@opentelemetry/api'
import { createTracing } from '../../../server/observability/tracing'

const ERROR = 2

type Attribute = { key: string; value: Record<string, unknown> }
type Span = { name: string; kind: number; attributes: Attribute[]; status: { code?: number } }

const spans: Span[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    const { resourceSpans } = (await request.json()) as any
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    return Response.json({})
  },
})

const lost = Promise.reject(new Error('lost'))
lost.catch(() => {})

beforeAll(async () => {
  const tracing = createTracing(`http://127.0.0.1:${receiver.port}`)
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
  expect(await tracing.stop()).toBeUndefined()
})
afterAll(async () => {
  context.disable()
  await receiver.stop(true)
})

const isFailed = ({ status }: Span) => status.code === ERROR

test('a request fails with a status of 500 or more', () => {
  const requests = spans.filter(({ kind }) => kind === 2)
  const failed = requests.filter(isFailed).map(({ name }) => name)
  expect(requests).toHaveLength(6)
  expect(failed.toSorted()).toEqual(['GET /500', 'GET /503'])
})

test('the queries and calls of a request have spans, which fail with them; those of no request have none', () => {
  const clients = spans.filter(({ kind }) => kind === 3)
  const seen = clients.map(span => [span.name, isFailed(span)])
  expect(seen.toSorted()).toEqual([
    ['call x', true],
    ['commit', false],
    ['insert job', true],
    ['select users', false],
  ])
})
