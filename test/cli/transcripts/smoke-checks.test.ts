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

async function findFailedStep(answer: string) {
  using server = createExampleServer(() => [...usual, answer].map(parseAnswer))
  using shell = createShell(server.url)
  const steps = 'health,dashboard,timeline,document,certificate,end'
  const { data } = await shell.kiraya(`smoke --only ${steps} --json`)
  return data.failed_step
}

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
