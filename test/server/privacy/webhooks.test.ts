import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { redactPayload } from '../../../server/privacy/redact-payload'
import { signingAdapters } from '../../../server/providers/signing/index'
import type { SigningAdapter, SigningProvider } from '../../../server/providers/signing/port'
import { redactJson } from '../../../server/providers/signing/redact-json'
import { processDelivery } from '../../../server/webhooks/service'
import { testServer } from '../../support/server'
import { sendRequest, signInUser, type TestUser } from '../../support/users'

type CourierWebhook = { what: string; envelope: string; people: { mobile: string; fullName: string }[] }

const refuse = () => Promise.reject(new Error('the courier is never called'))

/** A vendor whose webhooks share no field with Setu's. */
const courier: SigningProvider = {
  name: 'courier',
  hasSharedRequests: true,
  initiate: refuse,
  status: refuse,
  cancel: refuse,
  download: refuse,
  webhookHeader: 'x-courier',
  webhookSchema: Type.Object({}),
  verifyWebhook: () => false,
  parseWebhook: payload => {
    const { what, envelope } = (JSON.parse(payload) ?? {}) as Partial<CourierWebhook>
    return what === 'finished' && envelope ? [{ requestId: envelope, status: 'SIGNED' }] : []
  },
}
const courierAdapter: SigningAdapter = {
  name: 'courier',
  meaning: 'a courier',
  settings: {},
  urlSetting: 'COURIER_URL',
  redactWebhook: (payload, phone) =>
    redactJson(
      payload,
      (field, object) =>
        ['what', 'envelope', 'people'].includes(field) || ('mobile' in object && object.mobile === phone),
    ),
  create: () => courier,
}

// Listed, but not configured: an erasure does not wait for settings.
beforeAll(() => void Object.assign(signingAdapters, { courier: courierAdapter }))
afterAll(() => void Reflect.deleteProperty(signingAdapters, 'courier'))

const server = testServer()
const OTHER = { mobile: '9000000001', fullName: 'Tara Iyer' }

const createPayload = (user: TestUser): CourierWebhook => ({
  what: 'finished',
  envelope: `envelope-${user.id}`,
  people: [{ mobile: user.phone, fullName: 'Asha Rao' }, OTHER],
})

