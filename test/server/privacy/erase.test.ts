import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { extractText } from 'unpdf'
import { createApp } from '../../../server/app'
import { sendRequest, freshPhone, agreementTerms, toTestUser, type TestUser } from '../../support/users'
import { testServer } from '../../support/server'
import { startWhatsAppStub } from '../auth/whatsapp'
import { signingProvider, signs, start } from '../agreements/signing/provider'
import { dump } from './dump'

const first_name = 'Zebulonqx'
const last_name = 'Quandaryvz'
const email = 'zq.canary@example.com'
const password = 'passcanary-kx93jd-long'
const kyc = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: request =>
    request.method === 'POST'
      ? Response.json(
          { id: crypto.randomUUID(), status: 'CREATED', kycURL: 'https://kyc.example.com' },
          { status: 201 },
        )
      : Response.json({
          id: 'x',
          status: 'SUCCESS',
          kycURL: 'https://kyc.example.com',
          data: { aadhaar: { name: `${first_name} ${last_name}`, aadhaarNumber: 'XXXXXXXX4711' } },
        }),
})
afterAll(() => kyc.stop(true))
const chat = startWhatsAppStub()
const esign = signingProvider()
const it = testServer({
  env: {
    ...chat.env,
    ...esign.env,
    EKYC_API_URL: `http://127.0.0.1:${kyc.port}`,
    EKYC_CLIENT_ID: 'i',
    EKYC_CLIENT_SECRET: 's',
    EKYC_PRODUCT_INSTANCE_ID: 'p',
    OTP_LIMIT_PER_ADDRESS: '1000',
    OTP_LIMIT_PER_NETWORK: '100',
  },
})

async function otpOf(phone: string) {
  await sendRequest(it.url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
  return chat.otpOf(phone)!
}
async function enter(phone = freshPhone()): Promise<TestUser> {
  const { body } = await sendRequest(it.url, 'POST', '/auth/verify', {
    body: { phone_number: phone, otp: await otpOf(phone) },
  })
  const token: string = body.data.access_token
  return toTestUser({
    id: body.data.user.id,
    user_id: body.data.user.user_id,
    phone,
    token,
    call: (method, path, body) =>
      sendRequest(it.url, method, path, {
        token,
        body,
        headers:
          method === 'POST' && /^\/(tenants|properties|agreements)$/.test(path)
            ? { 'idempotency-key': crypto.randomUUID() }
            : {},
      }),
  })
}
const eraseWith = async (person: TestUser) =>
  person.call('DELETE', '/auth/me', { otp: await otpOf(person.phone) })
const list = async (owner: TestUser, more: Record<string, unknown> = {}) => {
  const {
    property_units: [unit],
    ...property
  } = (
    await owner.call('POST', '/properties', {
      pin_code: 560048,
      property_type: 'apartment',
      property_units: [{ unit_name: 'A-101' }],
      ...more,
    })
  ).body.data
  return { property, unit }
}
const drawUp = async (
  owner: TestUser,
  unit: { id: number },
  tenant: TestUser,
  more: Record<string, unknown> = {},
) => (await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id], more))).body.data

/** Somebody with everything that can be kept about a user, as landlord, tenant and manager. */
let me: TestUser
let other: TestUser
let signed: { id: number }[]
let shared: { property_id: string }
let managed: { property: { id: number }; unit: { id: number } }
let theirDraft: { id: number }
beforeAll(async () => {
  me = await enter()
  other = await enter()
  await other.call('PUT', '/profile/complete', {
    first_name: 'Tara',
    last_name: 'Iyer',
    email: 'tara@example.com',
  })
  await me.call('PUT', '/profile/complete', { first_name, last_name, email, password })
  const {
    body: {
      data: { verification_id },
    },
  } = await me.call('POST', '/profile/ekyc', {})
  await me.call('POST', '/profile/ekyc/complete', { verification_id })
  await sendRequest(it.url, 'POST', '/auth/login', { body: { phone_number: me.phone, password: 'wrong' } })
  await me.call('POST', '/tenants', { phone_number: other.phone, first_name: 'Tara', last_name: 'Iyer' })
  await other.call('POST', '/tenants', { phone_number: me.phone, first_name, last_name })

  const own = {
    alias_name: `House of ${last_name}`,
    society_building: `${last_name} Villa`,
    landmark: `Ask for ${first_name}`,
    property_units: [
      {
        unit_name: `${first_name}'s`,
        unit_notes: `Call ${me.phone}`,
        furniture_included: email,
        unit_amenities: [last_name],
        managed_by_id: (await enter()).id,
      },
    ],
  }
  const home = await list(me, own)
  const asTenant = await list(other)
  await me.call('DELETE', `/properties/${(await list(me, own)).property.id}`)
  managed = await list(other, { property_units: [{ unit_name: 'B', managed_by_id: me.id }] })
  shared = (await list(me, { society_building: 'White House', alias_name: `${first_name}'s tower` })).property
  await other.call('POST', `/properties/${shared.property_id}/units`, { unit_name: 'C' })
  await drawUp(me, home.unit, other, {
    document_url: `https://example.com/${last_name}.pdf`,
    improvements: `by ${first_name}`,
  })
  theirDraft = await drawUp(other, (await list(other)).unit, me)

  signed = [
    await drawUp(me, home.unit, other, { payment_terms: `To ${first_name} ${last_name}` }),
    await drawUp(other, asTenant.unit, me),
  ]
  for (const agreement of signed) {
    const mine = await signs(esign, it.url, me, agreement, me)
    await signs(esign, it.url, other, agreement, other)
    await me.call('GET', `/agreements/${agreement.id}/document`)
    const news = esign.news('ESIGN_COMPLETE', esign.of(mine), { nonce: 'again' })
    Object.assign(news.data.esign.signers[0]!, {
      identifier: me.phone,
      displayName: `${first_name} ${last_name}`,
      email,
    })
    await esign.webhook(it.url, news)
  }
})

