import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { setPan } from '../statements/fixtures'
import { testServer } from '../../support/server'
import {
  createActiveAgreement,
  createDraft,
  createLandlord,
  createProperty,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'

const server = testServer()
const db = () => getKysely(server.em())

async function erase(user: TestUser) {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  expect((await user.call('DELETE', '/auth/me', { otp: '123456' })).status).toBe(200)
}

test.each([
  ['CREATED', 'ERROR'],
  ['KYC_REQUESTED', 'ERROR'],
  ['SUCCESS', 'SUCCESS'],
  ['ERROR', 'ERROR'],
] as const)(
  'of an identity check that is %s stays that it is %s, and nothing else',
  async (before, after) => {
    const user = await signInUser(server)
    await db()
      .insertInto('kyc_requests')
      .values({
        user_id: user.id,
        provider: 'sandbox',
        status: before,
        name: 'Asha Rao',
        masked_aadhaar: '4711',
        verification_url: 'https://example.com',
        expires_at: new Date(),
      })
      .execute()

    await erase(user)

    const checks = await db()
      .selectFrom('kyc_requests')
      .where('user_id', '=', user.id)
      .select(['status', 'name', 'masked_aadhaar', 'verification_url'])
      .execute()
    expect(checks).toEqual([{ status: after, name: null, masked_aadhaar: null, verification_url: null }])
  },
)

test.each(['request_id', 'document_id'] as const)(
  'a webhook that names a signature by its %s alone loses what is personal',
  async column => {
    const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
    const { agreement } = await createDraft(landlord, [tenant])
    const request_id = crypto.randomUUID()
    const signature = await db()
      .insertInto('agreement_signatures')
      .values({
        agreement_id: agreement.id,
        signer_id: tenant.id,
        signer_role: 'TENANT',
        status: 'EXPIRED',
        provider: 'sandbox',
        provider_request_id: request_id,
        expires_at: new Date(0),
      })
      .returning('signature_id')
      .executeTakeFirstOrThrow()
    const { id: webhookId } = await db()
      .insertInto('webhook_deliveries')
      .values({
        provider: 'sandbox',
        digest: crypto.randomUUID(),
        payload: JSON.stringify({ event: 'ESIGN_COMPLETE', displayName: 'Tara Iyer' }),
        ...(column === 'request_id' ? { request_id } : { document_id: signature.signature_id }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()

    await erase(tenant)

    const webhook = db().selectFrom('webhook_deliveries').where('id', '=', webhookId).select('payload')
    expect(await webhook.executeTakeFirst()).toEqual({ payload: '{"event":"ESIGN_COMPLETE"}' })
  },
)

test('a request to sign keeps neither its address nor its reminders', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [tenant])
  await db()
    .insertInto('agreement_signatures')
    .values({
      agreement_id: agreement.id,
      signer_id: tenant.id,
      signer_role: 'TENANT',
      status: 'EXPIRED',
      provider: 'sandbox',
      signing_url: 'https://example.com/sign',
      next_reminder_at: new Date(),
      expires_at: new Date(0),
    })
    .execute()

  await erase(tenant)

  const signature = db().selectFrom('agreement_signatures').where('signer_id', '=', tenant.id)
  expect(await signature.select(['signing_url', 'next_reminder_at']).executeTakeFirst()).toEqual({
    signing_url: null,
    next_reminder_at: null,
  })
})

test('an erasure removes the landlord’s texts from an unsigned agreement', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const texts = {
    amenities: ['a pool'],
    additional_policies: 'no loud music',
    improvements: 'fresh paint',
    payment_terms: 'by the fifth',
  }
  const { agreement } = await createDraft(landlord, [tenant], texts)

  await erase(landlord)

  const row = db().selectFrom('agreements').where('id', '=', agreement.id)
  const columns = ['is_active', 'document_url', ...(Object.keys(texts) as (keyof typeof texts)[])] as const
  expect(await row.select(columns).executeTakeFirst()).toEqual({
    is_active: false,
    document_url: '',
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
    const row = db().selectFrom('agreements').where('id', '=', agreement.id).select('termination_reason')
    return (await row.executeTakeFirst())!.termination_reason
  }

  await erase(tenant)
  expect(await readReason()).toBe('Their son moves in')
  await erase(landlord)
  expect(await readReason()).toBeNull()
})

test('the numbering of a landlord’s agreements is forgotten', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  await createDraft(landlord, [tenant])
  const selectCounters = () =>
    db().selectFrom('agreement_counters').where('landlord_id', '=', landlord.id).selectAll().execute()
  expect(await selectCounters()).toHaveLength(1)

  await erase(landlord)

  expect(await selectCounters()).toEqual([])
})

test('the sandbox forgets the messages to the user', async () => {
  const user = await signInUser(server)
  const countRecords = async () => {
    const { rows } = await sql<{ data: unknown }>`
      select data from sandbox_records where strpos(data::text, ${user.phone}) > 0`.execute(db())
    return rows.length
  }
  expect(await countRecords()).toBeGreaterThan(0)
  await erase(user)
  expect(await countRecords()).toBe(0)
})

test('feeds of others lose what is about the user’s units and properties, and nothing else', async () => {
  const [landlord, other] = [await signInUser(server), await signInUser(server)]
  const { property, path } = await createProperty(landlord)
  const { data: unit } = await landlord.post(`${path}/units`, { unit_name: 'C' })
  const about = [
    ['property_unit', unit.id],
    ['agreement', unit.id],
    ['property', property.id],
    ['kyc_request', property.id],
  ] as const
  for (const [entity_type, entity_id] of about)
    await sql`
      insert into activities (user_id, type, message, entity_type, entity_id, occurred_at)
      values (${other.id}, 'test', 'x', ${entity_type}, ${entity_id}, now())`.execute(db())

  await erase(landlord)

  const left = db().selectFrom('activities').where('user_id', '=', other.id).where('type', '=', 'test')
  expect(await left.select('entity_type').orderBy('id').execute()).toEqual([
    { entity_type: 'agreement' },
    { entity_type: 'kyc_request' },
  ])
})

test('of the user’s own row stays that there was one', async () => {
  const user = await createLandlord(server)
  await setPan(user)

  await erase(user)

  const row = db().selectFrom('users').where('id', '=', user.id)
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
