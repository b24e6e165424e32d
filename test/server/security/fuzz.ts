import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { createApp } from '../../../server/app'
import { createLog } from '../../../server/observability/log'
import { signWebhook } from '../../../server/providers/signing/setu/signature'
import {
  applyMutation,
  fuzzRequest,
  type FuzzedOperation,
  type FuzzRequest,
} from '../../support/fuzz-requests'
import { listCases } from '../../support/one-violation'
import { listOperations, type Operation } from '../../support/operations'
import { freshPhone, createLandlord, signInUser, type TestUser } from '../../support/users'
import { OTP_LIMIT_TOTAL, wideLimits } from '../../support/wide-limits'
import { createRawClient, type RawResponse } from '../../support/raw-client'
import { chooseSeed } from '../../support/random'
import { report } from '../../support/round'
import { testServer, type TestServer } from '../../support/server'
import { operations as rows } from '../../operations'
import { createFixture, toPath, type Fixture } from '../../operations/fixture'

// Random requests to every operation: no 5xx, every error in the form of a variant, and no internals in errors.
// A failure prints its seed; SEED=… repeats it.
const seed = chooseSeed()
const OPS_TOKEN = 'the token of those who operate this server'
const errors: string[] = []
const log = createLog('error', false, {
  write: line => void (line.includes('"level":"error"') && errors.push(line)),
})
const counts: Record<string, number> = {}
let server: TestServer
let operations: FuzzedOperation[]
let client: ReturnType<typeof createRawClient>

type Place = Fixture & { token: string }
let place: Place | undefined
let people: Record<'owner' | 'manager' | 'tenant', TestUser> | undefined
async function createPlace({ route, path }: Operation): Promise<Place> {
  const [owner, manager, tenant] = people
    ? [people.owner, people.manager, people.tenant]
    : await Promise.all([createLandlord(server), signInUser(server), signInUser(server)])
  people = { owner, manager, tenant }
  const [access] = rows[route]!.access
  const fixture = await createFixture(server, people, { ...rows[route], ...access })
  return { ...fixture, token: /^\/(operations|metrics)/.test(path) ? OPS_TOKEN : owner.token }
}

/** Values of existing records for fields that need them. */
const realValues: Record<string, (place: Place) => unknown> = {
  property_unit_id: ({ unit }) => unit.id,
  tenant_ids: ({ tenant }) => [tenant.id],
  signer_id: ({ tenant }) => tenant.id,
  managed_by_id: ({ owner }) => owner.id,
  signing_order: ({ tenant, owner }) => [tenant.id, owner.id],
  phone_number: freshPhone,
  phoneNumber: freshPhone,
  pin_code: () => 560048,
  property_units: () => [{ unit_name: 'A' }],
}

function isErrorOf(variant: 'a' | 'b', { error, ...body }: any, status: number) {
  if (variant === 'b') {
    const isKnown = (name: string) => ['code', 'reason', 'message', 'details'].includes(name)
    const isWhole = !!error?.code && !!error.message && Object.keys(error).every(isKnown)
    return isWhole && Bun.deepEquals(body, { success: false, data: null })
  }
  const { message, ...rest } = body
  return Bun.deepEquals(rest, { statusCode: status }) && typeof error === 'string' && message.length > 0
}