test('the export tells all that is kept about the user, and nothing that signs anybody in', async () => {
  const answer = await me.call('GET', '/auth/me/export')
  const data = answer.body.data
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="kiraya-export.json"')
  expect(data).toMatchObject({
    user: { id: me.id, phone: me.phone, first_name, last_name, email, has_password: true },
    sessions: [{ is_active: true }],
    identity_checks: [{ status: 'SUCCESS', masked_aadhaar: '4711' }],
    named_people: [{ phone: other.phone }],
    names_given_by_others: [{ first_name, last_name }],
  })
  expect(data.properties).toHaveLength(3)
  expect(data.property_units.map(({ unit_name }: { unit_name: string }) => unit_name).toSorted()).toEqual(
    ['A-101', 'B', `${first_name}'s`, `${first_name}'s`].toSorted(),
  )
  expect(data.agreements).toHaveLength(4)
  expect(data.agreements.find(({ id }: { id: number }) => id === signed[0]!.id)).toMatchObject({
    status: 'ACTIVE',
    signatures: [{ signer_id: me.id, status: 'signed' }],
    documents: [{ sha256: expect.any(String) }],
  })
  expect(
    data.agreements.flatMap(({ timeline }: { timeline: { type: string }[] }) =>
      timeline.map(({ type }) => type),
    ),
  ).toContain('activated')
  expect(
    data.webhooks.some(({ payload }: { payload: unknown }) => JSON.stringify(payload).includes(me.phone)),
  ).toBe(true)
  expect(data.counters.length).toBeGreaterThan(1)
  expect(data.repeatable_requests.length).toBeGreaterThan(3)
  expect(data.activities.length).toBeGreaterThan(10)
  const text = JSON.stringify(answer.body)
  for (const secret of [
    me.token,
    me.token.split('.')[2]!,
    password,
    'argon2',
    createHash('sha256').update(me.token).digest('hex'),
    'Tara@',
    'tara@example.com',
  ])
    expect(text).not.toContain(secret)
})

