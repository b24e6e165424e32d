import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { extractText } from 'unpdf'
import { createApp } from '../../../server/app'
import { sendRequest, agreementTerms } from '../../support/users'
import { signs } from '../agreements/signing/provider'
import { dump } from './dump'
import {
  EMAIL,
  FIRST_NAME,
  LAST_NAME,
  PASSWORD,
  createAgreement,
  createPersonalData,
  createProperty,
  erasureServer,
} from './erasure-fixture'

const TEXTS = [FIRST_NAME, LAST_NAME, EMAIL, PASSWORD]

// Two servers: on the second one, a user is erased before its tests, so that each of them can run alone.
const context = erasureServer()
const { requestOtp } = context
const erasedContext = erasureServer()
const { server, signIn, erase } = erasedContext
let erased: Awaited<ReturnType<typeof createErasedUser>>
beforeAll(async () => {
  erased = await createErasedUser()
}, 120_000)

/** A user who is erased, and what the database held of them before and after. */
async function createErasedUser() {
  const fixture = await createPersonalData(erasedContext)
  const { user, other, signed } = fixture
  await user.call('POST', `/agreements/${signed[0]!.id}/terminate`, { reason: `${FIRST_NAME} moves` })
  await other.call('POST', `/agreements/${signed[1]!.id}/terminate`, {})
  const before = await dump(server.em())
  const erasure = await erase(user)
  return { ...fixture, before, erasure, after: await dump(server.em()) }
}

test('an export has all stored data of the user, and no secret that allows a sign-in', async () => {
  const { user, other, signed } = await createPersonalData(context)
  const answer = await user.call('GET', '/auth/me/export')
  const data = answer.body.data
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="kiraya-export.json"')
  expect(data).toMatchObject({
    user: {
      id: user.id,
      phone: user.phone,
      first_name: FIRST_NAME,
      last_name: LAST_NAME,
      email: EMAIL,
      has_password: true,
    },
    sessions: [{ is_active: true }],
    identity_checks: [{ status: 'SUCCESS', masked_aadhaar: '4711' }],
    named_people: [{ phone: other.phone }],
    names_given_by_others: [{ first_name: FIRST_NAME, last_name: LAST_NAME }],
  })
  expect(data.properties).toHaveLength(3)
  expect(data.property_units.map(({ unit_name }: { unit_name: string }) => unit_name).toSorted()).toEqual(
    ['A-101', 'B', `${FIRST_NAME}'s`, `${FIRST_NAME}'s`].toSorted(),
  )
  expect(data.agreements).toHaveLength(4)
  expect(data.agreements.find(({ id }: { id: number }) => id === signed[0]!.id)).toMatchObject({
    status: 'ACTIVE',
    signatures: [{ signer_id: user.id, status: 'signed' }],
    documents: [
      { sha256: expect.any(String), stored_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) },
    ],
  })
  expect(
    data.agreements.flatMap(({ timeline }: { timeline: { type: string }[] }) =>
      timeline.map(({ type }) => type),
    ),
  ).toContain('activated')
  expect(
    data.webhooks.some(({ payload }: { payload: unknown }) => JSON.stringify(payload).includes(user.phone)),
  ).toBe(true)
  expect(data.counters.length).toBeGreaterThan(1)
  const kinds = new Set(data.counters.map(({ key }: { key: string }) => key.split(':')[0]))
  expect([...kinds]).toEqual(expect.arrayContaining(['otp', 'tenants', 'properties']))
  expect(data.repeatable_requests.length).toBeGreaterThan(3)
  expect(data.activities.length).toBeGreaterThan(10)
  const text = JSON.stringify(answer.body)
  for (const secret of [
    user.token,
    user.token.split('.')[2]!,
    PASSWORD,
    'argon2',
    createHash('sha256').update(user.token).digest('hex'),
    'Tara@',
    'tara@example.com',
  ])
    expect(text).not.toContain(secret)
})

describe('400, or 401: an erasure', () => {
  test('without a one-time password (400), or with a wrong one (401), changes nothing', async () => {
    const user = await context.signIn()
    expect((await user.call('DELETE', '/auth/me')).status).toBe(400)
    expect((await user.call('DELETE', '/auth/me', { password: PASSWORD })).status).toBe(400)
    const otp = await requestOtp(user.phone)
    const wrong = await user.call('DELETE', '/auth/me', { otp: otp === '000000' ? '000001' : '000000' })
    expect([wrong.status, wrong.error.code, wrong.error.message]).toEqual([
      401,
      'UNAUTHORIZED',
      expect.stringContaining('one-time password'),
    ])
    expect((await user.call('GET', '/auth/me')).status).toBe(200)
  })

  test('with agreements that are active, or signed and pending, names them; the one-time password stays valid', async () => {
    const { user, other } = await createPersonalData(context)
    const waiting = await createAgreement(other, (await createProperty(other)).unit, user)
    await signs(context.esign, context.server.url, user, waiting, user)
    const otp = await requestOtp(user.phone)
    const rejected = await user.call('DELETE', '/auth/me', { otp })
    expect(rejected.status).toBe(400)
    expect(rejected.body.error.details.map(({ status }: { status: string }) => status)).toEqual([
      'ACTIVE',
      'ACTIVE',
      'PENDING',
    ])
    for (const { agreement_number } of rejected.body.error.details)
      expect(rejected.body.error.message).toContain(agreement_number)
    expect((await user.call('GET', '/properties')).body.metadata.total).toBe(2)
    await other.call('POST', `/agreements/${waiting.id}/terminate`, {})
    expect((await user.call('DELETE', '/auth/me', { otp })).body.error.details).toHaveLength(2)
  })
})

