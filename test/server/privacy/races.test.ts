import { afterAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import {
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

// A warm pool: on a cold one nothing runs at the same time.
const it = testServer({ poolSize: 20, env: { OTP_LIMIT_PER_ADDRESS: '100000' } })
const ROUNDS = process.env.FAULTS === 'full' ? 60 : 6
const sendOtp = ({ phone }: TestUser) =>
  sendRequest(it.url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
const erase = (person: TestUser) => person.call('DELETE', '/auth/me', { otp: '123456' })
const verify = (phone: string) =>
  sendRequest(it.url, 'POST', '/auth/verify', { body: { phone_number: phone, otp: '123456' } })
const statuses = (answers: TestResponse[]) => answers.map(({ status }) => status)
const figures: Record<string, number> = {}
afterAll(() =>
  console.log(JSON.stringify({ promise: 'personal data: erasure in races', rounds: ROUNDS, ...figures })),
)

/** What must hold of everybody who was erased, however it came. */
async function nothingLeft() {
  const db = getKysely(it.em())
  const gone = db.selectFrom('users').where('phone', 'like', 'erased-%').select('id')
  const counts = await Promise.all([
    db
      .selectFrom('users')
      .where('id', 'in', gone)
      .where(e => e.or([e('is_active', '=', true), e('first_name', 'is not', null)]))
      .select('id')
      .execute(),
    db.selectFrom('auth_sessions').where('user_id', 'in', gone).select('id').execute(),
    db
      .selectFrom('properties')
      .where('landlord_id', 'in', gone)
      .where(e => e.or([e('is_active', '=', true), e('alias_name', '<>', 'Erased')]))
      .select('id')
      .execute(),
    db
      .selectFrom('property_units')
      .where(e => e.or([e('landlord_id', 'in', gone), e('managed_by_id', 'in', gone)]))
      .where(e => e.or([e('is_active', '=', true), e('unit_name', '<>', 'Erased')]))
      .select('id')
      .execute(),
    db
      .selectFrom('agreements')
      .where('status', 'in', ['PENDING', 'ACTIVE'])
      .where(e =>
        e.or([
          e('landlord_id', 'in', gone),
          e(
            'id',
            'in',
            db.selectFrom('agreement_tenants').where('tenant_id', 'in', gone).select('agreement_id'),
          ),
        ]),
      )
      .select('id')
      .execute(),
    db.selectFrom('activities').where('user_id', 'in', gone).select('id').execute(),
    db
      .selectFrom('tenant_contacts')
      .where(e => e.or([e('landlord_id', 'in', gone), e('tenant_id', 'in', gone)]))
      .select('tenant_id as id')
      .execute(),
    db.selectFrom('idempotency_keys').where('user_id', 'in', gone).select('user_id as id').execute(),
    db
      .selectFrom('kyc_requests')
      .where('user_id', 'in', gone)
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
  expect(counts.map(rows => rows.length)).toEqual(counts.map(() => 0))
}

/** What may go on while somebody is erased, and what it may be answered. */
const rivals: Record<
  string,
  {
    before?: (me: TestUser, other: TestUser) => Promise<any>
    does: (me: TestUser, other: TestUser, made: any) => Promise<TestResponse>[]
    answers: number[]
  }
> = {
  'their own erasure': { does: me => [erase(me), erase(me)], answers: [200, 401] },
  'listing properties': {
    does: me =>
      Array.from({ length: 5 }, () =>
        me.call('POST', '/properties', {
          pin_code: 560048,
          property_type: 'pg',
          alias_name: 'Mine',
          property_units: [{ unit_name: 'U' }],
        }),
      ),
    answers: [201, 401],
  },
  'adding units to a building of somebody else': {
    before: (_, other) => createUnit(other),
    does: (me, _, { property }) =>
      Array.from({ length: 4 }, () =>
        me.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'Mine' }),
      ),
    answers: [201, 401],
  },
  'being named as a manager': {
    before: (_, other) => createUnit(other),
    does: (me, other, { property, unit }) => [
      other.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: me.id }),
    ],
    answers: [200, 400],
  },
  'being named as a tenant': {
    before: (_, other) => createUnit(other),
    does: (me, other, { unit }) =>
      Array.from({ length: 3 }, () => other.call('POST', '/agreements', agreementTerms(unit.id, [me.id]))),
    answers: [201, 400],
  },
  'being named by number': {
    does: (me, other) => [other.call('POST', '/tenants', { phone_number: me.phone, first_name: 'Mine' })],
    answers: [200, 201],
  },
  'naming others': {
    does: me =>
      Array.from({ length: 3 }, () =>
        me.call('POST', '/tenants', { phone_number: freshPhone(), first_name: 'Theirs' }),
      ),
    answers: [201, 401],
  },
  'their own signing': {
    before: (me, other) => createDraft(me, [other]),
    does: (me, _, { agreement }) => [
      me.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: me.id }),
    ],
    answers: [200, 401, 403, 404],
  },
  "their tenant's signing": {
    before: (me, other) => createDraft(me, [other]),
    does: (_, other, { agreement }) => [
      other.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: other.id }),
    ],
    answers: [200, 403, 404],
  },
  'the signing of a lease that they are to rent': {
    before: (me, other) => createDraft(other, [me]),
    does: (_, other, { agreement }) => [
      other.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: other.id }),
    ],
    answers: [200, 400],
  },
  'an identity check': {
    before: me => me.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' }),
    does: me => [
      me.call('POST', '/profile/ekyc', {}),
      me.call('PUT', '/profile/complete', { first_name: 'C', last_name: 'D', email: 'c@d.co' }),
    ],
    answers: [200, 401, 404, 503],
  },
}

