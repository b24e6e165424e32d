import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { detectVariant } from '../../server/http/detect-variant'
import { createLog } from '../../server/observability/log'
import { signWebhook } from '../../server/providers/signing/setu/signature'
import { applyMutation, fuzzRequest, type FuzzRequest } from '../support/fuzz-requests'
import { listOperations, type Operation } from '../support/operations'
import { freshPhone, createLandlord, signInUser, type TestUser } from '../support/users'
import { createRawClient, type RawResponse } from '../support/raw-client'
import { testServer } from '../support/server'
import { createAgreementIn, toPath, type State, type AgreementFixture } from '../support/agreement-fixture'

// Whatever is sent to whatever operation: no 5xx, every refusal in the form that its client reads, and nothing of the inside in it.
// A failure prints its seed; SEED=… brings it again.
const FULL = process.env.FAULTS === 'full'
const TOTAL = FULL ? 20_000 : 500
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const WIDE = '1000000'
const OPS_TOKEN = 'the token of those who operate this server'
const errors: string[] = []
const log = createLog('error', false, {
  write: line => void (line.includes('"level":"error"') && errors.push(line)),
})
const it = testServer({
  overrides: { log },
  env: {
    OPS_TOKEN,
    OTP_LIMIT_PER_NETWORK: WIDE,
    OTP_LIMIT_PER_PHONE: WIDE,
    OTP_LIMIT_PER_ADDRESS: WIDE,
    LOGIN_LIMIT_PER_NETWORK: WIDE,
    LOGIN_LIMIT_PER_PHONE: WIDE,
    TENANT_LIMIT_PER_LANDLORD: WIDE,
  },
})
const prototypes = [Object, Array, String, Number, Boolean, Function].map(
  each => [each, Object.getOwnPropertyNames(each.prototype).join()] as const,
)
const counts: Record<string, number> = {}
let operations: Operation[]
let client: ReturnType<typeof createRawClient>
beforeAll(async () => {
  operations = await listOperations(it.url)
  client = createRawClient(it.url)
})
afterAll(() => client.close())

/** States in which an operation has something to do. */
const needed: [RegExp, State][] = [
  [/terminate|revise|cancel/, 'PENDING'],
  [/complete$/, 'TERMINATED'],
  [/document|certificate/, 'ACTIVE'],
]
type Place = AgreementFixture & { owner: TestUser; tenant: TestUser; token: string }
let place: Place | undefined
let people: Record<'owner' | 'manager' | 'tenant', TestUser> | undefined
async function placeFor({ path }: Operation): Promise<Place> {
  const [owner, manager, tenant] = people
    ? [people.owner, people.manager, people.tenant]
    : await Promise.all([createLandlord(it.url), signInUser(it.url), signInUser(it.url)])
  people = { owner, manager, tenant }
  return {
    ...(await createAgreementIn(
      it,
      { owner, manager, tenant },
      needed.find(([where]) => where.test(path))?.[1],
    )),
    owner,
    tenant,
    token: /^\/(operations|metrics)/.test(path) ? OPS_TOKEN : owner.token,
  }
}

