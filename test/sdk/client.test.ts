import { describe, expect, test } from 'bun:test'
import {
  createClient,
  ForbiddenError,
  KirayaError,
  getNextStep,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
} from '../../sdk'
import { freshPhone } from '../support/users'
import { server } from '../support/server'

const it = server()
const details = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

/** A client whose user has finished the onboarding. */
async function onboarded(variant: 'a' | 'b' = 'b', phone = freshPhone()) {
  const kiraya = createClient({ baseUrl: it.url, variant })
  await kiraya.auth.sendOtp(phone)
  const { user } = await kiraya.auth.verify(phone, '123456')
  await kiraya.profile.complete(details)
  await kiraya.profile.completeKyc((await kiraya.profile.startKyc()).verification_id)
  return { kiraya, phone, id: user.id }
}
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as KirayaError,
  )

describe.each(['a', 'b'] as const)('Variant %s through the same methods', variant => {
  test('leads from the phone number to the dashboard', async () => {
    const kiraya = createClient({ baseUrl: it.url, variant })
    const phone = freshPhone()
    expect((await kiraya.auth.sendOtp(phone)).message).toBeString()
    const { access_token, user, status } = await kiraya.auth.verify(phone, '123456')
    expect({ kept: kiraya.token, next: getNextStep(status), user }).toMatchObject({
      kept: access_token,
      next: 'complete-profile',
      user: { phone, first_name: null, has_completed_profile: false, role: 'landlord' },
    })
    expect((await kiraya.profile.complete(details)).user).toMatchObject({
      ...details,
      has_completed_profile: true,
    })
    const { verification_id, verification_url, status: started } = await kiraya.profile.startKyc()
    expect({ started, verification_url }).toEqual({
      started: 'initiated',
      verification_url: expect.stringContaining('/sandbox/verify/'),
    })
    expect((await kiraya.profile.completeKyc(verification_id)).user.has_verified_profile).toBe(true)
    const dashboard = await kiraya.dashboard.get()
    expect(dashboard).toMatchObject({ user: { phone }, stats: { total_properties: 0, pending_payments: 0 } })
    expect(dashboard.recent_activity[0]).toMatchObject({
      entity_type: 'kyc_request',
      occurred_at: expect.any(String),
    })
    expect((await kiraya.auth.me()).status).toBe('LOGIN_SUCCESSFUL')
  })

  test('throws one class for each failure', async () => {
    const kiraya = createClient({ baseUrl: it.url, variant })
    const invalid = await thrown(kiraya.auth.sendOtp('123'))
    expect(invalid).toBeInstanceOf(ValidationError)
    expect(invalid).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      requestId: expect.any(String),
      details: [{ property: 'phone_number' }],
    })
    expect(await thrown(kiraya.auth.verify(freshPhone(), '000000'))).toBeInstanceOf(UnauthorizedError)
    expect(await thrown(kiraya.dashboard.get())).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
    const phone = freshPhone()
    await kiraya.auth.sendOtp(phone)
    await kiraya.auth.verify(phone, '123456')
    expect(await thrown(kiraya.dashboard.get())).toBeInstanceOf(ForbiddenError)
    expect(await thrown(kiraya.properties.get('11111111-1111-4111-8111-111111111111'))).toBeInstanceOf(
      NotFoundError,
    )
  })
})

test('the password is hashed on the device, and signs in', async () => {
  const { kiraya, phone } = await onboarded()
  await kiraya.profile.complete({ ...details, password: 'correct horse' })
  const other = createClient({ baseUrl: it.url })
  expect((await other.auth.login(phone, 'correct horse')).user.phone).toBe(phone)
  expect(await thrown(other.auth.login(phone, 'wrong horse'))).toBeInstanceOf(UnauthorizedError)
  const stored = await it
    .em()
    .getKysely<{ users: { phone: string; password: string } }>()
    .selectFrom('users')
    .select('password')
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow()
  expect(stored.password).toStartWith('$argon2id$')
})

test('a sign-out ends the session and forgets the token', async () => {
  const { kiraya } = await onboarded()
  const { token } = kiraya
  await kiraya.auth.logout()
  expect(kiraya.token).toBeUndefined()
  expect(await thrown(createClient({ baseUrl: it.url, token }).auth.me())).toBeInstanceOf(UnauthorizedError)
})

test('properties, units, tenants and an agreement, from listing to close-out', async () => {
  const { kiraya, id } = await onboarded()
  const tenant = await onboarded()
  const property = await kiraya.properties.create({
    pin_code: 682001,
    property_type: 'gated_community_villa',
    society_building: 'Marine Villas',
  })
  expect(property).toMatchObject({ city: 'Kochi', property_units: [] })
  const unit = await kiraya.units.create(property.property_id, { unit_name: 'V-1', area_sqft: 1200.5 })
  expect((await kiraya.units.update(property.id, unit.id, { area_sqft: null })).area_sqft).toBeNull()
  expect((await kiraya.units.list(property.id)).metadata).toEqual({
    page: 1,
    limit: 50,
    total: 1,
    total_pages: 1,
  })
  expect((await kiraya.properties.search({ name: 'marine vilas', pin_code: 682001 }))[0]).toMatchObject({
    property_id: property.property_id,
  })
  expect((await kiraya.tenants.create({ phone_number: tenant.phone, first_name: 'Tara' })).id).toBe(tenant.id)

  const agreement = await kiraya.agreements.create({
    property_unit_id: unit.id,
    tenant_ids: [tenant.id],
    document_url: 'https://example.com/a.pdf',
    agreement_start_date: '2026-12-01',
    tenure_in_months: 11,
    rent_amount: 15000.5,
    rent_due_day: 31,
    notice_period_days: 60,
  })
  expect(agreement).toMatchObject({ status: 'DRAFT', rent_amount: 15000.5 })
  expect((await kiraya.agreements.update(agreement.id, { deposit_amount: 5000 })).deposit_amount).toBe(5000)
  for (const [client, signer_id] of [
    [kiraya, id],
    [tenant.kiraya, tenant.id],
  ] as const) {
    const { signing_url, status } = await client.agreements.sign(agreement.agreement_id, { signer_id })
    expect(status).toBe('pending')
    await fetch(`${signing_url}/sign`, { method: 'POST' })
  }
  expect(await kiraya.agreements.signatures(agreement.id)).toMatchObject({ allSigned: true })
  expect((await kiraya.agreements.get(agreement.id)).status).toBe('ACTIVE')
  expect((await kiraya.tenants.list()).data).toMatchObject([
    { id: tenant.id, phone: tenant.phone, first_name: 'Tara' },
  ])
  expect(await thrown(kiraya.agreements.delete(agreement.id))).toBeInstanceOf(ForbiddenError)
  expect((await kiraya.agreements.terminate(agreement.id)).status).toBe('TERMINATED')
  expect((await kiraya.agreements.complete(agreement.id)).status).toBe('COMPLETED')
  expect((await kiraya.units.delete(property.id, unit.id)).message).toBeString()
  expect((await kiraya.properties.delete(property.id)).message).toBeString()
})

test('iterate walks through every page', async () => {
  const { kiraya } = await onboarded()
  for (const alias_name of ['a', 'b', 'c', 'd', 'e'])
    await kiraya.properties.create({ pin_code: 110001, property_type: 'pg', alias_name })
  const names: string[] = []
  for await (const { alias_name } of kiraya.properties.iterate({ limit: 2, sort: 'alias_name' }))
    names.push(alias_name)
  expect(names).toEqual(['a', 'b', 'c', 'd', 'e'])
})
