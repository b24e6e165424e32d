import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { toIndianDate } from '../../../server/domain/dates'
import {
  sendRequest,
  createDraft,
  freshPhone,
  createLandlord,
  createUnit,
  completeSigning,
  signInUser,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { clock, testServer } from '../../support/server'
import { enveloped, plain, TIMESTAMP, userInA, userInB } from '../http/forms'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const seen = ({ status, body }: TestResponse) => [status, body]
const dashboard = (person: TestUser) => person.call('GET', '/dashboard')
const stats = async (person: TestUser) => (await dashboard(person)).body.data.stats
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const tokenOfA = async (phone: string): Promise<string> => {
  await sendRequest(server, 'POST', '/auth', { body: { phoneNumber: phone } })
  return (await sendRequest(server, 'POST', '/auth/verify', { body: { phoneNumber: phone, otp: '123456' } }))
    .body.access_token
}
async function active(owner: TestUser, tenants: TestUser[], more: Record<string, unknown>) {
  const { agreement, ...rest } = await createDraft(owner, tenants, more)
  for (const signer of [owner, ...tenants]) await completeSigning(signer, agreement.id, signer.id)
  return { agreement, ...rest }
}
/** Tokens live for seven days, so the clock goes first and the sign-in after it. */
const setClock = (at: string) => time.advance(Date.parse(at) - time.now().getTime())

describe('200', () => {
  test('the exact shape of Variant B', async () => {
    const owner = await createLandlord(server)
    const activity = (type: string, entity_type: string, entity_id: unknown, actor_id: number | null) => ({
      id: expect.any(Number),
      type,
      message: expect.any(String),
      entity_type,
      entity_id,
      actor_id,
      occurred_at: TIMESTAMP,
    })
    expect(seen(await dashboard(owner))).toEqual([
      200,
      {
        success: true,
        data: {
          user: userInB(owner.phone, { ...profile, has_completed_profile: true, has_verified_profile: true }),
          stats: { total_properties: 0, total_tenants: 0, pending_payments: 0, maintenance_requests: 0 },
          recent_activity: [
            activity('kyc_succeeded', 'kyc_request', expect.any(Number), null),
            activity('profile_completed', 'user', owner.id, owner.id),
          ],
        },
      },
    ])
  })

  test('the exact shape of Variant A', async () => {
    const { phone, id } = await createLandlord(server)
    const token = await tokenOfA(phone)
    const activity = (type: string, entityType: string, actorId: number | null) => ({
      id: expect.any(Number),
      type,
      message: expect.any(String),
      entityType,
      entityId: expect.any(Number),
      actorId,
      occurredAt: TIMESTAMP,
    })
    expect(seen(await sendRequest(server, 'GET', '/dashboard', { token }))).toEqual([
      200,
      {
        user: userInA(phone, {
          firstName: 'Asha',
          lastName: 'Rao',
          email: 'asha@example.com',
          hasCompletedProfile: true,
          hasVerifiedProfile: true,
        }),
        stats: { totalProperties: 0, totalTenants: 0, pendingPayments: 0, maintenanceRequests: 0 },
        recentActivity: [
          activity('kyc_succeeded', 'kyc_request', null),
          activity('profile_completed', 'user', id),
        ],
      },
    ])
  })
})

describe('403: not fully onboarded, with the status', () => {
  const steps = {
    NEEDS_PROFILE_COMPLETION: async (_: TestUser) => {},
    NEEDS_VERIFICATION: (person: TestUser) => person.call('PUT', '/profile/complete', profile),
  }
  for (const [status, reach] of Object.entries(steps)) {
    test(`${status}, both variants`, async () => {
      const person = await signInUser(server)
      const token = await tokenOfA(person.phone)
      await reach(person)
      const { body } = await dashboard(person)
      expect(body).toEqual({
        ...enveloped(403),
        error: {
          code: 'FORBIDDEN',
          reason: 'onboarding_unfinished',
          message: expect.any(String),
          details: { status },
        },
      })
      expect(seen(await sendRequest(server, 'GET', '/dashboard', { token }))).toEqual([
        403,
        plain(403, expect.stringContaining(status)),
      ])
    })
  }
})

test('401: the plain error without a token, the envelope with an invalid one', async () => {
  expect(seen(await sendRequest(server, 'GET', '/dashboard'))).toEqual([401, plain(401)])
  expect(seen(await sendRequest(server, 'GET', '/dashboard', { token: 'x.y.z' }))).toEqual([
    401,
    enveloped(401),
  ])
})

describe('total_properties', () => {
  test('counts active properties that the user created or has an active unit in, each once', async () => {
    const [owner, other] = [await createLandlord(server), await createLandlord(server)]
    const mine = await createUnit(owner)
    const theirs = await createUnit(other)
    await owner.call('POST', `/properties/${mine.property.id}/units`, { unit_name: 'A-102' })
    expect(await stats(owner)).toMatchObject({ total_properties: 1 })
    for (const unit_name of ['B-1', 'B-2'])
      await owner.call('POST', `/properties/${theirs.property.property_id}/units`, { unit_name })
    expect([await stats(owner), await stats(other)]).toMatchObject([
      { total_properties: 2 },
      { total_properties: 1 },
    ])
  })

  test('does not count deleted or only managed properties', async () => {
    const [owner, manager] = [await createLandlord(server), await createLandlord(server)]
    const { property, unit } = await createUnit(owner, { managed_by_id: manager.id })
    expect(await stats(manager)).toMatchObject({ total_properties: 0 })
    await owner.call('DELETE', `/properties/${property.id}/units/${unit.id}`)
    expect(await stats(owner)).toMatchObject({ total_properties: 1 })
    await owner.call('DELETE', `/properties/${property.id}`)
    expect(await stats(owner)).toMatchObject({ total_properties: 0 })
  })
})

describe('total_tenants', () => {
  test("counts the distinct tenants of the user's ACTIVE agreements", async () => {
    const [owner, one, other] = [
      await createLandlord(server),
      await signInUser(server),
      await signInUser(server),
    ]
    await createDraft(owner, [one])
    expect(await stats(owner)).toMatchObject({ total_tenants: 0 })
    const { agreement } = await active(owner, [one, other], {})
    await active(owner, [one], {})
    expect(await stats(owner)).toMatchObject({ total_tenants: 2 })
    await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
    expect(await stats(owner)).toMatchObject({ total_tenants: 1 })
  })
})

// Later than every other test of the file, since time goes one way; each is signed in at its own date.
describe('pending_payments', () => {
  // [due day, start, months, now in India (as UTC), rents that are due since the start]
  const table: [number, string, number, string, number][] = [
    [5, '2031-01-01', 24, '2031-02-04T18:29:59Z', 1], // 4 February, 23:59:59 in India
    [5, '2031-01-01', 24, '2031-02-04T18:30:00Z', 2], // the 5th begins
    [31, '2031-01-01', 24, '2031-02-27T18:29:00Z', 1], // 27 February
    [31, '2031-01-01', 24, '2031-02-27T18:30:00Z', 2], // 28 February, the last day
    [30, '2031-01-01', 24, '2031-02-27T18:30:00Z', 2],
    [29, '2031-01-01', 24, '2031-02-27T18:30:00Z', 2],
    [28, '2031-01-01', 24, '2031-02-27T18:29:00Z', 1],
    [31, '2031-01-01', 24, '2031-02-28T18:30:00Z', 2], // 1 March: the new month's is not due
    [31, '2031-01-01', 24, '2031-04-29T18:29:00Z', 3], // 29 April
    [31, '2031-01-01', 24, '2031-04-29T18:30:00Z', 4], // 30 April
    [1, '2031-01-01', 24, '2031-04-30T18:30:00Z', 5], // 1 May
    [29, '2032-01-01', 24, '2032-02-27T18:30:00Z', 1], // 28 February of a leap year
    [29, '2032-01-01', 24, '2032-02-28T18:30:00Z', 2], // 29 February
    [31, '2032-01-01', 24, '2032-02-28T18:30:00Z', 2],
    [5, '2032-03-10', 12, '2032-03-20T06:00:00Z', 1], // fell due before the tenure began: on its first day
    [10, '2032-03-10', 12, '2032-03-20T06:00:00Z', 1], // on its first day
    [15, '2032-06-01', 12, '2032-03-20T06:00:00Z', 0], // not begun
    [9, '2032-04-10', 2, '2032-06-20T06:00:00Z', 3], // its last day
    [31, '2032-11-01', 24, '2032-12-31T18:30:00Z', 2], // the year turns in India first
  ]
  for (const [rent_due_day, agreement_start_date, tenure_in_months, at, due] of table.toSorted((a, b) =>
    a[3] < b[3] ? -1 : 1,
  )) {
    test(`day ${rent_due_day} of a tenure from ${agreement_start_date} of ${tenure_in_months} months, at ${at}: ${due}`, async () => {
      setClock(at)
      const owner = await createLandlord(server)
      const tenant = await signInUser(server)
      await active(owner, [tenant], { rent_due_day, agreement_start_date, tenure_in_months })
      await createDraft(owner, [tenant], { rent_due_day, agreement_start_date, tenure_in_months })
      expect(await stats(owner)).toEqual({
        total_properties: 2,
        total_tenants: 1,
        pending_payments: due,
        maintenance_requests: 0,
      })
    })
  }
})

describe('pending_payments and the list of charges', () => {
  test('count each agreement until it is closed', async () => {
    const owner = await createLandlord(server)
    const tenant = await signInUser(server)
    const month = toIndianDate(time.now()).slice(0, 7)
    const terms = { rent_due_day: 1, agreement_start_date: `${month}-01`, tenure_in_months: 36 }
    const { agreement } = await active(owner, [tenant], terms)
    await active(owner, [tenant], terms)
    const expectPending = async (pending_payments: number) => {
      expect(await stats(owner)).toMatchObject({ pending_payments })
      const charges = await owner.get('/charges?type=rent&pending=true')
      expect(charges.body.metadata.total).toBe(pending_payments)
    }
    await expectPending(2)
    await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
    await expectPending(2)
    await owner.call('POST', `/agreements/${agreement.id}/complete`)
    await expectPending(1)
    const [{ amount_outstanding }] = (await owner.get('/charges?type=rent&pending=true')).data
    const other = (await owner.get('/agreements?status=ACTIVE')).data[0]
    const paid = { amount: 300_000, method: 'upi', paid_on: terms.agreement_start_date }
    expect(amount_outstanding).toBeGreaterThan(0)
    await owner.post(`/agreements/${other.id}/payments`, paid)
    await expectPending(0)
  })
})

test('pending_payments are those of every lease that the caller lets, manages or rents', async () => {
  const [owner, manager, both] = [
    await createLandlord(server),
    await createLandlord(server),
    await createLandlord(server),
  ]
  const month = toIndianDate(time.now()).slice(0, 7)
  const terms = { rent_due_day: 1, agreement_start_date: `${month}-01`, tenure_in_months: 36 }
  const managed = await active(owner, [both], terms)
  const unit = `/properties/${managed.property.id}/units/${managed.unit.id}`
  await owner.call('PATCH', unit, { managed_by_id: manager.id })
  await active(both, [manager], terms)
  await active(both, [await signInUser(server)], terms)
  const counts: number[][] = []
  for (const person of [owner, manager, both]) {
    const charges = await person.get('/charges?type=rent&pending=true')
    counts.push([(await stats(person)).pending_payments, charges.body.metadata.total])
  }
  expect(counts).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ])
})