/** What fields hold that are to be more than well-formed. */
const real: Record<string, (place: Place) => unknown> = {
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

/** The forms that an error of this request may have: what could not be read as JSON tells nothing of its client. */
function formsFor(path: string, authorization: string | null, body: string) {
  let read: unknown
  try {
    read = JSON.parse(body)
  } catch {
    read = undefined
  }
  return new Set([read, undefined].map(each => detectVariant('both', path, authorization, each)))
}
const isOf = {
  a: (body: any, status: number) =>
    body.statusCode === status &&
    (typeof body.message === 'string' || (Array.isArray(body.message) && body.message.length > 0)) &&
    typeof body.error === 'string' &&
    Object.keys(body).length === 3,
  b: (body: any) =>
    body.success === false &&
    body.data === null &&
    typeof body.error.code === 'string' &&
    body.error.message.length > 0 &&
    Object.keys(body).length === 3 &&
    Object.keys(body.error).every(name => ['code', 'message', 'details'].includes(name)),
}

/** Words of the database, of our own files and of the libraries beneath. */
const INSIDE =
  /\b(select|insert into|update|delete from)\b.*\b(from|where|values|set|returning)\b|syntax error at|violates|duplicate key|relation "|column "|pg_|kysely|mikro|typebox|elysia|node_modules|\/server\/|\.ts:\d+|\bat \S+ \(|ECONN|ERR_[A-Z]|TypeError|SyntaxError|RangeError|is not a function|undefined is not|JSON Parse error/i
function tellsNothing(answer: RawResponse, sent: string, secrets: string[]) {
  expect([sent, INSIDE.exec(answer.text)?.[0]]).toEqual([sent, undefined])
  expect([sent, secrets.filter(secret => secret.length > 5 && answer.text.includes(secret))]).toEqual([
    sent,
    [],
  ])
}
/** What a client would not want to see again: its token, its OTP and its password. */
const secretsOf = (body: string, authorization: string | null) =>
  [...body.matchAll(/"(?:otp|password)":"([^"\\]{6,})"/g)]
    .map(([, secret]) => secret!)
    .concat(
      authorization?.replace(/^Bearer +/i, '') ?? [],
      it.deps.config.JWT_SECRET,
      it.deps.config.ESIGN_WEBHOOK_SECRET,
    )

async function ask(operation: Operation, odd: FuzzRequest) {
  place ??= await placeFor(operation)
  const here = place
  const ids = Object.entries(odd.ids).reduce(
    (path, [name, id]) => (id === null ? path : path.replace(`{${name}}`, id)),
    operation.path,
  )
  const path = toPath(ids, here)
  const target = odd.query ? `${path}?${odd.query}` : path
  const values = Object.entries(odd.body as object).map(([name, value]) => [
    name,
    odd.isReal && name in real ? real[name]!(here) : value,
  ])
  const body =
    odd.shape ??
    (operation.bodies.length || odd.mutations.length
      ? applyMutation(Object.fromEntries(values), odd.mutations)
      : '')
  const authorization =
    odd.token === null ? `Bearer ${here.token}` : odd.token.replaceAll('TOKEN', here.token)
  const signature: [string, string][] =
    path === '/webhooks/esign' && odd.isReal
      ? [['x-setu-signature', signWebhook(body, it.deps.config.ESIGN_WEBHOOK_SECRET)]]
      : []
  const sent = `${odd.method} ${target.slice(0, 300)} ${body.slice(0, 300)} ${odd.type} ${JSON.stringify(odd.headers)}`
  const answer = await client.send({
    method: odd.method,
    target,
    headers: [['authorization', authorization], ['content-type', odd.type], ...signature, ...odd.headers],
    body,
  })

  expect([sent, answer.status, answer.status < 500 || answer.text.slice(0, 500)]).toEqual([
    sent,
    answer.status,
    true,
  ])
  const {
    'cache-control': cache = '',
    'x-content-type-options': sniff,
    'x-request-id': id,
    ...others
  } = answer.headers
  expect([
    sent,
    /no-store/.test(cache),
    sniff,
    !!id,
    Object.keys(others).filter(name => /^(access-control|set-cookie|server|x-powered)/.test(name)),
  ]).toEqual([sent, true, 'nosniff', true, []])
  if (answer.status >= 400 && odd.method !== 'HEAD') {
    const read = JSON.parse(answer.text)
    const seen = (['a', 'b'] as const).find(form => isOf[form](read, answer.status))
    const pathname = URL.parse(`http://x${target}`)?.pathname ?? '/'
    const forms = answer.text.includes('The Host header')
      ? new Set(['a', 'b'])
      : formsFor(pathname, authorization.trim(), body)
    expect([sent, answer.text.slice(0, 300), forms.has(seen ?? 'none')]).toEqual([
      sent,
      answer.text.slice(0, 300),
      true,
    ])
    tellsNothing(answer, sent, secretsOf(body, authorization))
  }
  const kind = `${Math.floor(answer.status / 100)}xx`
  counts[kind] = (counts[kind] ?? 0) + 1
  // What has changed is not what the next one means to find.
  const isChanged = answer.status < 300 && !['GET', 'HEAD', 'OPTIONS'].includes(odd.method)
  if (isChanged && /logout|profile/.test(path)) people = undefined
  if (isChanged && (operation.params.length || !people)) place = undefined
  if (path.startsWith('/sandbox/control') && answer.status < 300)
    for (const [method, where, json] of [
      ['DELETE', '/faults', ''],
      ['POST', '/clock', '{"reset":true}'],
    ] as const)
      await client.send({
        method,
        target: `/sandbox/control${where}`,
        headers: [['content-type', 'application/json']],
        body: json,
      })
}

test(
  `no 5xx, and every refusal in its form (seed ${seed})`,
  async () => {
    const began = performance.now()
    const numRuns = Math.ceil(TOTAL / operations.length)
    for (const operation of operations) {
      place = undefined
      await fc.assert(
        fc.asyncProperty(fuzzRequest(operation), odd => ask(operation, odd)),
        {
          seed,
          numRuns,
          reporter: found => {
            if (found.failed)
              throw new Error(
                `${operation.route}: SEED=${found.seed}, path ${found.counterexamplePath}, after ${found.numRuns} runs and ${found.numShrinks} shrinks`,
                { cause: found.errorInstance },
              )
          },
        },
      )
    }
    const requests = Object.values(counts).reduce((sum, count) => sum + count, 0)
    expect(requests).toBeGreaterThanOrEqual(TOTAL)
    // Neither all refused nor all taken: else the requests would try nothing.
    expect(counts['2xx']).toBeGreaterThan(requests / 20)
    expect(counts['4xx']).toBeGreaterThan(requests / 3)
    console.log(
      JSON.stringify({
        promise: 'bad input',
        requests,
        operations: operations.length,
        ...counts,
        seed,
        seconds: Math.round((performance.now() - began) / 1000),
      }),
    )
  },
  FULL ? 900_000 : 60_000,
)

test('after all that nothing is polluted, nothing was logged as an error, and the server is well', async () => {
  expect(
    prototypes.map(([each, before]) => [
      each.name,
      Object.getOwnPropertyNames(each.prototype).join() === before,
    ]),
  ).toEqual(prototypes.map(([each]) => [each.name, true]))
  for (const name in {}) expect.unreachable(`Object.prototype has ${name}`)
  expect(errors).toEqual([])
  expect((await fetch(`${it.url}/health/ready`)).status).toBe(200)
})
