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
const server = testServer({ overrides: { now: time.now }, poolSize: 20 })
const send = (person: TestUser, path: string, body: unknown, key: string, method = 'POST') =>
  sendRequest(server.url, method, path, { token: person.token, body, headers: { 'idempotency-key': key } })
const createKey = () => crypto.randomUUID()
const count = async (
  table: 'properties' | 'property_units' | 'agreements' | 'agreement_signatures' | 'kyc_requests',
  column: string,
  value: number,
) =>
  (
    await getKysely(server.em())
      .selectFrom(table)
      .where(column as never, '=', value as never)
      .select(e => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

/** Every POST that creates or signs: the request, and the number of records that it created. */
const posts: Record<
  string,
  () => Promise<{
    person: TestUser
    path: string
    body: unknown
    other?: unknown
    countCreated?: () => Promise<number>
    status: number
  }>
> = {
  'a property': async () => {
    const person = await signInUser(server.url)
    return {
      person,
      path: '/properties',
      body: { pin_code: 560048, property_type: 'pg', property_units: [{ unit_name: 'A' }] },
      other: { pin_code: 560048, property_type: 'apartment' },
      countCreated: () => count('properties', 'landlord_id', person.id),
      status: 201,
    }
  },
  'a unit': async () => {
    const person = await signInUser(server.url)
    const { property } = await createUnit(person)
    return {
      person,
      path: `/properties/${property.id}/units`,
      body: { unit_name: 'B' },
      other: { unit_name: 'C' },
      countCreated: async () => (await count('property_units', 'property_id', property.id)) - 1,
      status: 201,
    }
  },
  'a tenant': async () => ({
    person: await signInUser(server.url),
    path: '/tenants',
    body: { phone_number: freshPhone(), first_name: 'Tara' },
    other: { phone_number: freshPhone() },
    status: 201,
  }),
  'an agreement': async () => {
    const person = await signInUser(server.url)
    const tenant = await signInUser(server.url)
    const { unit } = await createUnit(person)
    return {
      person,
      path: '/agreements',
      body: agreementTerms(unit.id, [tenant.id]),
      other: agreementTerms(unit.id, [tenant.id], { rent_amount: 1 }),
      countCreated: () => count('agreements', 'landlord_id', person.id),
      status: 201,
    }
  },
  'a signature': async () => {
    const person = await signInUser(server.url)
    const tenant = await signInUser(server.url)
    const { agreement } = await createDraft(person, [tenant])
    return {
      person,
      path: `/agreements/${agreement.id}/sign`,
      body: { signer_id: tenant.id },
      other: { signer_id: person.id },
      countCreated: () => count('agreement_signatures', 'agreement_id', agreement.id),
      status: 200,
    }
  },
  'a new version': async () => {
    const person = await signInUser(server.url)
    const tenant = await signInUser(server.url)
    const { agreement } = await createDraft(person, [tenant])
    await person.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id })
    return {
      person,
      path: `/agreements/${agreement.id}/revise`,
      body: { rent_amount: 2 },
      other: { rent_amount: 3 },
      countCreated: async () => (await count('agreements', 'landlord_id', person.id)) - 1,
      status: 201,
    }
  },
  'an identity check': async () => {
    const person = await signInUser(server.url)
    await person.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' })
    return {
      person,
      path: '/profile/ekyc',
      body: {},
      countCreated: () => count('kyc_requests', 'user_id', person.id),
      status: 200,
    }
  },
}