describe('an erasure', () => {
  test('400: without a one-time password, or with a wrong one, nothing happens', async () => {
    expect((await me.call('DELETE', '/auth/me')).status).toBe(400)
    expect((await me.call('DELETE', '/auth/me', { password })).status).toBe(400)
    const otp = await otpOf(me.phone)
    expect(
      (await me.call('DELETE', '/auth/me', { otp: otp === '000000' ? '000001' : '000000' })).body.error
        .message,
    ).toContain('one-time password')
    expect((await me.call('GET', '/auth/me')).status).toBe(200)
  })

  test('400: agreements that are active or being signed stand against it, and are named; the one-time password stays good', async () => {
    const waiting = await drawUp(other, (await list(other)).unit, me)
    await start(other, waiting, other)
    const otp = await otpOf(me.phone)
    const refused = await me.call('DELETE', '/auth/me', { otp })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details.map(({ status }: { status: string }) => status)).toEqual([
      'ACTIVE',
      'ACTIVE',
      'PENDING',
    ])
    for (const { agreement_number } of refused.body.error.details)
      expect(refused.body.error.message).toContain(agreement_number)
    expect((await me.call('GET', '/properties')).body.metadata.total).toBe(2)
    await other.call('POST', `/agreements/${waiting.id}/terminate`, {})
    expect((await me.call('DELETE', '/auth/me', { otp })).body.error.details).toHaveLength(2)
  })

  test('leaves nothing of the user but what others have signed with them', async () => {
    await me.call('POST', `/agreements/${signed[0]!.id}/terminate`, { reason: `${first_name} moves` })
    await other.call('POST', `/agreements/${signed[1]!.id}/terminate`, {})
    const before = await dump(it.em())
    const texts = [me.phone, first_name, last_name, email, password]
    expect(before.where(...texts).length).toBeGreaterThan(15)
    const hashes = before.where('argon2')
    expect((await eraseWith(me)).body).toEqual({ success: true, data: { message: expect.any(String) } })

    const after = await dump(it.em())
    // The terms of a lease that both have signed, and why it was ended: an event whose hash all later ones cover.
    expect(after.where(...texts)).toEqual(['agreement_events.details', 'agreements.payment_terms'])
    expect(after.where(me.phone, email, 'argon2')).toEqual([])
    expect([before.holding('4711'), after.holding('4711')]).toEqual([['kyc_requests.masked_aadhaar'], []])
    expect(hashes).toEqual(['users.password'])
    expect(after.where(`erased-${me.id}`)).toEqual(['idempotency_keys.answer', 'users.phone'])
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

  test('401: every token of theirs, everywhere and at once', async () => {
    const guarded = createApp(it.deps).routes.filter(({ path }) =>
      /^\/(auth\/(me|logout)|profile|dashboard|properties|tenants|agreements)/.test(path),
    )
    expect(guarded.length).toBeGreaterThan(30)
    for (const { method, path } of guarded) {
      const { status } = await sendRequest(
        it.url,
        method,
        `${path.replace(/:\w+/g, '1')}?name=White&pin_code=560048`,
        { token: me.token, body: method === 'GET' ? undefined : {} },
      )
      expect([method, path, status]).toEqual([method, path, 401])
    }
    expect(
      (await sendRequest(it.url, 'POST', '/auth/login', { body: { phone_number: me.phone, password } }))
        .status,
    ).toBe(401)
  })

  test('leaves the evidence whole: signed documents, the chain of events, and certificates that tell who signed', async () => {
    for (const { id } of signed) {
      const document = await fetch(`${it.url}/agreements/${id}/document`, {
        headers: { authorization: `Bearer ${other.token}` },
      })
      const bytes = await document.bytes()
      expect(document.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
      expect((await other.call('GET', `/agreements/${id}/timeline`)).body.data.intact).toBe(true)
      const certificate = await fetch(`${it.url}/agreements/${id}/certificate`, {
        headers: { authorization: `Bearer ${other.token}` },
      })
      const { text } = await extractText(await certificate.bytes(), { mergePages: true })
      expect(text).toContain(`${first_name} ${last_name}`)
      expect(text).toContain('Tara Iyer')
      expect((await other.call('GET', `/agreements/${id}/signatures`)).body.data.allSigned).toBe(true)
    }
    expect((await other.call('POST', `/agreements/${signed[0]!.id}/complete`)).status).toBe(403)
    expect((await other.call('POST', `/agreements/${signed[1]!.id}/complete`)).body.data.status).toBe(
      'COMPLETED',
    )
  })

  test('leaves others what is theirs', async () => {
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
      expect.objectContaining({ id: me.id, phone: null, first_name: null, last_name: null }),
    ])
    const refused = await other.call('POST', `/agreements/${theirDraft.id}/sign`, { signer_id: other.id })
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining(String(me.id)),
    ])
    expect((await other.call('POST', '/agreements', agreementTerms(managed.unit.id, [me.id]))).status).toBe(
      400,
    )
  })

  test('the number signs up anew, as somebody who sees nothing of before', async () => {
    const anew = await enter(me.phone)
    expect(anew.id).not.toBe(me.id)
    expect((await anew.call('GET', '/auth/me')).body.data).toMatchObject({
      user: { first_name: null, email: null, has_verified_profile: false },
      status: 'NEEDS_PROFILE_COMPLETION',
    })
    for (const path of ['/properties', '/tenants', '/agreements'])
      expect((await anew.call('GET', path)).body.metadata.total).toBe(0)
    for (const { id } of signed) expect((await anew.call('GET', `/agreements/${id}`)).status).toBe(404)
    expect((await anew.call('GET', '/auth/me/export')).body.data).toMatchObject({
      properties: [],
      property_units: [],
      agreements: [],
      activities: [],
      identity_checks: [],
      webhooks: [],
      named_people: [],
      names_given_by_others: [],
    })
    expect((await eraseWith(anew)).status).toBe(200)
  })
})