/** Words of the database, the source files and the libraries. */
const INTERNALS =
  /\b(select|insert into|update|delete from)\b.*\b(from|where|values|set|returning)\b|syntax error at|violates|duplicate key|relation "|column "|pg_|kysely|mikro|typebox|elysia|node_modules|\/server\/|\.ts:\d+|\bat \S+ \(|ECONN|ERR_[A-Z]|TypeError|SyntaxError|RangeError|is not a function|undefined is not|JSON Parse error/i
function expectNoInternals(response: RawResponse, summary: string, secrets: string[]) {
  expect([summary, INTERNALS.exec(response.text)?.[0]]).toEqual([summary, undefined])
  const leaked = secrets.filter(secret => secret.length > 5 && response.text.includes(secret))
  expect([summary, leaked]).toEqual([summary, []])
}
/** Returns the secrets that a response must not repeat: token, OTP, password and the server's own. */
function listSecrets(body: string, authorization: string) {
  // One refusal names `toString`, whatever else the request holds.
  const typed = [...body.matchAll(/"(?:otp|password)":"(?!toString")([^"\\]{6,})"/g)].map(
    ([, secret]) => secret!,
  )
  const { JWT_SECRET, ESIGN_WEBHOOK_SECRET } = server.deps.config
  return [...typed, authorization.replace(/^Bearer +/i, ''), JWT_SECRET, ESIGN_WEBHOOK_SECRET]
}

function createBody({ accepted }: FuzzedOperation, odd: FuzzRequest, current: Place) {
  if (odd.shape !== null) return odd.shape
  if (!accepted.length && !odd.mutations.length) return ''
  const fields = Object.entries(odd.body as object).map(([name, value]) => [
    name,
    odd.isReal && name in realValues ? realValues[name]!(current) : value,
  ])
  return applyMutation(Object.fromEntries(fields), odd.mutations)
}
function createPath(operation: Operation, odd: FuzzRequest, current: Place) {
  let path = operation.path
  for (const [name, id] of Object.entries(odd.ids)) if (id !== null) path = path.replace(`{${name}}`, id)
  return toPath(path, current)
}
function createRequest(operation: FuzzedOperation, odd: FuzzRequest, current: Place) {
  const path = createPath(operation, odd, current)
  const body = createBody(operation, odd, current)
  const target = odd.query ? `${path}?${odd.query}` : path
  const authorization =
    odd.token === null ? `Bearer ${current.token}` : odd.token.replaceAll('TOKEN', current.token)
  const isSigned = path === '/webhooks/esign' && odd.isReal
  const signature = isSigned ? signWebhook(body, server.deps.config.ESIGN_WEBHOOK_SECRET) : undefined
  const headers: [string, string][] = [
    ['authorization', authorization],
    ['content-type', odd.type],
    ...(signature ? [['x-setu-signature', signature] as [string, string]] : []),
    ...odd.headers,
  ]
  const summary = `${odd.method} ${target.slice(0, 300)} ${body.slice(0, 300)} ${odd.type} ${JSON.stringify(odd.headers)}`
  return { method: odd.method, target, path, headers, body, authorization, summary }
}
type Request = ReturnType<typeof createRequest>

function expectSafeError(response: RawResponse, { summary, authorization, body }: Request) {
  const error = JSON.parse(response.text)
  const isWhole = (['a', 'b'] as const).some(variant => isErrorOf(variant, error, response.status))
  expect([summary, response.text.slice(0, 300), isWhole]).toEqual([summary, expect.any(String), true])
  expectNoInternals(response, summary, listSecrets(body, authorization))
}

/** Drops the records that a request has changed, so that the next request finds what it needs. */
async function resetAfter({ method, path }: Request, status: number, operation: Operation) {
  if (status >= 300) return
  const isChanged = !['GET', 'HEAD', 'OPTIONS'].includes(method)
  if (isChanged && /logout|profile/.test(path)) people = undefined
  if (isChanged && (operation.params.length || !people)) place = undefined
  if (!path.startsWith('/sandbox/control')) return
  const headers: [string, string][] = [['content-type', 'application/json']]
  await client.send({ method: 'DELETE', target: '/sandbox/control/failures', headers, body: '' })
  await client.send({ method: 'POST', target: '/sandbox/control/clock', headers, body: '{"reset":true}' })
}

async function sendFuzzRequest(operation: FuzzedOperation, odd: FuzzRequest) {
  place ??= await createPlace(operation)
  const request = createRequest(operation, odd, place)
  const { method, target, headers, body, summary } = request
  const file = odd.isReal ? odd.file : null
  const response = await client.send({ method, target, headers, body: file ?? body })
  const { status, text } = response

  expect([summary, status, status < 500 || text.slice(0, 500)]).toEqual([summary, status, true])
  if (status >= 400 && method !== 'HEAD') expectSafeError(response, request)
  const kind = `${Math.floor(status / 100)}xx`
  counts[kind] = (counts[kind] ?? 0) + 1
  await resetAfter(request, status, operation)
}

/** Sends at least so many requests, as many to each operation. */
export function testRandomRequests(total: number) {
  server = testServer({
    overrides: { log },
    env: { OTP_LIMIT_TOTAL, OPS_TOKEN },
    constants: wideLimits,
  })
  beforeAll(async () => {
    const { routes } = createApp(server.deps)
    operations = (await listOperations(server.url)).map(operation => {
      const schema = routes.find(({ method, path }) => `${method} ${path}` === operation.route)?.hooks.body
      return { ...operation, accepted: schema ? listCases(schema).accepted.map(({ value }) => value) : [] }
    })
    client = createRawClient(server.url)
  })
  afterAll(() => client.close())

  test(`no 5xx, and every error in the form of a variant (seed ${seed})`, async () => {
    const numRuns = Math.ceil(total / operations.length)
    for (const operation of operations) {
      // A user may make so many changes in a day.
      people = undefined
      place = undefined
      const property = fc.asyncProperty(fuzzRequest(operation), odd => sendFuzzRequest(operation, odd))
      await fc.assert(property, { seed, numRuns, reporter: found => reportFailure(operation, found) })
    }
    const requests = Object.values(counts).reduce((sum, count) => sum + count, 0)
    expect(requests).toBeGreaterThanOrEqual(total)
    // The requests must cover both success and failure.
    expect(counts['2xx']).toBeGreaterThan(requests / 20)
    expect(counts['4xx']).toBeGreaterThan(requests / 3)
    report('bad input', { requests, operations: operations.length, ...counts, seed })
  }, 900_000)

  test('after all requests, no prototype is polluted, no error is logged, and the server is ready', async () => {
    for (const name in {}) expect.unreachable(`Object.prototype has ${name}`)
    expect(errors).toEqual([])
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
  })
}

function reportFailure({ route }: Operation, found: fc.RunDetails<[FuzzRequest]>) {
  if (!found.failed) return
  const place = `SEED=${found.seed}, path ${found.counterexamplePath}, after ${found.numRuns} runs`
  throw new Error(`${route}: ${place}`, { cause: found.errorInstance })
}
