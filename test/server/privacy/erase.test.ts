import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { extractText } from 'unpdf'
import { sendRequest, agreementTerms } from '../../support/users'
import { dump } from './dump'
import { EMAIL, FIRST_NAME, LAST_NAME, PASSWORD, createPersonalData, erasureServer } from './erasure-fixture'

const TEXTS = [FIRST_NAME, LAST_NAME, EMAIL, PASSWORD]

const context = erasureServer()
const { server, signIn, erase } = context
let erased: Awaited<ReturnType<typeof createErasedUser>>
beforeAll(async () => {
  erased = await createErasedUser()
}, 120_000)

/** A user who is erased, and what the database held of them before and after. */
async function createErasedUser() {
  const fixture = await createPersonalData(context)
  const { user, other, signed } = fixture
  await user.post(`/agreements/${signed[0]!.id}/terminate`, { reason: `${FIRST_NAME} moves` })
  await other.post(`/agreements/${signed[1]!.id}/terminate`, {})
  const before = await dump(server.em())
  const erasure = await erase(user)
  return { ...fixture, before, erasure, after: await dump(server.em()) }
}

describe('an erasure', () => {
  test('leaves only the data of agreements that others have signed', async () => {
    const { user, before, erasure, after } = erased
    const texts = [user.phone, ...TEXTS]
    expect(before.where(...texts).length).toBeGreaterThan(15)
    expect(before.where(...texts)).not.toContain('received_webhooks.payload')
    expect(erasure.body).toEqual({ success: true, data: { message: expect.any(String) } })
    // Both have signed the terms of the lease, and its certificate names them. The hashes of later entries cover the reason of its end.
    // What others can repeat for a day stays until then.
    const repeatable = 'idempotency_keys.answer'
    const certificates = 'agreement_certificates.content'
    const kept = [certificates, 'agreements.payment_terms', repeatable, 'timeline_entries.details']
    expect(after.where(...texts)).toEqual(kept)
    expect(after.where(user.phone, EMAIL, 'argon2')).toEqual([repeatable])
    expect([before.holding('4711'), after.holding('4711')]).toEqual([['kyc_requests.masked_aadhaar'], []])
    expect(before.where('argon2')).toEqual(['users.password'])
    expect(after.where(`erased-${user.id}`)).toEqual(['users.phone'])
  })

  test('401: the tokens and the password of the user sign nobody in', async () => {
    const { user } = erased
    for (const path of ['/auth/me', '/properties', '/agreements', '/dashboard'])
      expect((await user.get(path)).status).toBe(401)
    const body = { phone_number: user.phone, password: PASSWORD }
    expect((await sendRequest(server, 'POST', '/auth/login', { body })).status).toBe(401)
  })
})

describe('after an erasure', () => {
  test('signed documents, entry chains and certificates with the names stay intact', async () => {
    const { other, signed } = erased
    for (const { id } of signed) {
      const document = await fetch(`${server.url}/agreements/${id}/document`, {
        headers: { authorization: `Bearer ${other.token}` },
      })
      const bytes = await document.bytes()
      expect(document.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
      expect((await other.get(`/agreements/${id}/timeline`)).data.intact).toBe(true)
      const certificate = await fetch(`${server.url}/agreements/${id}/certificate`, {
        headers: { authorization: `Bearer ${other.token}` },
      })
      const { text } = await extractText(await certificate.bytes(), { mergePages: true })
      expect(text).toContain(`${FIRST_NAME} ${LAST_NAME}`)
      expect(text).toContain('Tara Iyer')
      expect((await other.get(`/agreements/${id}/signatures`)).data.allSigned).toBe(true)
    }
    expect((await other.post(`/agreements/${signed[0]!.id}/complete`)).status).toBe(403)
    expect((await other.post(`/agreements/${signed[1]!.id}/complete`)).data.status).toBe('COMPLETED')
  })

  test('the data of other users stays', async () => {
    const { user, other, shared, managed, otherDraft } = erased
    expect(
      (await other.get(`/properties/${managed.property.id}/units/${managed.unit.id}`)).data.managed_by_id,
    ).toBe(other.id)
    expect((await other.get(`/properties/${shared.property_id}`)).data).toMatchObject({
      alias_name: 'White House',
      society_building: 'White House',
      property_units: [{ unit_name: 'C' }],
    })
    expect((await other.get('/tenants')).data).toEqual([
      expect.objectContaining({ id: user.id, phone: null, first_name: null, last_name: null }),
    ])
    const rejected = await other.post(`/agreements/${otherDraft.id}/sign`, { signer_id: other.id })
    expect([rejected.status, rejected.body.error.message]).toEqual([
      400,
      expect.stringContaining(String(user.id)),
    ])
    expect((await other.post('/agreements', agreementTerms(managed.unit.id, [user.id]))).status).toBe(400)
  })
})

test('after an erasure the phone number signs up as a new user without the earlier data', async () => {
  const { user, signed } = erased
  const newUser = await signIn(user.phone)
  expect(newUser.id).not.toBe(user.id)
  expect((await newUser.get('/auth/me')).data).toMatchObject({
    user: { first_name: null, email: null, has_verified_profile: false },
    status: 'NEEDS_PROFILE_COMPLETION',
  })
  for (const path of ['/properties', '/tenants', '/agreements'])
    expect((await newUser.get(path)).body.metadata.total).toBe(0)
  for (const { id } of signed) expect((await newUser.get(`/agreements/${id}`)).status).toBe(404)
  expect((await newUser.get('/auth/me/export')).data).toMatchObject({
    tables: {
      properties: [],
      property_units: [],
      agreements: [],
      activities: [],
      kyc_requests: [],
      tenant_contacts: [],
      invitations: [],
    },
  })
  expect((await erase(newUser)).status).toBe(200)
})
