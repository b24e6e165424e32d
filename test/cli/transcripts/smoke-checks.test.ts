import { expect, test } from 'bun:test'
import { createShell } from '../shell'
import { createExampleServer, parseAnswer } from './server'

/** What a server without a fault answers to a new landlord and tenant, unlike the examples. */
const usual = [
  'POST /auth/verify {"status":"LOGIN_SUCCESSFUL","user":{"id":2,"phone":"9123456789"}}',
  'GET /auth/me {"user":{"id":2,"has_completed_profile":true,"has_verified_profile":true}}',
  'GET /dashboard {"stats":{"total_properties":0,"total_tenants":1}}',
  'GET /properties/4/units/17 {"is_available":false}',
]

type Step = { step: string; status: string; reason?: string }

/** What smoke reports of a server that answers otherwise. */
async function runSmoke(answers: string[], flags: string, env: Record<string, string> = {}) {
  using server = createExampleServer(() => [...usual, ...answers].map(parseAnswer))
  using shell = createShell(server.url)
  const run = await shell.kiraya(`smoke ${flags} --junit smoke.xml --json`, { env })
  const { failed_step, steps } = run.data as { failed_step: string | null; steps: Step[] }
  const passed = steps.filter(({ status }) => status === 'passed').map(({ step }) => step)
  const junit = await Bun.file(`${shell.home}/smoke.xml`).text()
  return { exitCode: run.exitCode, failed_step, steps, passed, junit }
}

async function findFailedStep(answer: string) {
  const run = await runSmoke([answer], '--only health,dashboard,timeline,document,certificate,end')
  return run.failed_step
}

test('8: --json and --junit name the failed step and its error, and the clean-up comes after it', async () => {
  const smoke = await runSmoke(['POST /agreements/14/sign 503 SERVICE_UNAVAILABLE'], '')
  expect([smoke.exitCode, smoke.failed_step]).toEqual([8, 'sign-landlord'])
  const error = { code: 'SERVICE_UNAVAILABLE', request_id: 'r1' }
  expect(smoke.steps.slice(-2)).toMatchObject([
    { step: 'sign-landlord', status: 'failed', error },
    { step: 'clean-up', status: 'passed' },
  ])
  expect(smoke.junit).toContain('<failure type="SERVICE_UNAVAILABLE"')
})

const noSandbox = 'GET /sandbox/control 404 NOT_FOUND'

test.each([
  ['', 'health clean-up', 'sign-in'],
  ['a.b.c', 'health sign-in profile kyc dashboard property delete clean-up', 'agreement'],
])('without the sandbox and with the token %p smoke passes %s', async (KIRAYA_TOKEN, passed, need) => {
  const answers = [noSandbox, 'GET /dashboard {"stats":{"total_properties":1,"total_tenants":1}}']
  const smoke = await runSmoke(answers, '', { KIRAYA_TOKEN })
  expect([smoke.exitCode, smoke.passed.join(' ')]).toEqual([0, passed])
  expect(smoke.steps).toContainEqual(
    expect.objectContaining({ status: 'skipped', reason: `needs the step ${need}` }),
  )
})

test('4: --otp is tried also where there is no sandbox', async () => {
  const smoke = await runSmoke([noSandbox, 'POST /auth/verify 401 UNAUTHORIZED wrong_otp'], '--otp 000000')
  expect([smoke.exitCode, smoke.failed_step]).toEqual([4, 'sign-in'])
})

test.each<[answer: string, step: string | null]>([
  ['GET /nothing {}', null],
  ['GET /health 503 SERVICE_UNAVAILABLE', 'health'],
  ['POST /auth/verify 401 UNAUTHORIZED wrong_otp', 'sign-in'],
  ['GET /auth/me {"user":{"has_completed_profile":false,"has_verified_profile":true}}', 'profile'],
  ['GET /auth/me {"user":{"has_completed_profile":true,"has_verified_profile":false}}', 'kyc'],
  ['GET /dashboard {"stats":{"total_properties":1,"total_tenants":1}}', 'dashboard'],
  ['POST /properties {"city":"Chennai"}', 'property'],
  ['POST /tenants {"id":3}', 'tenant'],
  ['POST /agreements {"status":"PENDING"}', 'agreement'],
  ['POST /agreements/14/sign 503 SERVICE_UNAVAILABLE', 'sign-landlord'],
  ['GET /agreements/14/signatures {"allSigned":false}', 'active'],
  ['GET /properties/4/units/17 {"is_available":true}', 'active'],
  ['GET /dashboard {"stats":{"total_properties":0,"total_tenants":2}}', 'active'],
  ['GET /agreements/14/timeline {"intact":false}', 'timeline'],
  ['GET /agreements/14/document {"file":"<html>"}', 'document'],
  ['GET /agreements/14/certificate {"file":"%PDX-1"}', 'certificate'],
  ['POST /agreements/14/terminate {"status":"ACTIVE"}', 'end'],
])('smoke on a server that answers %s: the step that fails is %p', async (answer, step) => {
  expect(await findFailedStep(answer)).toBe(step)
})