describe('recent_activity', () => {
  test('has the newest 20 activities, newest first', async () => {
    const owner = await createLandlord(server)
    for (let made = 0; made < 22; made++) await createUnit(owner)
    const { recent_activity } = (await dashboard(owner)).body.data
    expect(recent_activity).toHaveLength(20)
    const ids = recent_activity.map(({ id }: { id: number }) => id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    expect(new Set(recent_activity.map(({ type }: { type: string }) => type)).size).toBeGreaterThan(0)
  })

  test('has no activities of other users, no phone numbers and no Aadhaar digits', async () => {
    const [owner, tenant, stranger] = [
      await createLandlord(server),
      await createLandlord(server),
      await createLandlord(server),
    ]
    await active(owner, [tenant], {})
    expect(
      (await dashboard(stranger)).body.data.recent_activity.map(({ type }: { type: string }) => type),
    ).toEqual(['kyc_succeeded', 'profile_completed'])
    const told = await getKysely(server.em())
      .selectFrom('activities')
      .select(['message', 'entity_type'])
      .execute()
    for (const { message, entity_type } of told)
      expect(message).not.toMatch(entity_type === 'agreement' ? /\d{10}/ : /\d{4}/)
    expect((await dashboard(tenant)).body.data.recent_activity[0]).toMatchObject({
      type: 'agreement_activated',
    })
  })

  test('has no entry for a failed change', async () => {
    const owner = await createLandlord(server)
    const before = (await dashboard(owner)).body.data.recent_activity
    await owner.call('PUT', '/profile/complete', { ...profile, first_name: 'Other' })
    await owner.call('POST', '/properties', { pin_code: 1 })
    await signInUser(server.url, freshPhone())
    expect((await dashboard(owner)).body.data.recent_activity).toEqual(before)
  })
})
