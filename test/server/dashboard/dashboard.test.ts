import { describe, expect, test } from 'bun:test'
import { toIndianDate } from '../../../server/domain/dates'
import { clock, testServer } from '../../support/server'
import {
  completeProfile,
  createActiveAgreement,
  createDraft,
  createLandlord,
  signInThree,
  createUnit,
  freshPhone,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'
import { signInWithVariantA } from '../accounts/profile/fixtures'
import { plain, TIMESTAMP, userInA, userInB } from '../http/forms'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const getStats = async (user: TestUser) => (await user.get('/dashboard')).data.stats
type Activity = { id: number; type: string }
const getFeed = async (user: TestUser): Promise<Activity[]> =>
  (await user.get('/dashboard')).data.recent_activity

const noStats = {
  total_properties: 0,
  total_tenants: 0,
  pending_payments: 0,
  maintenance_requests: 0,
  collected_this_month: 0,
  overdue_amount: 0,
  vacant_units: 0,
}
const noStatsInA = {
  totalProperties: 0,
  totalTenants: 0,
  pendingPayments: 0,
  maintenanceRequests: 0,
  collectedThisMonth: 0,
  overdueAmount: 0,
  vacantUnits: 0,
}

describe('200: the exact shape', () => {
  test('of Variant B', async () => {
    const owner = await createLandlord(server)
    const names = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
    const activity = (type: string, entity_type: string, entity_id: unknown, actor_id: number | null) => ({
      id: expect.any(Number),
      type,
      message: expect.any(String),
      entity_type,
      entity_id,
      actor_id,
      occurred_at: TIMESTAMP,
    })
    const { status, body } = await owner.get('/dashboard')
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        user: userInB(owner.phone, { ...names, has_completed_profile: true, has_verified_profile: true }),
        stats: noStats,
        recent_activity: [
          activity('kyc_succeeded', 'kyc_request', expect.any(Number), null),
          activity('profile_completed', 'user', owner.id, owner.id),
        ],
      },
    })
  })

  test('of Variant A', async () => {
    const { phone, id } = await createLandlord(server)
    const user = await signInWithVariantA(server, phone)
    const names = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' }
    const activity = (type: string, entityType: string, actorId: number | null) => ({
      id: expect.any(Number),
      type,
      message: expect.any(String),
      entityType,
      entityId: expect.any(Number),
      actorId,
      occurredAt: TIMESTAMP,
    })
    const { status, body } = await user.get('/dashboard')
    expect(status).toBe(200)
    expect(body).toEqual({
      user: userInA(phone, { ...names, hasCompletedProfile: true, hasVerifiedProfile: true }),
      stats: noStatsInA,
      recentActivity: [
        activity('kyc_succeeded', 'kyc_request', null),
        activity('profile_completed', 'user', id),
      ],
    })
  })
})

test('403: not fully onboarded, with the status, in both variants', async () => {
  const user = await signInUser(server)
  const userInVariantA = await signInWithVariantA(server, user.phone)
  for (const status of ['NEEDS_PROFILE_COMPLETION', 'NEEDS_VERIFICATION']) {
    const { body, error } = await user.get('/dashboard')
    expect(body).toMatchObject({ success: false, data: null })
    const expected = { code: 'FORBIDDEN', reason: 'onboarding_unfinished', message: expect.any(String) }
    expect(error).toEqual({ ...expected, details: { status } })
    const inA = await userInVariantA.get('/dashboard')
    expect([inA.status, inA.body]).toEqual([403, plain(403, expect.stringContaining(status))])
    await completeProfile(user)
  }
})

test('401: the plain error without a token that can be read', async () => {
  expect((await sendRequest(server, 'GET', '/dashboard')).body).toEqual(plain(401))
  expect((await sendRequest(server, 'GET', '/dashboard', { token: 'x.y.z' })).body).toEqual(plain(401))
})

test('total_properties counts active properties that the user created or has an active unit in, once', async () => {
  const [owner, other, manager] = await signInThree(server, createLandlord)
  const mine = await createUnit(owner, { managed_by_id: manager.id })
  const theirs = await createUnit(other)
  await owner.post(`/properties/${mine.property.id}/units`, { unit_name: 'A-102' })
  for (const unit_name of ['B-1', 'B-2'])
    await owner.post(`/properties/${theirs.property.property_id}/units`, { unit_name })
  const count = async (user: TestUser) => (await getStats(user)).total_properties
  expect([await count(owner), await count(other), await count(manager)]).toEqual([2, 1, 0])

  await owner.delete(mine.path)
  expect(await count(owner)).toBe(2)
  await owner.delete(`/properties/${mine.property.id}`)
  expect(await count(owner)).toBe(1)
})

