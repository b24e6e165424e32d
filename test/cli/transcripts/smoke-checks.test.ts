import { expect, test } from 'bun:test'
import { createShell } from '../shell'
import { createExampleServer, parseAnswer } from './server'

/** What a server without an error answers to a new landlord and tenant, unlike the examples. */
const usual = [
  'POST /properties {"id":4,"property_units":[{"id":16}]}',
  'POST /agreements {"id":14,"status":"DRAFT","deposit_amount":100000}',
  'POST /auth/verify {"status":"LOGIN_SUCCESSFUL","user":{"id":2,"phone":"9123456789"}}',
  'GET /auth/me {"user":{"id":2,"has_completed_profile":true,"has_verified_profile":true}}',
  'GET /dashboard {"stats":{"total_properties":0,"total_tenants":1}}',
  'GET /properties/4/units/16 {"is_available":false}',
  'GET /charges {"data":[{"type":"deposit","amount_outstanding":0},{"type":"rent","amount_outstanding":0}]}',
  'POST /maintenance-requests {"id":4,"status":"open"}',
  'POST /maintenance-requests/4/attachments {"content_type":"image/webp"}',
  'POST /maintenance-requests/4/status {"status":"resolved","charge_id":31}',
  'GET /charges/31 {"type":"maintenance","amount":850}',
  'POST /agreements/14/payments {"status":"posted","unapplied_amount":0}',
  'GET /agreements/14/deposit {"held":100000}',
  'POST /agreements/14/terminate {"status":"TERMINATED"}',
  'POST /agreements/14/deposit/settlement/post {"status":"posted","refund_amount":100000}',
  'POST /agreements/14/complete {"status":"COMPLETED"}',
]

type Step = { step: string; status: string; reason?: string }

/** What smoke reports of a server that answers otherwise. */
async function runSmoke(answers: string[], flags = '', env: Record<string, string> = {}) {
  using server = createExampleServer(() => [...usual, ...answers].map(parseAnswer))
  using shell = createShell(server.url)
  const run = await shell.kiraya(`smoke ${flags} --json`, { env })
  const { failed_step, steps } = run.data as { failed_step: string | null; steps: Step[] }
  const passed = steps.filter(({ status }) => status === 'passed').map(({ step }) => step)
  return { exitCode: run.exitCode, failed_step, steps, passed, requests: server.requests }
}

const noSandbox = 'GET /sandbox/control 404 NOT_FOUND'

test.each([
  ['', 'sign in a landlord', 'needs the sandbox, --otp or a stored sign-in', 2],
  ['a.b.c', 'create a tenant', 'needs users of its own', 7],
])('without the sandbox and with the token %p smoke ends at "%s"', async (...given) => {
  const [KIRAYA_TOKEN, step, reason, passed] = given
  const answers = [noSandbox, 'GET /dashboard {"stats":{"total_properties":1,"total_tenants":1}}']
  const smoke = await runSmoke(answers, '', { KIRAYA_TOKEN })
  expect([smoke.exitCode, smoke.passed.length]).toEqual([0, passed])
  expect(smoke.steps.slice(-2)).toMatchObject([
    { step, status: 'skipped', reason },
    { step: 'clean up', status: 'passed' },
  ])
})

test('4: --otp is tried also where there is no sandbox', async () => {
  const smoke = await runSmoke([noSandbox, 'POST /auth/verify 401 UNAUTHORIZED wrong_otp'], '--otp 000000')
  expect([smoke.exitCode, smoke.failed_step]).toEqual([4, 'sign in a landlord'])
})

test('smoke passes on the usual server, and pays back an advance before it completes the agreement', async () => {
  const advances = 'GET /payments {"data":[{"unapplied_amount":0.1},{"unapplied_amount":0.2}]}'
  const { failed_step, requests } = await runSmoke([advances])
  expect(failed_step).toBeNull()
  const refund = requests.find(({ path }) => path === '/agreements/14/refunds')!
  expect(refund.body).toEqual({ amount: 0.3, method: 'upi' })
})

test.each([
  ['GET /health 503 SERVICE_UNAVAILABLE', 'see the server ready'],
  ['POST /auth/verify 401 UNAUTHORIZED wrong_otp', 'sign in a landlord'],
  [
    'GET /auth/me {"user":{"has_completed_profile":false,"has_verified_profile":true}}',
    'complete the profile',
  ],
  [
    'GET /auth/me {"user":{"has_completed_profile":true,"has_verified_profile":false}}',
    'verify the identity',
  ],
  ['GET /dashboard {"stats":{"total_properties":1,"total_tenants":1}}', 'see the dashboard'],
  ['POST /properties {"city":"Chennai"}', 'create a property with units'],
  ['POST /tenants {"id":3}', 'create a tenant'],
  ['POST /agreements {"status":"PENDING"}', 'create an agreement'],
  ['POST /agreements/14/sign 503 SERVICE_UNAVAILABLE', 'sign as the landlord'],
  ['GET /agreements/14/signatures {"allSigned":false}', 'see the agreement active'],
  ['GET /properties/4/units/16 {"is_available":true}', 'see the agreement active'],
  ['GET /dashboard {"stats":{"total_properties":0,"total_tenants":2}}', 'see the agreement active'],
  ['GET /agreements/14/timeline {"intact":false}', 'read the timeline'],
  ['GET /agreements/14/document {"file":"<html>"}', 'download the signed document'],
  ['GET /agreements/14/certificate {"file":"%PDX-1"}', 'download the certificate'],
  ['POST /maintenance-requests {"status":"closed"}', 'raise a maintenance request'],
  [
    'POST /maintenance-requests/4/attachments {"content_type":"application/pdf"}',
    'raise a maintenance request',
  ],
  [
    'POST /maintenance-requests/4/status {"status":"in_progress","charge_id":31}',
    'resolve it at the cost of the tenant',
  ],
  [
    'POST /maintenance-requests/4/status {"status":"resolved","charge_id":null}',
    'resolve it at the cost of the tenant',
  ],
  ['GET /charges/31 {"type":"other","amount":850}', 'resolve it at the cost of the tenant'],
  ['GET /charges/31 {"type":"maintenance","amount":1}', 'resolve it at the cost of the tenant'],
  ['GET /charges {"data":[{"type":"rent","amount_outstanding":0}]}', 'see the deposit and the rent charged'],
  [
    'GET /charges {"data":[{"type":"deposit","amount_outstanding":0}]}',
    'see the deposit and the rent charged',
  ],
  ['POST /agreements/14/payments {"status":"reported"}', 'settle them with a payment'],
  ['POST /agreements/14/payments {"status":"posted","unapplied_amount":5}', 'settle them with a payment'],
  [
    'GET /charges {"data":[{"type":"deposit","amount_outstanding":1},{"type":"rent","amount_outstanding":0}]}',
    'settle them with a payment',
  ],
  ['POST /agreements/14/terminate {"status":"ACTIVE"}', 'terminate the agreement'],
  ['GET /agreements/14/deposit {"held":1}', 'settle and refund the deposit'],
  [
    'POST /agreements/14/deposit/settlement/post {"status":"accepted","refund_amount":100000}',
    'settle and refund the deposit',
  ],
  [
    'POST /agreements/14/deposit/settlement/post {"status":"posted","refund_amount":1}',
    'settle and refund the deposit',
  ],
  ['POST /agreements/14/complete {"status":"TERMINATED"}', 'complete the agreement'],
])('smoke on a server that answers %s: the step that fails is %p', async (answer, step) => {
  const { failed_step } = await runSmoke([answer])
  expect(failed_step).toBe(step)
})
