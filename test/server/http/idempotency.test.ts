import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { purgeExpired } from '../../../server/jobs/purge-expired'
import {
  sendRequest,
  createDraft,
  freshPhone,
  createLandlord,
  createUnit,
  signInUser,
  agreementTerms,
  type TestUser,
} from '../../support/users'
import { clock, testServer } from '../../support/server'
import { enveloped } from './forms'

const time = clock()
const it = testServer({ overrides: { now: time.now }, poolSize: 20 })
const send = (person: TestUser, path: string, body: unknown, key: string, method = 'POST') =>
  sendRequest(it.url, method, path, { token: person.token, body, headers: { 'idempotency-key': key } })
const fresh = () => crypto.randomUUID()
const count = async (
  table: 'properties' | 'property_units' | 'agreements' | 'agreement_signatures' | 'kyc_requests',
  column: string,
  value: number,
) =>
  (
    await getKysely(it.em())
      .selectFrom(table)
      .where(column as never, '=', value as never)
      .select(e => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

/** Every POST that creates or signs: what is asked, and how many there are of what it makes. */
const posts: Record<
  string,
  () => Promise<{
    person: TestUser
    path: string
    body: unknown
    other?: unknown
    made?: () => Promise<number>
    status: number
  }>
> = {
  'a property': async () => {
    const person = await signInUser(it.url)
    return {
      person,
      path: '/properties',
      body: { pin_code: 560048, property_type: 'pg', property_units: [{ unit_name: 'A' }] },
      other: { pin_code: 560048, property_type: 'apartment' },
      made: () => count('properties', 'landlord_id', person.id),
      status: 201,
    }
  },
  'a unit': async () => {
    const person = await signInUser(it.url)
    const { property } = await createUnit(person)
    return {
      person,
      path: `/properties/${property.id}/units`,
      body: { unit_name: 'B' },
      other: { unit_name: 'C' },
      made: async () => (await count('property_units', 'property_id', property.id)) - 1,
      status: 201,
    }
  },
  'a tenant': async () => ({
    person: await signInUser(it.url),
    path: '/tenants',
    body: { phone_number: freshPhone(), first_name: 'Tara' },
    other: { phone_number: freshPhone() },
    status: 201,
  }),
  'an agreement': async () => {
    const person = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { unit } = await createUnit(person)
    return {
      person,
      path: '/agreements',
      body: agreementTerms(unit.id, [tenant.id]),
      other: agreementTerms(unit.id, [tenant.id], { rent_amount: 1 }),
      made: () => count('agreements', 'landlord_id', person.id),
      status: 201,
    }
  },
  'a signature': async () => {
    const person = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(person, [tenant])
    return {
      person,
      path: `/agreements/${agreement.id}/sign`,
      body: { signer_id: tenant.id },
      other: { signer_id: person.id },
      made: () => count('agreement_signatures', 'agreement_id', agreement.id),
      status: 200,
    }
  },
  'a new version': async () => {
    const person = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(person, [tenant])
    await person.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id })
    return {
      person,
      path: `/agreements/${agreement.id}/revise`,
      body: { rent_amount: 2 },
      other: { rent_amount: 3 },
      made: async () => (await count('agreements', 'landlord_id', person.id)) - 1,
      status: 201,
    }
  },
  'an identity check': async () => {
    const person = await signInUser(it.url)
    await person.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' })
    return {
      person,
      path: '/profile/ekyc',
      body: {},
      made: () => count('kyc_requests', 'user_id', person.id),
      status: 200,
    }
  },
}

for (const [what, ask] of Object.entries(posts)) {
  describe(`the same Idempotency-Key for ${what}`, () => {
    test('is given the first answer again', async () => {
      const { person, path, body, made, status } = await ask()
      const key = fresh()
      const first = await send(person, path, body, key)
      const again = await send(person, path, body, key)
      expect([first.status, again.status, again.body]).toEqual([status, status, first.body])
      if (made) expect(await made()).toBe(1)
    })

    test('is worked on once, however many come at the same time', async () => {
      const { person, path, body, made, status } = await ask()
      const key = fresh()
      const answers = await Promise.all(Array.from({ length: 10 }, () => send(person, path, body, key)))
      for (const answer of answers) expect([answer.status, answer.body]).toEqual([status, answers[0]!.body])
      if (made) expect(await made()).toBe(1)
    })

    if (what !== 'an identity check')
      test('400: with another body', async () => {
        const { person, path, body, other, status } = await ask()
        const key = fresh()
        expect((await send(person, path, body, key)).status).toBe(status)
        const refused = await send(person, path, other, key)
        expect([refused.status, refused.body]).toEqual([400, enveloped(400)])
      })
  })
}

const property = { pin_code: 560048, property_type: 'pg' }
describe('an Idempotency-Key', () => {
  test("is each user's own, and each path's", async () => {
    const [one, other] = [await signInUser(it.url), await signInUser(it.url)]
    const key = fresh()
    const made = [
      await send(one, '/properties', property, key),
      await send(other, '/properties', property, key),
    ]
    expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(2)
    expect((await send(one, '/tenants', { phone_number: freshPhone() }, key)).status).toBe(400)
  })

  test('of work that failed can be used again', async () => {
    const person = await signInUser(it.url)
    const key = fresh()
    expect((await send(person, '/properties/9999999/units', { unit_name: 'A' }, key)).status).toBe(404)
    expect((await send(person, '/properties', { pin_code: 999999, property_type: 'pg' }, key)).status).toBe(
      400,
    )
    expect((await send(person, '/properties', property, key)).status).toBe(201)
  })

  test('400: malformed', async () => {
    const person = await signInUser(it.url)
    for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'é', 'a\tb'])
      expect([key, (await send(person, '/properties', property, key)).status]).toEqual([key, 400])
    for (const key of ['x', 'x'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~'])
      expect([key, (await send(person, '/properties', property, key)).status]).toEqual([key, 201])
  })

  test('holds for a day', async () => {
    const person = await signInUser(it.url)
    const key = fresh()
    const first = await send(person, '/properties', property, key)
    await purgeExpired(it.deps)
    expect((await send(person, '/properties', property, key)).body).toEqual(first.body)
    time.advance(24 * 3_600_000)
    await purgeExpired(it.deps)
    expect(
      (await send(await signInUser(it.url, person.phone), '/properties', property, key)).body.data.id,
    ).not.toBe(first.body.data.id)
  })

  test('of a request that was cut off is taken over once its time is over, and not before', async () => {
    const person = await createLandlord(it.url)
    const key = fresh()
    const first = await send(person, '/properties', property, key)
    await getKysely(it.em())
      .updateTable('idempotency_keys')
      .set({ answer: null, claimed_until: new Date(time.now().getTime() + 1000) })
      .where('key', '=', key)
      .execute()
    const waiting = send(person, '/properties', property, key)
    await Bun.sleep(150)
    time.advance(2000)
    expect((await waiting).body.data.id).toBeGreaterThan(first.body.data.id)
  })

  test('changes nothing where a request is no creation', async () => {
    const person = await signInUser(it.url)
    const { property: listed } = await createUnit(person)
    const key = fresh()
    for (const landmark of ['a', 'b'])
      expect(
        (await send(person, `/properties/${listed.id}`, { landmark }, key, 'PATCH')).body.data.landmark,
      ).toBe(landmark)
  })
})
