import { expect, test } from 'bun:test'
import { clock, testServer } from '../support/server'
import {
  sendRequest,
  createDraft,
  freshPhone,
  createLandlord,
  completeSigning,
  signInUser,
} from '../support/users'

const time = clock(new Date('2026-06-15T06:00:00Z'))
const server = testServer({ overrides: { now: time.now } })

test('a landlord comes from nothing to an active agreement', async () => {
  const owner = await createLandlord(server.url)
  const tenant = await signInUser(server.url)
  const { unit, property, agreement } = await createDraft(owner, [tenant])
  expect(property).toMatchObject({
    city: 'Bengaluru',
    state: 'Karnataka',
    alias_name: 'White House',
    property_approved: true,
  })
  expect(agreement).toMatchObject({
    status: 'DRAFT',
    agreement_number: 'AGR-2026-000001',
    agreement_end_date: '2027-10-31',
    rent_amount: 25000,
    tenant_ids: [tenant.id],
  })

  expect((await completeSigning(owner, agreement.id, owner.id)).pressed).toBe(200)
  expect((await owner.call('GET', `/agreements/${agreement.agreement_id}`)).body.data.status).toBe('PENDING')
  expect((await completeSigning(tenant, agreement.id, tenant.id)).pressed).toBe(200)

  const signatures = await owner.call('GET', `/agreements/${agreement.id}/signatures`)
  expect(signatures.body.data).toMatchObject({
    allSigned: true,
    signatures: [
      { status: 'signed', signer_role: 'landlord' },
      { status: 'signed', signer_role: 'tenant' },
    ],
  })
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data).toMatchObject({
    status: 'ACTIVE',
  })
  expect(
    (await owner.call('GET', `/properties/${property.id}/units/${unit.id}`)).body.data.is_available,
  ).toBe(false)
  const dashboard = await owner.call('GET', '/dashboard')
  expect(dashboard.body.data.stats).toMatchObject({
    total_properties: 1,
    total_tenants: 1,
    maintenance_requests: 0,
  })
  expect(dashboard.body.data.recent_activity[0].type).toBe('agreement_activated')
  expect((await owner.call('GET', '/tenants')).body.data).toMatchObject([
    { id: tenant.id, phone: tenant.phone },
  ])
  expect((await owner.call('GET', '/properties?limit=1')).body).toMatchObject({
    success: true,
    metadata: { page: 1, limit: 1, total: 1, total_pages: 1 },
  })
  expect(
    (await owner.call('GET', '/properties/search?name=white%20hous&pin_code=560048')).body.data,
  ).toMatchObject([{ property_id: property.property_id }])
})

test('a client of Variant A signs in beside those of Variant B', async () => {
  const phone = freshPhone()
  expect((await sendRequest(server.url, 'POST', '/auth', { body: { phoneNumber: phone } })).body).toEqual({
    message: expect.any(String),
  })
  const verified = await sendRequest(server.url, 'POST', '/auth/verify', {
    body: { phoneNumber: phone, otp: '123456' },
  })
  expect(verified.body).toEqual({
    access_token: expect.any(String),
    status: 'NEEDS_PROFILE_COMPLETION',
    user: {
      id: expect.any(Number),
      phone,
      firstName: null,
      lastName: null,
      email: null,
      role: 'landlord',
      hasCompletedProfile: false,
      hasVerifiedProfile: false,
    },
  })
})
