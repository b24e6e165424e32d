import { expect, test } from 'bun:test'
import { purgeExpired } from '../../../server/jobs/purge-expired'
import { newRequest, PDF, raiseRequest } from '../../support/maintenance-fixture'
import { clock, testServer } from '../../support/server'
import {
  agreementTerms,
  completeProfile,
  createActiveAgreement,
  createDraft,
  createLandlord,
  createTenant,
  createUnit,
  freshPhone,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'

const time = clock()
const server = testServer({ overrides: { now: time.now } })

const send = (user: TestUser, path: string, body: unknown, key: string, method = 'POST') =>
  sendRequest(server, method, path, { token: user.token, body, headers: { 'idempotency-key': key } })

type Table =
  | 'properties'
  | 'property_units'
  | 'agreements'
  | 'agreement_signatures'
  | 'kyc_requests'
  | 'maintenance_attachments'
  | 'maintenance_entries'
  | 'maintenance_requests'
  | 'payments'
/** Counts the rows of a table with the value. */
async function count(table: Table, column: string, value: number) {
  const { rows } = await server.db
    .selectFrom(table)
    .where(column as never, '=', value as never)
    .select(e => e.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return rows
}

/** A request that creates or changes something once, another body that its key refuses, and what it creates. */
type Change = {
  user: TestUser
  path: string
  body: object
  other?: object
  countCreated?: () => Promise<number>
  status?: number
}

/** A draft, of which a tenant was asked to sign. */
async function createAsked() {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const draft = await createDraft(landlord, [tenant])
  const { data } = await landlord.post(`${draft.path}/sign`, { signer_id: tenant.id })
  return { landlord, tenant, ...draft, signatureId: data.signature_id }
}

/** A request of a landlord, with a comment and a file. */
async function createRequest() {
  const user = await signInUser(server)
  const { request } = await raiseRequest(user, await createUnit(user))
  return { user, request, path: `/maintenance-requests/${request.id}` }
}

const changes: Record<string, () => Promise<Change>> = {
  'a property': async () => {
    const user = await signInUser(server)
    return {
      user,
      path: '/properties',
      body: { pin_code: 560048, property_type: 'pg', property_units: [{ unit_name: 'A' }] },
      other: { pin_code: 560048, property_type: 'apartment' },
      countCreated: () => count('properties', 'landlord_id', user.id),
    }
  },
  'a unit': async () => {
    const user = await signInUser(server)
    const { property } = await createUnit(user)
    return {
      user,
      path: `/properties/${property.id}/units`,
      body: { unit_name: 'B' },
      other: { unit_name: 'C' },
      countCreated: async () => (await count('property_units', 'property_id', property.id)) - 1,
    }
  },
  'a tenant': async () => ({
    user: await signInUser(server),
    path: '/tenants',
    body: { phone_number: freshPhone(), first_name: 'Tara' },
    other: { phone_number: freshPhone() },
  }),
  'an agreement': async () => {
    const [user, tenant] = [await signInUser(server), await createTenant(server)]
    const { unit } = await createUnit(user)
    return {
      user,
      path: '/agreements',
      body: agreementTerms(unit.id, [tenant.id]),
      other: agreementTerms(unit.id, [tenant.id], { rent_amount: 1 }),
      countCreated: () => count('agreements', 'landlord_id', user.id),
    }
  },
  'a signature': async () => {
    const [user, tenant] = [await signInUser(server), await createTenant(server)]
    const { path, agreement } = await createDraft(user, [tenant])
    return {
      user,
      path: `${path}/sign`,
      body: { signer_id: tenant.id },
      other: { signer_id: user.id },
      countCreated: () => count('agreement_signatures', 'agreement_id', agreement.id),
      status: 200,
    }
  },
  'a new version': async () => {
    const { landlord: user, path } = await createAsked()
    return {
      user,
      path: `${path}/revise`,
      body: { rent_amount: 2 },
      other: { rent_amount: 3 },
      countCreated: async () => (await count('agreements', 'landlord_id', user.id)) - 1,
    }
  },
  'an identity check': async () => {
    const user = await signInUser(server)
    await completeProfile(user)
    const countCreated = () => count('kyc_requests', 'user_id', user.id)
    return { user, path: '/profile/ekyc', body: {}, countCreated, status: 200 }
  },
  'a termination': async () => {
    const user = await createLandlord(server)
    const { path } = await createActiveAgreement(user, [await createTenant(server)])
    return { user, path: `${path}/terminate`, body: {}, status: 200 }
  },
  'a completion': async () => {
    const { landlord: user, path } = await createAsked()
    await user.post(`${path}/terminate`)
    return { user, path: `${path}/complete`, body: {}, status: 200 }
  },
  'a payment': async () => {
    const user = await createLandlord(server)
    const { path, agreement } = await createActiveAgreement(user, [await createTenant(server)])
    const body = { amount: 500, method: 'cash' }
    const countCreated = () => count('payments', 'agreement_id', agreement.id)
    return { user, path: `${path}/payments`, body, other: { ...body, amount: 501 }, countCreated }
  },
  'a cancelled signature': async () => {
    const { landlord: user, path, signatureId } = await createAsked()
    return { user, path: `${path}/signatures/${signatureId}/cancel`, body: {}, status: 200 }
  },
  'a resignation': async () => {
    const [landlord, user] = [await signInUser(server), await signInUser(server)]
    const { path } = await createUnit(landlord, { managed_by_id: user.id })
    return { user, path: `${path}/resign`, body: {}, status: 200 }
  },
  'a maintenance request': async () => {
    const user = await signInUser(server)
    const { unit } = await createUnit(user)
    const body = newRequest(unit.id)
    const countCreated = () => count('maintenance_requests', 'property_unit_id', unit.id)
    return { user, path: '/maintenance-requests', body, other: { ...body, title: 'Another' }, countCreated }
  },
  'a comment': async () => {
    const { user, path, request } = await createRequest()
    // Its state is an entry too, and so is its first comment.
    const countCreated = async () =>
      (await count('maintenance_entries', 'maintenance_request_id', request.id)) - 2
    return { user, path: `${path}/comments`, body: { text: 'Now' }, other: { text: 'Later' }, countCreated }
  },
  'a file': async () => {
    const { user, path, request } = await createRequest()
    const countCreated = async () =>
      (await count('maintenance_attachments', 'maintenance_request_id', request.id)) - 1
    const other = Buffer.concat([PDF, PDF])
    return { user, path: `${path}/attachments`, body: PDF, other, countCreated }
  },
  'a refusal to sign': async () => {
    const { tenant: user, path } = await createAsked()
    const other = { reason: 'Too far' }
    return { user, path: `${path}/decline`, body: { reason: 'Too high' }, other, status: 200 }
  },
}

test.each(Object.entries(changes))(
  '%s with one Idempotency-Key is made once, also by two requests at the same time; 400: another body',
  async (_, createChange) => {
    const { user, path, body, other, countCreated, status = 201 } = await createChange()
    const key = crypto.randomUUID()

    const together = await Promise.all([send(user, path, body, key), send(user, path, body, key)])
    const again = await send(user, path, body, key)

    const [{ body: first }] = together
    const answers = [...together, again].map(answer => [answer.status, answer.body])
    for (const answer of answers) expect(answer).toEqual([status, first])
    if (countCreated) expect(await countCreated()).toBe(1)
    if (!other) return
    const refused = await send(user, path, other, key)
    expect([refused.status, refused.error.reason]).toEqual([400, 'idempotency_key_reused'])
  },
)

const property = { pin_code: 560048, property_type: 'pg' }

test('a key belongs to one user and one path', async () => {
  const [one, other] = [await signInUser(server), await signInUser(server)]
  const key = crypto.randomUUID()
  const created = [
    await send(one, '/properties', property, key),
    await send(other, '/properties', property, key),
  ]
  expect(new Set(created.map(({ data }) => data.id)).size).toBe(2)

  const units = [await createUnit(one), await createUnit(one)]
  const unitKey = crypto.randomUUID()
  const answers = []
  for (const { property: listed } of units)
    answers.push(await send(one, `/properties/${listed.id}/units`, { unit_name: 'B' }, unitKey))
  expect(answers).toMatchObject([
    { status: 201 },
    { status: 400, error: { reason: 'idempotency_key_reused' } },
  ])
})

test('a key of a failed request can be used again', async () => {
  const user = await signInUser(server)
  const key = crypto.randomUUID()
  expect((await send(user, '/properties/9999999/units', { unit_name: 'A' }, key)).status).toBe(404)
  expect((await send(user, '/properties', { pin_code: 999999, property_type: 'pg' }, key)).status).toBe(400)
  expect((await send(user, '/properties', property, key)).status).toBe(201)
})

test('400: a malformed key', async () => {
  const user = await signInUser(server)
  for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'é', 'a\tb'])
    expect([key, (await send(user, '/properties', property, key)).error?.reason]).toEqual([
      key,
      'idempotency_key_invalid',
    ])
  for (const key of ['x', 'x'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~'])
    expect([key, (await send(user, '/properties', property, key)).status]).toEqual([key, 201])
})

test('a key expires after a day', async () => {
  const user = await signInUser(server)
  const key = crypto.randomUUID()
  const first = await send(user, '/properties', property, key)
  time.advance(24 * 3_600_000 - 1)
  await purgeExpired(server.deps)
  expect((await send(user, '/properties', property, key)).body).toEqual(first.body)

  time.advance(1)
  await purgeExpired(server.deps)

  const signedInAgain = await signInUser(server, user.phone)
  expect((await send(signedInAgain, '/properties', property, key)).data.id).not.toBe(first.data.id)
})

test('a key of a change that creates nothing: a repetition changes nothing, and says that it is one', async () => {
  const user = await signInUser(server)
  const { property: listed } = await createUnit(user)
  const path = `/properties/${listed.id}`
  const key = crypto.randomUUID()
  const first = await send(user, path, { landmark: 'a' }, key, 'PATCH')
  await user.patch(path, { landmark: 'b' })

  const again = await send(user, path, { landmark: 'a' }, key, 'PATCH')

  expect([again.status, again.body]).toEqual([200, first.body])
  const isReplayed = ({ headers }: typeof first) => headers.get('idempotency-replayed')
  expect([isReplayed(first), isReplayed(again)]).toEqual([null, 'true'])
  expect((await user.get(path)).data.landmark).toBe('b')
  const other = await send(user, path, { landmark: 'c' }, key, 'PATCH')
  expect([other.status, other.error.reason]).toEqual([400, 'idempotency_key_reused'])
})

test('a one-time password that two requests of one key send at once is used once, and is right for both', async () => {
  const user = await createLandlord(server)
  const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
  await user.call('PUT', '/profile/complete', { ...profile, password: 'correct horse' })
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  const body = { ...profile, password: 'battery staple', otp: '123456' }
  const change = () => send(user, '/profile/complete', body, 'one-key', 'PUT')
  const [first, second] = await Promise.all([change(), change()])
  expect([first.status, second.status, second.body]).toEqual([200, 200, first.body])
})
