import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { hashPhone } from '../../../server/domain/phone-hash'
import { reconcileSignatures } from '../../../server/jobs/reconcile'
import { clock, testServer } from '../../support/server'
import {
  agreementTerms,
  completeSigning,
  createActiveAgreement,
  createProperty,
  createUnit,
  freshPhone,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const db = () => getKysely(server.em())

async function erase(user: TestUser) {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  return user.call('DELETE', '/auth/me', { otp: '123456' })
}

const exportData = async (user: TestUser) => (await user.get('/auth/me/export')).data

/** A draft for a managed unit. */
async function createManagedDraft() {
  const [landlord, manager, tenant] = [
    await signInUser(server),
    await signInUser(server),
    await signInUser(server),
  ]
  const { unit, path } = await createUnit(landlord, { managed_by_id: manager.id })
  const { data: agreement } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  return { landlord, manager, tenant, unit, path, agreement }
}

describe('an export', () => {
  test('has the agreements that a former manager is fixed in, and not those made later', async () => {
    const { landlord, manager, tenant, unit, path, agreement } = await createManagedDraft()
    await completeSigning(manager, agreement.id, manager.id)
    await landlord.patch(path, { managed_by_id: landlord.id })
    await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))

    const { agreements } = await exportData(manager)

    expect(agreements.map(({ id }: { id: number }) => id)).toEqual([agreement.id])
  })

  test('has the deleted units of a landlord, and not those that the user only managed', async () => {
    const [landlord, manager] = [await signInUser(server), await signInUser(server)]
    const deleted = await createUnit(landlord, { managed_by_id: manager.id })
    const kept = await createUnit(landlord, { managed_by_id: manager.id })
    await landlord.delete(deleted.path)

    const [landlordData, managerData] = [await exportData(landlord), await exportData(manager)]

    const toIds = (units: { id: number }[]) => units.map(({ id }) => id)
    expect(toIds(landlordData.property_units)).toEqual([deleted.unit.id, kept.unit.id])
    expect(toIds(managerData.property_units)).toEqual([kept.unit.id])
  })

  test('has the landlord’s own setting of a unit that is let, and a removed listing as not active', async () => {
    const [landlord, other] = [await signInUser(server), await signInUser(server)]
    const { property, unit } = await createActiveAgreement(landlord, [other])
    const shared = await createProperty(landlord)
    await other.post(`/properties/${shared.property.property_id}/units`, { unit_name: 'Mine' })
    expect((await landlord.delete(shared.path)).status).toBe(200)

    const { properties, property_units } = await exportData(landlord)

    const states = properties.map(({ id, is_active }: Record<string, unknown>) => [id, is_active])
    expect(Object.fromEntries(states)).toEqual({ [property.id]: true, [shared.property.id]: false })
    const own = property_units.find(({ id }: { id: number }) => id === unit.id)
    expect(own.is_available).toBe(true)
  })
})

test.each([
  ['its end is known', () => reconcileSignatures(server.deps)],
  ['its end is not known yet', async () => {}],
])(
  'an expired request to a manager does not prevent the erasure, which ends its reminders: %s',
  async (_, work) => {
    const { landlord, manager, agreement } = await createManagedDraft()
    await landlord.post(`/agreements/${agreement.id}/sign`, { signer_id: manager.id })
    time.advance(73 * 3_600_000)
    await work()

    expect((await erase(manager)).status).toBe(200)

    const signatures = await db()
      .selectFrom('agreement_signatures')
      .where('signer_id', '=', manager.id)
      .select(['signing_url', 'next_reminder_at'])
      .execute()
    expect(signatures).toEqual([{ signing_url: null, next_reminder_at: null }])
  },
)

const countNumbers = async (landlordId: number) => {
  const counters = db().selectFrom('agreement_counters').where('landlord_id', '=', landlordId)
  return (await counters.select('landlord_id').execute()).length
}

test('the erasure of a landlord deletes their drafts, for the tenant too, and the count of agreements', async () => {
  const { landlord, tenant, agreement } = await createManagedDraft()
  const path = `/agreements/${agreement.id}`
  expect((await tenant.get(path)).status).toBe(200)
  expect(await countNumbers(landlord.id)).toBe(1)

  expect((await erase(landlord)).status).toBe(200)

  expect((await tenant.get(path)).status).toBe(404)
  expect(await countNumbers(landlord.id)).toBe(0)
})

const listCounters = async () => {
  const counters = await db().selectFrom('rate_limits').select('key').orderBy('key').execute()
  return counters.map(({ key }) => key)
}

test('the counter of the tenants that a user named is exported, not those of others; all outlive an erasure', async () => {
  const user = await signInUser(server)
  await user.post('/tenants', { phone_number: freshPhone() })
  const hash = hashPhone(server.deps.config, user.phone)
  const own = `tenants:${hash}`
  const others = [`tenants:${hash}0`, `tenants:1${hash}`, `other:tenants:${hash}`]
  const counter = { count: 1, resets_at: new Date(time.now().getTime() + 60_000) }
  await db()
    .insertInto('rate_limits')
    .values(others.map(key => ({ key, ...counter })))
    .execute()

  const { counters } = await exportData(user)
  expect((await erase(user)).status).toBe(200)

  expect(counters).toContainEqual(expect.objectContaining({ key: own }))
  expect(counters).not.toContainEqual(expect.objectContaining({ key: others[0] }))
  const left = await listCounters()
  expect(left).toEqual(expect.arrayContaining([own, ...others]))
})

describe('a webhook with the phone number as +91…', () => {
  const createWebhook = async (user: TestUser) => {
    const other = { identifier: '+919000000001', displayName: 'Tara Iyer' }
    const own = { identifier: `+91${user.phone}`, displayName: 'Asha Rao' }
    const payload = JSON.stringify({ event: 'ESIGN_COMPLETE', data: { esign: { signers: [own, other] } } })
    const { id } = await db()
      .insertInto('webhook_deliveries')
      .values({ provider: 'sandbox', payload, digest: crypto.randomUUID() })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, own }
  }

  test('is exported with what is about the user', async () => {
    const user = await signInUser(server)
    const { own } = await createWebhook(user)

    const { webhooks } = await exportData(user)

    expect(webhooks).toMatchObject([{ payload: { data: { esign: { signers: [own, {}] } } } }])
    expect(JSON.stringify(webhooks)).not.toContain('Tara Iyer')
  })

  test('loses what is personal with the erasure', async () => {
    const user = await signInUser(server)
    const { id } = await createWebhook(user)

    await erase(user)

    const { payload } = await db()
      .selectFrom('webhook_deliveries')
      .where('id', '=', id)
      .select('payload')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(payload)).toEqual({ event: 'ESIGN_COMPLETE', data: { esign: { signers: [{}, {}] } } })
  })
})
