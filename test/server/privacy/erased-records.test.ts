import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { setPan } from '../books/statements/fixtures'
import { raiseRequest } from '../../support/maintenance-fixture'
import { insertSignature } from '../../support/signatures'
import { testServer } from '../../support/server'
import {
  createActiveAgreement,
  createDraft,
  createLandlord,
  createProperty,
  sendRequest,
  signInByOtp,
  signInUser,
} from '../../support/users'
import { erase } from './erasing'
import { toTimestamps } from '../../support/timestamps'

const server = testServer({ constants: { SIGN_IN_LIMIT: 1 } })

test.each([
  ['CREATED', 'ERROR'],
  ['KYC_REQUESTED', 'ERROR'],
  ['SUCCESS', 'SUCCESS'],
  ['ERROR', 'ERROR'],
] as const)(
  'of an identity check that is %s stays that it is %s, and nothing else',
  async (before, after) => {
    const user = await signInUser(server)
    await server.db
      .insertInto('kyc_requests')
      .values({
        user_id: user.id,
        provider: 'sandbox',
        status: before,
        name: 'Asha Rao',
        masked_aadhaar: '4711',
        verification_url: 'https://example.com',
        expires_at: new Date(),
        ...toTimestamps(),
      })
      .execute()

    await erase(server, user)

    const checks = await server.db
      .selectFrom('kyc_requests')
      .where('user_id', '=', user.id)
      .select(['status', 'name', 'masked_aadhaar', 'verification_url'])
      .execute()
    expect(checks).toEqual([{ status: after, name: null, masked_aadhaar: null, verification_url: null }])
  },
)

test('a request to sign keeps neither its address nor its reminders', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [tenant])
  const kept = { signing_url: 'https://example.com/sign', next_reminder_at: new Date() }
  await insertSignature(server.db, agreement, tenant, { status: 'EXPIRED', ...kept })

  await erase(server, tenant)

  const signature = server.db.selectFrom('agreement_signatures').where('signer_id', '=', tenant.id)
  expect(await signature.select(['signing_url', 'next_reminder_at']).executeTakeFirst()).toEqual({
    signing_url: null,
    next_reminder_at: null,
  })
})

const countNumbers = async (landlordId: number) => {
  const counters = server.db.selectFrom('agreement_counters').where('landlord_id', '=', landlordId)
  return (await counters.select('landlord_id').execute()).length
}

test('an unsigned agreement of the landlord loses its texts, is deleted for the tenant too, and not counted', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const texts = {
    amenities: ['a pool'],
    additional_policies: 'no loud music',
    improvements: 'fresh paint',
    payment_terms: 'by the fifth',
  }
  const { agreement, path } = await createDraft(landlord, [tenant], texts)
  expect([(await tenant.get(path)).status, await countNumbers(landlord.id)]).toEqual([200, 1])

  await erase(server, landlord)

  expect([(await tenant.get(path)).status, await countNumbers(landlord.id)]).toEqual([404, 0])

  const row = server.db.selectFrom('agreements').where('id', '=', agreement.id)
  const columns = ['is_active', 'document_url', ...(Object.keys(texts) as (keyof typeof texts)[])] as const
  expect(await row.select(columns).executeTakeFirst()).toEqual({
    is_active: false,
    document_url: null,
    amenities: null,
    additional_policies: null,
    improvements: null,
    payment_terms: null,
  })
})

test('why a landlord ended a lease is forgotten with them, and stays if a tenant is erased', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createActiveAgreement(landlord, [tenant])
  await landlord.post(`${path}/terminate`, { reason: 'Their son moves in' })
  const readReason = async () => {
    const row = server.db.selectFrom('agreements').where('id', '=', agreement.id).select('termination_reason')
    return (await row.executeTakeFirst())!.termination_reason
  }

  await erase(server, tenant)
  expect(await readReason()).toBe('Their son moves in')
  await erase(server, landlord)
  expect(await readReason()).toBeNull()
})

test('the names that the user gave to others, and others to the user, are forgotten', async () => {
  const [user, other, third] = [await signInUser(server), await signInUser(server), await signInUser(server)]
  await user.post('/tenants', { phone_number: other.phone, first_name: 'Tara' })
  await other.post('/tenants', { phone_number: user.phone, first_name: 'Asha' })
  await other.post('/tenants', { phone_number: third.phone, first_name: 'Ravi' })

  await erase(server, user)

  const contacts = server.db.selectFrom('tenant_contacts').where('landlord_id', 'in', [user.id, other.id])
  expect(await contacts.select('tenant_id').execute()).toEqual([{ tenant_id: third.id }])
})

test('the sandbox forgets the messages to the user', async () => {
  const user = await signInByOtp(server)
  const countRecords = async () => {
    const { rows } = await sql<{ data: unknown }>`
      select data from sandbox_records where strpos(data::text, ${user.phone}) > 0`.execute(server.db)
    return rows.length
  }
  expect(await countRecords()).toBeGreaterThan(0)
  await erase(server, user)
  expect(await countRecords()).toBe(0)
})