async function createDelivery(provider: string, payload: string) {
  const { id } = await getKysely(server.em())
    .insertInto('webhook_deliveries')
    .values({ provider, payload, digest: crypto.randomUUID() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const selectDelivery = (id: number) =>
  getKysely(server.em())
    .selectFrom('webhook_deliveries')
    .where('id', '=', id)
    .select(['payload', 'outcome'])
    .executeTakeFirstOrThrow()

async function erase(user: TestUser) {
  await sendRequest(server.url, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  expect((await user.call('DELETE', '/auth/me', { otp: '123456' })).status).toBe(200)
}

test('an erasure redacts ten thousand webhooks that have the phone number', async () => {
  const user = await signInUser(server)
  const payload = JSON.stringify(createPayload(user))
  const created = await sql`
    insert into webhook_deliveries (provider, payload, digest)
    select 'courier', ${payload}, gen_random_uuid()::text from generate_series(1, 10000)`.execute(
    getKysely(server.em()),
  )
  expect(created.numAffectedRows).toBe(10_000n)

  await erase(user)

  const { rows } = await sql`select from webhook_deliveries where payload like ${`%${user.phone}%`}`.execute(
    getKysely(server.em()),
  )
  expect(rows).toHaveLength(0)
})

describe("another vendor's webhooks", () => {
  test('lose what is personal with an erasure, and can be processed again', async () => {
    const user = await signInUser(server.url)
    const payload = createPayload(user)
    const id = await createDelivery('courier', JSON.stringify(payload))

    await erase(user)

    const erased = await selectDelivery(id)
    expect(JSON.parse(erased.payload)).toEqual({ ...payload, people: [{}, {}] })
    await processDelivery({ ...server.deps, otherSigning: [courier] }, id)
    expect((await selectDelivery(id)).outcome).toBe('unknown request')
  })

  test('are exported with what is about the user, and with nothing about others', async () => {
    const user = await signInUser(server.url)
    const payload = createPayload(user)
    await createDelivery('courier', JSON.stringify(payload))

    const { body } = await user.call('GET', '/auth/me/export')

    expect(body.data.webhooks).toEqual([
      expect.objectContaining({ payload: { ...payload, people: [payload.people[0], {}] } }),
    ])
  })

  test('keep nothing once their adapter is gone from the code', async () => {
    const user = await signInUser(server.url)
    const id = await createDelivery('gone', JSON.stringify(createPayload(user)))

    await erase(user)

    expect((await selectDelivery(id)).payload).toBe('null')
  })
})

describe('a redacted webhook', () => {
  const signer = { id: 's-1', identifier: '+91 98765 43210', displayName: 'Asha Rao', status: 'signed' }
  const other = { id: 's-2', identifier: '9000000001', displayName: 'Tara Iyer', status: 'pending' }
  const payload = JSON.stringify({
    event: 'ESIGN_COMPLETE',
    timeStamp: '2026-01-01T00:00:00Z',
    data: { esign: { id: 'r-1', documentId: 'd-1', status: 'sign_pending', signers: [signer, other] } },
  })
  const providers = ['setu', 'setu-native', 'sandbox', 'sandbox-native']

  test.each(providers)('of %s has ids and states alone', provider => {
    expect(JSON.parse(redactPayload({ provider, payload }))).toEqual({
      event: 'ESIGN_COMPLETE',
      timeStamp: '2026-01-01T00:00:00Z',
      data: {
        esign: {
          id: 'r-1',
          documentId: 'd-1',
          status: 'sign_pending',
          signers: [
            { id: 's-1', status: 'signed' },
            { id: 's-2', status: 'pending' },
          ],
        },
      },
    })
  })

  test.each(providers)(
    'of %s keeps all about the person with the phone number, and no id of others',
    provider => {
      const { esign } = JSON.parse(redactPayload({ provider, payload }, '9876543210')).data
      expect([esign.id, esign.signers]).toEqual(['r-1', [signer, { status: 'pending' }]])
    },
  )

  test.each([
    ['', 'null'],
    ['{', 'null'],
    ['"text"', '"text"'],
    ['[{"name":"Asha"}]', '[{}]'],
  ])('that reads %p becomes %p', (given, kept) => {
    expect(redactPayload({ provider: 'setu', payload: given })).toBe(kept)
  })
})

describe('a phone number in a webhook', () => {
  const toGroups = (phone: string, ...lengths: number[]) => {
    let start = 0
    return lengths.map(length => phone.slice(start, (start += length)))
  }
  const notations: Record<string, (phone: string) => string> = {
    'with blanks and a country code': phone => `+91 ${toGroups(phone, 5, 5).join(' ')}`,
    'with a dash': phone => `0${toGroups(phone, 5, 5).join('-')}`,
    'with brackets': phone => `(+91) (${toGroups(phone, 3, 3, 4).join(') ')}`,
    'with dots': phone => toGroups(phone, 3, 3, 4).join('.'),
    'with narrow blanks': phone => toGroups(phone, 2, 4, 4).join('\u202F'),
    'as it is': phone => phone,
  }

  test.each(Object.entries(notations))('%s: is exported, and erased', async (_, write) => {
    const user = await signInUser(server.url)
    const payload = { ...createPayload(user), people: [{ mobile: write(user.phone), fullName: 'Asha Rao' }] }
    const id = await createDelivery('courier', JSON.stringify(payload))

    const { data } = await user.get('/auth/me/export')
    expect(data.webhooks).toHaveLength(1)
    await erase(user)
    expect(JSON.parse((await selectDelivery(id)).payload)).toEqual({ ...payload, people: [{}] })
  })

  test('is not found in digits of several values', async () => {
    const user = await signInUser(server.url)
    const [head, tail] = toGroups(user.phone, 5, 5)
    const payloads = [{ people: [head, tail] }, { [head!]: Number(tail) }, { what: `${head}a${tail}` }]
    for (const payload of payloads) await createDelivery('courier', JSON.stringify(payload))

    const { data } = await user.get('/auth/me/export')
    expect(data.webhooks).toEqual([])
  })
})