for (const [title, createRequest] of Object.entries(posts)) {
  describe(`the same Idempotency-Key for ${title}`, () => {
    test('the first response is returned again', async () => {
      const { person, path, body, countCreated, status } = await createRequest()
      const key = createKey()
      const first = await send(person, path, body, key)
      const again = await send(person, path, body, key)
      expect([first.status, again.status, again.body]).toEqual([status, status, first.body])
      if (countCreated) expect(await countCreated()).toBe(1)
    })

    test('concurrent requests create one record', async () => {
      const { person, path, body, countCreated, status } = await createRequest()
      const key = createKey()
      const responses = await Promise.all(Array.from({ length: 10 }, () => send(person, path, body, key)))
      for (const response of responses)
        expect([response.status, response.body]).toEqual([status, responses[0]!.body])
      if (countCreated) expect(await countCreated()).toBe(1)
    })

    if (title !== 'an identity check')
      test('400: another body', async () => {
        const { person, path, body, other, status } = await createRequest()
        const key = createKey()
        expect((await send(person, path, body, key)).status).toBe(status)
        const refused = await send(person, path, other, key)
        expect([refused.status, refused.body]).toEqual([400, enveloped(400)])
      })
  })
}

const property = { pin_code: 560048, property_type: 'pg' }
test('a key belongs to one user and one path', async () => {
  const [one, other] = [await signInUser(server.url), await signInUser(server.url)]
  const key = createKey()
  const created = [
    await send(one, '/properties', property, key),
    await send(other, '/properties', property, key),
  ]
  expect(new Set(created.map(({ body }) => body.data.id)).size).toBe(2)
  expect((await send(one, '/tenants', { phone_number: freshPhone() }, key)).status).toBe(400)
})

test('400: the key of the same body at another path', async () => {
  const person = await signInUser(server.url)
  const key = createKey()
  const units = [await createUnit(person), await createUnit(person)]
  const add = (index: number) =>
    send(person, `/properties/${units[index]!.property.id}/units`, { unit_name: 'B' }, key)
  expect((await add(0)).status).toBe(201)
  const refused = await add(1)
  expect([refused.status, refused.error?.reason]).toEqual([400, 'idempotency_key_reused'])
})

test('a key of a failed request can be used again', async () => {
  const person = await signInUser(server.url)
  const key = createKey()
  expect((await send(person, '/properties/9999999/units', { unit_name: 'A' }, key)).status).toBe(404)
  expect((await send(person, '/properties', { pin_code: 999999, property_type: 'pg' }, key)).status).toBe(400)
  expect((await send(person, '/properties', property, key)).status).toBe(201)
})

test('400: a malformed key', async () => {
  const person = await signInUser(server.url)
  for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'é', 'a\tb'])
    expect([key, (await send(person, '/properties', property, key)).error?.reason]).toEqual([
      key,
      'idempotency_key_invalid',
    ])
  for (const key of ['x', 'x'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~'])
    expect([key, (await send(person, '/properties', property, key)).status]).toEqual([key, 201])
})

test('a key expires after a day', async () => {
  const person = await signInUser(server.url)
  const key = createKey()
  const first = await send(person, '/properties', property, key)
  time.advance(24 * 3_600_000 - 1)
  await purgeExpired(server.deps)
  expect((await send(person, '/properties', property, key)).body).toEqual(first.body)
  time.advance(1)
  await purgeExpired(server.deps)
  expect(
    (await send(await signInUser(server.url, person.phone), '/properties', property, key)).body.data.id,
  ).not.toBe(first.body.data.id)
})

test('a key of an interrupted request is taken over when its lease expires, not before', async () => {
  const person = await createLandlord(server.url)
  const key = createKey()
  const first = await send(person, '/properties', property, key)
  await getKysely(server.em())
    .updateTable('idempotency_keys')
    .set({ answer: null, claimed_until: new Date(time.now().getTime() + 1000) })
    .where('key', '=', key)
    .execute()
  const response = send(person, '/properties', property, key)
  await Bun.sleep(150)
  time.advance(2000)
  expect((await response).body.data.id).toBeGreaterThan(first.body.data.id)
})

test('a key has no effect on requests that create nothing', async () => {
  const person = await signInUser(server.url)
  const { property: listed } = await createUnit(person)
  const key = createKey()
  for (const landmark of ['a', 'b'])
    expect(
      (await send(person, `/properties/${listed.id}`, { landmark }, key, 'PATCH')).body.data.landmark,
    ).toBe(landmark)
})