test('feeds of others lose what is about the user’s units and properties, and nothing else', async () => {
  const [landlord, other] = [await signInUser(server), await signInUser(server)]
  const { property, path } = await createProperty(landlord)
  const { data: unit } = await landlord.post(`${path}/units`, { unit_name: 'C' })
  const { request } = await raiseRequest(landlord, { unit })
  const about = [
    ['property_unit', unit.id],
    ['agreement', unit.id],
    ['property', property.id],
    ['maintenance_request', request.id],
    ['kyc_request', property.id],
  ] as const
  for (const [entity_type, entity_id] of about)
    await sql`
      insert into activities (user_id, type, message, entity_type, entity_id, occurred_at)
      values (${other.id}, 'test', 'x', ${entity_type}, ${entity_id}, now())`.execute(server.db)

  await erase(server, landlord)

  const left = server.db.selectFrom('activities').where('user_id', '=', other.id).where('type', '=', 'test')
  expect(await left.select('entity_type').orderBy('id').execute()).toEqual([
    { entity_type: 'agreement' },
    { entity_type: 'kyc_request' },
  ])
})

test('of the user’s own row stays that there was one', async () => {
  const user = await createLandlord(server)
  await setPan(user)

  await erase(server, user)

  const row = server.db.selectFrom('users').where('id', '=', user.id)
  const names = ['first_name', 'last_name', 'email', 'password', 'pan', 'pan_last_four'] as const
  expect(await row.select(['phone', ...names, 'last_login_at', 'is_active']).executeTakeFirst()).toEqual({
    phone: `erased-${user.id}`,
    first_name: null,
    last_name: null,
    email: null,
    password: null,
    pan: null,
    pan_last_four: null,
    last_login_at: null,
    is_active: false,
  })
})

const place = {
  society_building: 'Palm Court',
  survey_number: '12/4',
  road_name: 'Main Road',
  locality: 'Hoodi',
  landmark: 'behind the temple',
  alias_name: 'Ours',
  common_amenities: ['lift'],
}

/** A property of one landlord in which another has a unit. */
async function createSharedProperty() {
  const [creator, other] = [await signInUser(server), await signInUser(server)]
  const { property } = await createProperty(creator, place)
  const { data: unit } = await other.post(`/properties/${property.property_id}/units`, { unit_name: 'C' })
  const readProperty = () => {
    const columns = ['is_active', 'is_listed', ...(Object.keys(place) as (keyof typeof place)[])] as const
    const row = server.db.selectFrom('properties').where('id', '=', property.id).select(columns)
    return row.executeTakeFirstOrThrow()
  }
  return { creator, other, unitPath: `/properties/${property.id}/units/${unit.id}`, readProperty }
}

test('a building in which others have only deleted units is erased', async () => {
  const { creator, other, unitPath, readProperty } = await createSharedProperty()
  await other.delete(unitPath)

  await erase(server, creator)

  const forgotten = Object.fromEntries(Object.keys(place).map(field => [field, null]))
  const expected = { ...forgotten, is_active: false, alias_name: 'Erased' }
  expect(await readProperty()).toMatchObject(expected)
})

test('a building with units of others keeps its address, but is no longer listed', async () => {
  const { creator, other, unitPath, readProperty } = await createSharedProperty()

  await erase(server, creator)

  const expected = { ...place, is_active: true, is_listed: false, alias_name: 'Palm Court' }
  expect(await readProperty()).toEqual(expected)
  expect((await other.get(unitPath)).status).toBe(200)
})

test('a unit keeps no text of its landlord, and one that the user managed is its landlord’s again', async () => {
  const [user, other] = [await signInUser(server), await signInUser(server)]
  const texts = {
    unit_name: 'Asha’s',
    unit_notes: 'Ring twice',
    furniture_included: 'her piano',
    unit_amenities: ['her garden'],
  }
  const own = await createProperty(user, { property_units: [texts] })
  const managed = await createProperty(other, { property_units: [{ ...texts, managed_by_id: user.id }] })

  await erase(server, user)

  const readUnit = (propertyId: number) =>
    server.db
      .selectFrom('property_units')
      .where('property_id', '=', propertyId)
      .select(['is_active', 'managed_by_id', ...(Object.keys(texts) as (keyof typeof texts)[])])
      .executeTakeFirstOrThrow()
  expect(await readUnit(own.property.id)).toEqual({
    is_active: false,
    managed_by_id: user.id,
    unit_name: 'Erased',
    unit_notes: null,
    furniture_included: null,
    unit_amenities: null,
  })
  expect(await readUnit(managed.property.id)).toEqual({ ...texts, is_active: true, managed_by_id: other.id })
})

test('429: after an erasure the same phone number gets no more OTPs than before', async () => {
  const user = await signInByOtp(server)
  const sendOtp = () => sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  // Limits are twenty times as high with the sandbox channel; the sign-in and the erasure take one each.
  for (let n = 3; n <= 20; n++) expect((await sendOtp()).status).toBe(200)
  await erase(server, user)

  expect((await sendOtp()).status).toBe(429)
})