describe('an erasure at the same time as', () => {
  for (const [name, { before, does, answers }] of Object.entries(rivals)) {
    test(
      name,
      async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const [me, other] = await Promise.all([signInUser(it.url), signInUser(it.url)])
          const made = await before?.(me, other)
          await sendOtp(me)
          const late = does(me, other, made)
          const [erased, ...others] = await Promise.all([
            Bun.sleep(Math.random() * 20).then(() => erase(me)),
            ...late,
          ])
          expect([200, 400, 401]).toContain(erased!.status)
          // A signing that came first stands against it; nothing else does.
          if (!/signing/.test(name)) expect(erased!.status).not.toBe(400)
          expect(statuses(others).filter(status => !answers.includes(status))).toEqual([])
          figures[`${erased!.status === 400 ? 'refused' : 'erased'}`] =
            (figures[`${erased!.status === 400 ? 'refused' : 'erased'}`] ?? 0) + 1
          if (erased!.status === 200) expect((await me.call('GET', '/auth/me')).status).toBe(401)
          await nothingLeft()
        }
      },
      120_000,
    )
  }

  test('a property that is being listed when the locks are taken, and is there when the user is locked', async () => {
    const me = await signInUser(it.url)
    await sendOtp(me)
    let erased: Promise<TestResponse> | undefined
    await it.em().transactional(async tx => {
      await getKysely(tx)
        .insertInto('properties')
        .values({
          landlord_id: me.id,
          alias_name: 'Mine',
          city: 'c',
          district: 'd',
          state: 's',
          pin_code: 560048,
          property_type: 'pg',
        })
        .execute()
      erased = erase(me)
      for (let waits = 0; !waits; await Bun.sleep(5))
        waits = (
          await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            getKysely(it.em()),
          )
        ).rows.length
    })
    expect((await erased!).status).toBe(200)
    await nothingLeft()
  })

  test("sign-ins: the one-time password is good for one of them, and every session that is left is a new user's", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const me = await signInUser(it.url)
      await sendOtp(me)
      const [erased, ...entered] = await Promise.all([erase(me), verify(me.phone), verify(me.phone)])
      expect([erased, ...entered].filter(({ status }) => status === 200)).toHaveLength(1)
      await sendOtp(me)
      const again = (await verify(me.phone)).body.data
      expect(again.user.id === me.id).toBe(erased.status !== 200)
      await nothingLeft()
    }
  })

  test('sign-ins with the password: none survives it', async () => {
    const password = 'a password of theirs'
    for (let round = 0; round < ROUNDS / 2; round++) {
      const me = await signInUser(it.url)
      await me.call('PUT', '/profile/complete', {
        first_name: 'A',
        last_name: 'B',
        email: 'a@b.co',
        password,
      })
      await sendOtp(me)
      const [erased, ...entered] = await Promise.all([
        Bun.sleep(Math.random() * 300).then(() => erase(me)),
        ...Array.from({ length: 3 }, () =>
          sendRequest(it.url, 'POST', '/auth/login', { body: { phone_number: me.phone, password } }),
        ),
      ])
      expect([erased.status, statuses(entered).filter(status => status !== 200 && status !== 401)]).toEqual([
        200,
        [],
      ])
      for (const { body } of entered)
        if (body.data)
          expect(
            (await sendRequest(it.url, 'GET', '/auth/me', { token: body.data.access_token })).status,
          ).toBe(401)
      await nothingLeft()
    }
  })
})