describe('an erasure', () => {
  test('leaves only the data of agreements that others have signed', async () => {
    const { user, before, erasure, after } = erased
    const texts = [user.phone, ...TEXTS]
    expect(before.where(...texts).length).toBeGreaterThan(15)
    expect(erasure.body).toEqual({ success: true, data: { message: expect.any(String) } })
    // Both have signed the terms of the lease. The hashes of later events cover the reason of its end.
    expect(after.where(...texts)).toEqual(['agreement_events.details', 'agreements.payment_terms'])
    expect(after.where(user.phone, EMAIL, 'argon2')).toEqual([])
    expect([before.holding('4711'), after.holding('4711')]).toEqual([['kyc_requests.masked_aadhaar'], []])
    expect(before.where('argon2')).toEqual(['users.password'])
    expect(after.where(`erased-${user.id}`)).toEqual(['idempotency_keys.answer', 'users.phone'])
    console.log(
      JSON.stringify({
        promise: 'personal data: erasure',
        texts: texts.length,
        columns_before: before.where(...texts).length,
        columns_after: 2,
        tables: after.tables,
        values: after.values,
      }),
    )
  })

  test('401: every route rejects the tokens of the user', async () => {
    const { user } = erased
    const guarded = createApp(server.deps).routes.filter(({ path }) =>
      /^\/(auth\/(me|logout)|profile|dashboard|properties|tenants|agreements)/.test(path),
    )
    expect(guarded.length).toBeGreaterThan(30)
    for (const { method, path } of guarded) {
      const { status } = await sendRequest(
        server.url,
        method,
        `${path.replace(/:\w+/g, '1')}?name=White&pin_code=560048`,
        { token: user.token, body: method === 'GET' ? undefined : {} },
      )
      expect([method, path, status]).toEqual([method, path, 401])
    }
    expect(
      (
        await sendRequest(server, 'POST', '/auth/login', {
          body: { phone_number: user.phone, password: PASSWORD },
        })
      ).status,
    ).toBe(401)
  })
})

describe('after an erasure', () => {
  test('signed documents, event chains and certificates with the names stay intact', async () => {
    const { other, signed } = erased
    for (const { id } of signed) {
      const document = await fetch(`${server.url}/agreements/${id}/document`, {
        headers: { authorization: `Bearer ${other.token}` },
      })
      const bytes = await document.bytes()
      expect(document.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
      expect((await other.call('GET', `/agreements/${id}/timeline`)).body.data.intact).toBe(true)
      const certificate = await fetch(`${server.url}/agreements/${id}/certificate`, {
        headers: { authorization: `Bearer ${other.token}` },
      })
      const { text } = await extractText(await certificate.bytes(), { mergePages: true })
      expect(text).toContain(`${FIRST_NAME} ${LAST_NAME}`)
      expect(text).toContain('Tara Iyer')
      expect((await other.call('GET', `/agreements/${id}/signatures`)).body.data.allSigned).toBe(true)
    }
    expect((await other.call('POST', `/agreements/${signed[0]!.id}/complete`)).status).toBe(403)
    expect((await other.call('POST', `/agreements/${signed[1]!.id}/complete`)).body.data.status).toBe(
      'COMPLETED',
    )
  })

  test('the data of other users stays', async () => {
    const { user, other, shared, managed, otherDraft } = erased
    expect(
      (await other.call('GET', `/properties/${managed.property.id}/units/${managed.unit.id}`)).body.data
        .managed_by_id,
    ).toBe(other.id)
    expect((await other.call('GET', `/properties/${shared.property_id}`)).body.data).toMatchObject({
      alias_name: 'White House',
      society_building: 'White House',
      property_units: [{ unit_name: 'C' }],
    })
    expect((await other.call('GET', '/tenants')).body.data).toEqual([
      expect.objectContaining({ id: user.id, phone: null, first_name: null, last_name: null }),
    ])
    const rejected = await other.call('POST', `/agreements/${otherDraft.id}/sign`, { signer_id: other.id })
    expect([rejected.status, rejected.body.error.message]).toEqual([
      400,
      expect.stringContaining(String(user.id)),
    ])
    expect((await other.call('POST', '/agreements', agreementTerms(managed.unit.id, [user.id]))).status).toBe(
      400,
    )
  })
})

test('after an erasure the phone number signs up as a new user without the earlier data', async () => {
  const { user, signed } = erased
  const newUser = await signIn(user.phone)
  expect(newUser.id).not.toBe(user.id)
  expect((await newUser.call('GET', '/auth/me')).body.data).toMatchObject({
    user: { first_name: null, email: null, has_verified_profile: false },
    status: 'NEEDS_PROFILE_COMPLETION',
  })
  for (const path of ['/properties', '/tenants', '/agreements'])
    expect((await newUser.call('GET', path)).body.metadata.total).toBe(0)
  for (const { id } of signed) expect((await newUser.call('GET', `/agreements/${id}`)).status).toBe(404)
  expect((await newUser.call('GET', '/auth/me/export')).body.data).toMatchObject({
    properties: [],
    property_units: [],
    agreements: [],
    activities: [],
    identity_checks: [],
    webhooks: [],
    named_people: [],
    names_given_by_others: [],
    invitations: [],
  })
  expect((await erase(newUser)).status).toBe(200)
})
