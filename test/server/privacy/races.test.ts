import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import {
  completeProfile,
  sendRequest,
  createDraft,
  freshPhone,
  createUnit,
  signInUser,
  agreementTerms,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { testServer } from '../../support/server'

// With a cold connection pool the requests would not run at the same time.
const server = testServer({
  poolSize: 20,
  env: { OTP_LIMIT_PER_ADDRESS: '100000', OTP_LIMIT_PER_SITE: '100000' },
})
const ROUNDS = process.env.TIER === 'full' ? 60 : 6
const sendOtp = ({ phone }: TestUser) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
const erase = (user: TestUser) => user.call('DELETE', '/auth/me', { otp: '123456' })
const verify = (phone: string) =>
  sendRequest(server, 'POST', '/auth/verify', { body: { phone_number: phone, otp: '123456' } })
const toStatuses = (responses: TestResponse[]) => responses.map(({ status }) => status)
const counts: Record<string, number> = {}
afterAll(() =>
  console.log(JSON.stringify({ promise: 'personal data: erasure in races', rounds: ROUNDS, ...counts })),
)

type ErasedIds = ReturnType<typeof selectErasedIds>
const selectErasedIds = () =>
  getKysely(server.em()).selectFrom('users').where('phone', 'like', 'erased-%').select('id')

/** A pending agreement may still name an erased tenant: its landlord revises it. */
function findOpenAgreements(erasedIds: ErasedIds) {
  const db = getKysely(server.em())
  const rented = db.selectFrom('agreement_tenants').where('tenant_id', 'in', erasedIds).select('agreement_id')
  return db
    .selectFrom('agreements')
    .where(e =>
      e.or([
        e.and([e('status', 'in', ['PENDING', 'ACTIVE']), e('landlord_id', 'in', erasedIds)]),
        e.and([e('status', '=', 'ACTIVE'), e('id', 'in', rented)]),
      ]),
    )
    .select('id')
    .execute()
}

function findOpenSignatures(erasedIds: ErasedIds) {
  return getKysely(server.em())
    .selectFrom('agreement_signatures')
    .where('signer_id', 'in', erasedIds)
    .where('status', '=', 'PENDING')
    .select('id')
    .execute()
}

/** Expects that no personal data of erased users is left. */
async function expectNothingLeft() {
  const db = getKysely(server.em())
  const erasedIds = selectErasedIds()
  const found = await Promise.all([
    db
      .selectFrom('users')
      .where('id', 'in', erasedIds)
      .where(e => e.or([e('is_active', '=', true), e('first_name', 'is not', null)]))
      .select('id')
      .execute(),
    db.selectFrom('auth_sessions').where('user_id', 'in', erasedIds).select('id').execute(),
    db
      .selectFrom('properties')
      .where('landlord_id', 'in', erasedIds)
      .where(e => e.or([e('is_active', '=', true), e('alias_name', '<>', 'Erased')]))
      .select('id')
      .execute(),
    db
      .selectFrom('property_units')
      .where(e => e.or([e('landlord_id', 'in', erasedIds), e('managed_by_id', 'in', erasedIds)]))
      .where(e => e.or([e('is_active', '=', true), e('unit_name', '<>', 'Erased')]))
      .select('id')
      .execute(),
    findOpenAgreements(erasedIds),
    findOpenSignatures(erasedIds),
    db.selectFrom('activities').where('user_id', 'in', erasedIds).select('id').execute(),
    db
      .selectFrom('tenant_contacts')
      .where(e => e.or([e('landlord_id', 'in', erasedIds), e('tenant_id', 'in', erasedIds)]))
      .select('tenant_id as id')
      .execute(),
    db.selectFrom('idempotency_keys').where('user_id', 'in', erasedIds).select('user_id as id').execute(),
    db
      .selectFrom('kyc_requests')
      .where('user_id', 'in', erasedIds)
      .where(e =>
        e.or([
          e('status', 'in', ['CREATED', 'KYC_REQUESTED']),
          e('name', 'is not', null),
          e('verification_url', 'is not', null),
        ]),
      )
      .select('id')
      .execute(),
  ])
  expect(found.map(rows => rows.length)).toEqual(found.map(() => 0))
}

type Rival = {
  before?: (user: TestUser, other: TestUser) => Promise<any>
  start: (user: TestUser, other: TestUser, fixture: any) => Promise<TestResponse>[]
  statuses: number[]
}

/** What happens at the same time as an erasure, and the possible statuses of its responses. */
const rivals: Record<string, Rival> = {
  'another erasure of the user': { start: user => [erase(user), erase(user)], statuses: [200, 401] },
  'new properties': {
    start: user =>
      Array.from({ length: 5 }, () =>
        user.call('POST', '/properties', {
          pin_code: 560048,
          property_type: 'pg',
          alias_name: 'Mine',
          property_units: [{ unit_name: 'U' }],
        }),
      ),
    statuses: [201, 401],
  },
  'new units in the building of another landlord': {
    before: (_, other) => createUnit(other),
    start: (user, _, { property }) =>
      Array.from({ length: 4 }, () =>
        user.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'Mine' }),
      ),
    statuses: [201, 401],
  },
  'an appointment as a manager': {
    before: (_, other) => createUnit(other),
    start: (user, other, { property, unit }) => [
      other.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: user.id }),
    ],
    statuses: [200, 400],
  },
  'agreements with the user as a tenant': {
    before: (_, other) => createUnit(other),
    start: (user, other, { unit }) =>
      Array.from({ length: 3 }, () => other.call('POST', '/agreements', agreementTerms(unit.id, [user.id]))),
    statuses: [201, 400],
  },
  'a landlord who names the phone number': {
    start: (user, other) => [
      other.call('POST', '/tenants', { phone_number: user.phone, first_name: 'Mine' }),
    ],
    statuses: [200, 201],
  },
  'new tenants of the user': {
    start: user =>
      Array.from({ length: 3 }, () =>
        user.call('POST', '/tenants', { phone_number: freshPhone(), first_name: 'Theirs' }),
      ),
    statuses: [201, 401],
  },
  'the signing by the user': {
    before: (user, other) => createDraft(user, [other]),
    start: (user, _, { agreement }) => [
      user.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: user.id }),
    ],
    statuses: [200, 401, 403, 404],
  },
  'the signing by a tenant of the user': {
    before: (user, other) => createDraft(user, [other]),
    start: (_, other, { agreement }) => [
      other.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: other.id }),
    ],
    statuses: [200, 403, 404],
  },
  'the signing by a landlord of the user': {
    before: (user, other) => createDraft(other, [user]),
    start: (_, other, { agreement }) => [
      other.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: other.id }),
    ],
    statuses: [200, 400],
  },
  'an identity check': {
    before: user =>
      user.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' }),
    start: user => [
      user.call('POST', '/profile/ekyc', {}),
      user.call('PUT', '/profile/complete', { first_name: 'C', last_name: 'D', email: 'c@d.co' }),
    ],
    statuses: [200, 401, 404, 503],
  },
}

