import { describe, expect, test } from 'bun:test'
import {
  createClient,
  ForbiddenError,
  getNextStep,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
  type Variant,
} from '../../sdk'
import { createApp } from '../../server/app'
import { fetchChecked } from '../support/description'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { profile as details } from './calls'
import { catchError } from './stub-server'

const OTP = '123456'
const server = testServer()

async function createSignedInClient(variant?: Variant) {
  const client = createClient({ fetch: fetchChecked, baseUrl: server.url, variant })
  const phone = freshPhone()
  await client.auth.sendOtp(phone)
  const { user } = await client.auth.verify(phone, OTP)
  return { client, phone, id: user.id }
}

/** A client whose user has finished the onboarding. */
async function createOnboardedClient() {
  const signedIn = await createSignedInClient()
  const { profile } = signedIn.client
  await profile.complete(details)
  const { verification_id } = await profile.startKyc()
  await profile.completeKyc(verification_id)
  return signedIn
}

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

test('a password signs in, and the server stores its own hash', async () => {
  const { client, phone } = await createOnboardedClient()
  await client.profile.complete({ ...details, password: 'correct horse' })
  const other = createClient({ fetch: fetchChecked, baseUrl: server.url })

  const wrong = await catchError(other.auth.login(phone, 'wrong horse'))
  const right = await other.auth.login(phone, 'correct horse')

  expect(wrong).toBeInstanceOf(UnauthorizedError)
  expect(right.user.phone).toBe(phone)
  const stored = await server
    .em()
    .getKysely<{ users: { phone: string; password: string } }>()
    .selectFrom('users')
    .select('password')
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow()
  expect(stored.password).toStartWith('$argon2id$')
})

test('properties, units and an agreement live from their creation to their end', async () => {
  const landlord = await createOnboardedClient()
  const tenant = await createOnboardedClient()
  const { agreements, properties, tenants, units } = landlord.client
  const property = await properties.create({
    pin_code: 682001,
    property_type: 'gated_community_villa',
    society_building: 'Marine Villas',
  })
  expect(property).toMatchObject({ city: 'Kochi', property_units: [] })
  const unit = await units.create(property.property_id, { unit_name: 'V-1', area_sqft: 1200.5 })
  expect((await units.update(property.id, unit.id, { area_sqft: null })).area_sqft).toBeNull()
  const page = await units.list(property.id)
  expect(page.metadata).toEqual({ page: 1, limit: 50, total: 1, total_pages: 1 })
  const [candidate] = await properties.search({ name: 'marine vilas', pin_code: 682001 })
  expect(candidate).toMatchObject({ property_id: property.property_id })

  const named = await tenants.create({ phone_number: tenant.phone, first_name: 'Tara' })
  expect(named.id).toBe(tenant.id)
  const draft = await agreements.create({
    property_unit_id: unit.id,
    tenant_ids: [tenant.id],
    document_url: 'https://example.com/a.pdf',
    agreement_start_date: '2026-12-01',
    tenure_in_months: 11,
    rent_amount: 15000.5,
    rent_due_day: 31,
    notice_period_days: 60,
  })
  expect(draft).toMatchObject({ status: 'DRAFT', rent_amount: 15000.5 })
  expect((await agreements.update(draft.id, { deposit_amount: 5000 })).deposit_amount).toBe(5000)

  for (const { client, id } of [landlord, tenant]) {
    const signing = await client.agreements.sign(draft.agreement_id, { signer_id: id })
    expect(signing.status).toBe('pending')
    await fetch(`${signing.signing_url}/sign`, { method: 'POST' })
  }
  expect((await agreements.signatures(draft.id)).allSigned).toBe(true)
  expect((await agreements.get(draft.id)).status).toBe('ACTIVE')
  expect((await tenants.list()).data).toMatchObject([{ id: tenant.id, phone: tenant.phone }])

  expect(await catchError(agreements.delete(draft.id))).toBeInstanceOf(ForbiddenError)
  expect((await agreements.terminate(draft.id)).status).toBe('TERMINATED')
  expect((await agreements.complete(draft.id)).status).toBe('COMPLETED')
  expect((await units.delete(property.id, unit.id)).message).toBeString()
  expect((await properties.delete(property.id)).message).toBeString()
})

test('iterate yields the items of every page', async () => {
  const { client } = await createOnboardedClient()
  const expectedNames = ['a', 'b', 'c', 'd', 'e']
  for (const alias_name of expectedNames)
    await client.properties.create({ pin_code: 110001, property_type: 'pg', alias_name })

  const names: string[] = []
  const properties = client.properties.iterate({ limit: 2, sort: 'alias_name' })
  for await (const { alias_name } of properties) names.push(alias_name)

  expect(names).toEqual(expectedNames)
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
