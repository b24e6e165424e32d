import { describe, expect, test } from 'bun:test'
import {
  createClient,
  ForbiddenError,
  getNextStep,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
} from '../../sdk'
import { createApp } from '../../server/app'
import { fetchChecked } from '../support/description'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { profile as details } from './proofs'
import { catchError } from './stub-server'

const OTP = '123456'
const server = testServer()

describe.each(['a', 'b'] as const)('onboarding in Variant %s', variant => {
  test('leads from the phone number to the dashboard', async () => {
    const client = createClient({ fetch: fetchChecked, baseUrl: server.url, variant })
    const phone = freshPhone()

    expect((await client.auth.sendOtp(phone)).message).toBeString()
    const signIn = await client.auth.verify(phone, OTP)
    expect(client.token).toBe(signIn.access_token)
    expect(getNextStep(signIn.status)).toBe('complete-profile')
    const user = { phone, first_name: null, has_completed_profile: false, role: 'landlord' } as const
    expect(signIn.user).toMatchObject(user)
    expect(await catchError(client.dashboard.get())).toBeInstanceOf(ForbiddenError)

    const completed = await client.profile.complete(details)
    expect(completed.user).toMatchObject({ ...details, has_completed_profile: true })
    const check = await client.profile.startKyc()
    expect(check.status).toBe('initiated')
    expect(check.verification_url).toContain('/sandbox/verify/')
    const verified = await client.profile.completeKyc(check.verification_id)
    expect(verified.user.has_verified_profile).toBe(true)

    const dashboard = await client.dashboard.get()
    expect(dashboard).toMatchObject({ user: { phone }, stats: { total_properties: 0, pending_payments: 0 } })
    expect(dashboard.recent_activity[0]).toMatchObject({
      entity_type: 'kyc_request',
      occurred_at: expect.any(String),
    })
    expect((await client.auth.me()).status).toBe('LOGIN_SUCCESSFUL')

    const unknown = client.properties.get('11111111-1111-4111-8111-111111111111')
    expect(await catchError(unknown)).toBeInstanceOf(NotFoundError)
  })

  test('400 and 401: an invalid phone number is named; a wrong one-time password, or no token', async () => {
    const client = createClient({ fetch: fetchChecked, baseUrl: server.url, variant })

    const error = await catchError(client.auth.sendOtp('123'))
    const wrongOtp = await catchError(client.auth.verify(freshPhone(), '000000'))
    const noToken = await catchError(client.dashboard.get())

    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      requestId: expect.any(String),
      details: [{ property: 'phone_number' }],
    })
    expect(wrongOtp).toBeInstanceOf(UnauthorizedError)
    expect(noToken).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
  })
})

test('a client calls an application in this process, without a connection', async () => {
  const app = createApp(server.deps)
  const kiraya = createClient({ baseUrl: 'http://localhost', fetch: request => app.handle(request) })
  const phone = freshPhone()

  expect(await catchError(kiraya.auth.me())).toBeInstanceOf(UnauthorizedError)
  await kiraya.auth.sendOtp(phone)
  const verified = await kiraya.auth.verify(phone, OTP).withResponse()

  expect(verified).toMatchObject({ status: 200, requestId: expect.any(String), data: { user: { phone } } })
  expect(app.server).toBeNull()
})

test('a fetch may answer at once, and a failing one is a network error', async () => {
  const baseUrl = 'http://localhost'
  const answer = () => Response.json({ success: true, data: { user: { id: 7 } } })
  expect((await createClient({ baseUrl, fetch: answer }).auth.me()).user.id).toBe(7)

  const fail = () => {
    throw new Error('broken')
  }
  const error = await catchError(createClient({ baseUrl, fetch: fail }).auth.me({ maxRetries: 0 }))
  expect(error).toMatchObject({ code: 'NETWORK_ERROR' })
})