test("total_tenants counts the distinct tenants of the user's ACTIVE agreements", async () => {
  const [owner, one, other] = [
    await createLandlord(server),
    await signInUser(server),
    await signInUser(server),
  ]
  await createDraft(owner, [one])
  expect((await getStats(owner)).total_tenants).toBe(0)
  const { path } = await createActiveAgreement(owner, [one, other])
  await createActiveAgreement(owner, [one])
  expect((await getStats(owner)).total_tenants).toBe(2)
  await owner.post(`${path}/terminate`, {})
  expect((await getStats(owner)).total_tenants).toBe(1)
})

describe('recent_activity', () => {
  test('has the newest 20 activities, newest first', async () => {
    const owner = await createLandlord(server)
    for (let made = 0; made < 20; made++) await createUnit(owner)
    const feed = await getFeed(owner)
    expect(feed).toHaveLength(20)
    expect(feed.every(({ type }) => /created/.test(type))).toBe(true)
    expect(feed).toEqual(feed.toSorted((a, b) => b.id - a.id))
  })

  test('has no activities of other users, no phone numbers and no Aadhaar digits', async () => {
    const [owner, tenant, stranger] = await signInThree(server, createLandlord)
    await createActiveAgreement(owner, [tenant])
    expect((await getFeed(stranger)).map(({ type }) => type)).toEqual(['kyc_succeeded', 'profile_completed'])
    expect((await getFeed(tenant))[0]).toMatchObject({ type: 'agreement_activated' })
    const activities = server.db.selectFrom('activities')
    for (const { message, entity_type } of await activities.select(['message', 'entity_type']).execute())
      expect(message).not.toMatch(entity_type === 'agreement' ? /\d{10}/ : /\d{4}/)
  })

  test('has no entry for a failed change', async () => {
    const owner = await createLandlord(server)
    const before = await getFeed(owner)
    await completeProfile(owner, { first_name: 'Other' })
    await owner.post('/properties', { pin_code: 1 })
    await signInUser(server, freshPhone())
    expect(await getFeed(owner)).toEqual(before)
  })
})

describe('pending_payments', () => {
  const createTerms = () => {
    const agreement_start_date = `${toIndianDate(time.now()).slice(0, 7)}-01`
    return { rent_due_day: 1, agreement_start_date, tenure_in_months: 36 }
  }
  /** What the dashboard counts, and the list of charges. */
  const countPending = async (user: TestUser) => {
    const { body } = await user.get('/charges?type=rent&pending=true')
    return [(await getStats(user)).pending_payments, body.metadata.total]
  }

  test('are those of each lease until it is closed or paid, as in the list of charges', async () => {
    const [owner, tenant] = [await createLandlord(server), await signInUser(server)]
    const terms = createTerms()
    const { path } = await createActiveAgreement(owner, [tenant], terms)
    const other = await createActiveAgreement(owner, [tenant], terms)
    expect(await countPending(owner)).toEqual([2, 2])
    await owner.post(`${path}/terminate`, {})
    expect(await countPending(owner)).toEqual([2, 2])
    await owner.post(`${path}/complete`)
    expect(await countPending(owner)).toEqual([1, 1])

    const paid = { amount: 300_000, method: 'upi', paid_on: terms.agreement_start_date }
    await owner.post(`${other.path}/payments`, paid)

    expect(await countPending(owner)).toEqual([0, 0])
  })

  test('are those of every lease that the caller lets, manages or rents', async () => {
    const [owner, manager, both] = await signInThree(server, createLandlord)
    const terms = createTerms()
    const { property, unit } = await createActiveAgreement(owner, [both], terms)
    await owner.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
    await createActiveAgreement(both, [manager], terms)
    await createActiveAgreement(both, [await signInUser(server)], terms)
    const counts = [await countPending(owner), await countPending(manager), await countPending(both)]
    expect(counts).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })
})
