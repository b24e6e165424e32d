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
import { fetchChecked } from '../support/description'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { catchError } from './stub-server'

const OTP = '123456'
const server = testServer()
const details = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

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

const variants: Variant[] = ['a', 'b']

describe.each(variants)('onboarding in Variant %s', variant => {
  test('leads from the phone number to the dashboard', async () => {
    const client = createClient({ fetch: fetchChecked, baseUrl: server.url, variant })
    const phone = freshPhone()

    const { message } = await client.auth.sendOtp(phone)
    expect(message).toBeString()

    const signIn = await client.auth.verify(phone, OTP)
    expect(client.token).toBe(signIn.access_token)
    expect(getNextStep(signIn.status)).toBe('complete-profile')
    expect(signIn.user).toMatchObject({
      phone,
      first_name: null,
      has_completed_profile: false,
      role: 'landlord',
    })

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

    const { status } = await client.auth.me()
    expect(status).toBe('LOGIN_SUCCESSFUL')
  })

  test('400: an invalid phone number is named', async () => {
    const client = createClient({ fetch: fetchChecked, baseUrl: server.url, variant })

    const error = await catchError(client.auth.sendOtp('123'))

    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      requestId: expect.any(String),
      details: [{ property: 'phone_number' }],
    })
  })

  test('401: a wrong one-time password, or no token', async () => {
    const client = createClient({ fetch: fetchChecked, baseUrl: server.url, variant })

    const wrongOtp = await catchError(client.auth.verify(freshPhone(), '000000'))
    const noToken = await catchError(client.dashboard.get())

    expect(wrongOtp).toBeInstanceOf(UnauthorizedError)
    expect(noToken).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
  })

  test('403: the dashboard needs a finished onboarding', async () => {
    const { client } = await createSignedInClient(variant)
    const error = await catchError(client.dashboard.get())
    expect(error).toBeInstanceOf(ForbiddenError)
  })

  test('404: an unknown property', async () => {
    const { client } = await createSignedInClient(variant)
    const error = await catchError(client.properties.get('11111111-1111-4111-8111-111111111111'))
    expect(error).toBeInstanceOf(NotFoundError)
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

test('logout ends the session and drops the token', async () => {
  const { client } = await createSignedInClient()
  const { token } = client

  await client.auth.logout()

  expect(client.token).toBeUndefined()
  const error = await catchError(createClient({ fetch: fetchChecked, baseUrl: server.url, token }).auth.me())
  expect(error).toBeInstanceOf(UnauthorizedError)
})

test('properties and units are created, changed, found and deleted', async () => {
  const { client } = await createOnboardedClient()

  const property = await client.properties.create({
    pin_code: 682001,
    property_type: 'gated_community_villa',
    society_building: 'Marine Villas',
  })
  expect(property).toMatchObject({ city: 'Kochi', property_units: [] })

  const unit = await client.units.create(property.property_id, { unit_name: 'V-1', area_sqft: 1200.5 })
  const updated = await client.units.update(property.id, unit.id, { area_sqft: null })
  expect(updated.area_sqft).toBeNull()

  const units = await client.units.list(property.id)
  expect(units.metadata).toEqual({ page: 1, limit: 50, total: 1, total_pages: 1 })
  const [candidate] = await client.properties.search({ name: 'marine vilas', pin_code: 682001 })
  expect(candidate).toMatchObject({ property_id: property.property_id })

  const unitDeletion = await client.units.delete(property.id, unit.id)
  expect(unitDeletion.message).toBeString()
  const propertyDeletion = await client.properties.delete(property.id)
  expect(propertyDeletion.message).toBeString()
})

test('a manager gives a unit back', async () => {
  const landlord = await createOnboardedClient()
  const manager = await createOnboardedClient()
  const { user } = await manager.client.auth.me()
  const property = await landlord.client.properties.create({ pin_code: 682001, property_type: 'pg' })
  const unit = await landlord.client.units.create(property.id, { unit_name: 'V-1', managed_by_id: user.id })

  const resignation = await manager.client.units.resign(property.id, unit.id)

  expect(resignation.message).toBeString()
  const { managed_by_id, landlord_id } = await landlord.client.units.get(property.id, unit.id)
  expect(managed_by_id).toBe(landlord_id)
})

test('an agreement goes from draft to completed', async () => {
  const landlord = await createOnboardedClient()
  const tenant = await createOnboardedClient()
  const { agreements, properties, tenants, units } = landlord.client
  const property = await properties.create({ pin_code: 682001, property_type: 'gated_community_villa' })
  const unit = await units.create(property.id, { unit_name: 'V-1' })

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
  const other = await createOnboardedClient()
  await agreements.update(draft.id, { tenant_ids: [other.id] })
  const declined = await other.client.agreements.decline(draft.id, { reason: 'Moving abroad' })
  expect(declined).toMatchObject({ status: 'declined', decline_reason: 'Moving abroad' })
  await agreements.update(draft.id, { tenant_ids: [tenant.id] })
  const updated = await agreements.update(draft.id, { deposit_amount: 5000 })
  expect(updated.deposit_amount).toBe(5000)

  for (const { client, id } of [landlord, tenant]) {
    const signing = await client.agreements.sign(draft.agreement_id, { signer_id: id })
    expect(signing.status).toBe('pending')
    await fetch(`${signing.signing_url}/sign`, { method: 'POST' })
  }
  const { allSigned } = await agreements.signatures(draft.id)
  expect(allSigned).toBe(true)
  const active = await agreements.get(draft.id)
  expect(active.status).toBe('ACTIVE')
  const tenantPage = await tenants.list()
  expect(tenantPage.data).toMatchObject([{ id: tenant.id, phone: tenant.phone, first_name: 'Asha' }])

  const deletion = await catchError(agreements.delete(draft.id))
  expect(deletion).toBeInstanceOf(ForbiddenError)
  const terminated = await agreements.terminate(draft.id)
  expect(terminated.status).toBe('TERMINATED')
  const completed = await agreements.complete(draft.id)
  expect(completed.status).toBe('COMPLETED')
  const unitDeletion = await units.delete(property.id, unit.id)
  expect(unitDeletion.message).toBeString()
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