async function eraseDuring(name: string, { before, start, statuses }: Rival) {
  const [user, other] = await Promise.all([signInUser(server), signInUser(server)])
  const fixture = await before?.(user, other)
  await sendOtp(user)
  const rivalRequests = start(user, other, fixture)
  const [erased, ...others] = await Promise.all([
    Bun.sleep(Math.random() * 20).then(() => erase(user)),
    ...rivalRequests,
  ])
  expect([200, 400, 401]).toContain(erased!.status)
  // No one has signed, so nothing prevents the erasure.
  expect([name, erased!.status]).not.toEqual([name, 400])
  expect(toStatuses(others).filter(status => !statuses.includes(status))).toEqual([])
  const outcome = erased!.status === 400 ? 'refused' : 'erased'
  counts[outcome] = (counts[outcome] ?? 0) + 1
  if (erased!.status === 200) expect((await user.get('/auth/me')).status).toBe(401)
  await expectNothingLeft()
}

test.each(Object.entries(rivals))(
  'an erasure leaves nothing: %s',
  async (name, rival) => {
    for (let round = 0; round < ROUNDS; round++) await eraseDuring(name, rival)
  },
  120_000,
)

async function waitForLock() {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while (!(await waiting.execute(getKysely(server.em()))).rows.length) await Bun.sleep(5)
}

test('an erasure leaves nothing: a property that is inserted between its locks', async () => {
  const user = await signInUser(server)
  await sendOtp(user)
  let erased: Promise<TestResponse> | undefined
  await server.em().transactional(async tx => {
    await getKysely(tx)
      .insertInto('properties')
      .values({
        landlord_id: user.id,
        alias_name: 'Mine',
        city: 'c',
        district: 'd',
        state: 's',
        pin_code: 560048,
        property_type: 'pg',
      })
      .execute()
    erased = erase(user)
    await waitForLock()
  })
  expect((await erased!).status).toBe(200)
  await expectNothingLeft()
})

test('concurrent sign-ins: one request uses the OTP, and every remaining session is of a new user', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await signInUser(server)
    await sendOtp(user)
    const [erased, ...verified] = await Promise.all([erase(user), verify(user.phone), verify(user.phone)])
    expect([erased, ...verified].filter(({ status }) => status === 200)).toHaveLength(1)
    await sendOtp(user)
    const { data: later } = await verify(user.phone)
    expect(later.user.id === user.id).toBe(erased.status !== 200)
    await expectNothingLeft()
  }
})

test('concurrent logins: no session survives the erasure', async () => {
  const password = 'a password of theirs'
  const login = ({ phone }: TestUser) =>
    sendRequest(server, 'POST', '/auth/login', { body: { phone_number: phone, password } })
  for (let round = 0; round < ROUNDS / 2; round++) {
    const user = await signInUser(server)
    await completeProfile(user, { password })
    await sendOtp(user)
    const [erased, ...logins] = await Promise.all([
      Bun.sleep(Math.random() * 300).then(() => erase(user)),
      ...Array.from({ length: 3 }, () => login(user)),
    ])
    const unexpected = toStatuses(logins).filter(status => status !== 200 && status !== 401)
    expect([erased.status, unexpected]).toEqual([200, []])
    for (const { data } of logins) {
      if (!data) continue
      const { status } = await sendRequest(server, 'GET', '/auth/me', { token: data.access_token })
      expect(status).toBe(401)
    }
    await expectNothingLeft()
  }
})
