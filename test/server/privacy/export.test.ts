import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { EMAIL, FIRST_NAME, LAST_NAME, PASSWORD, createPersonalData, erasureServer } from './erasure-fixture'

const context = erasureServer()

test('with the clock moved by 60 days, an export has no time that is not of the moved clock', async () => {
  const { clock, now } = context.server.deps
  clock.setOffset(60 * 86_400_000)
  const start = now().toISOString()
  const { user } = await createPersonalData(context)
  const { tables } = (await user.call('GET', '/auth/me/export')).body.data
  clock.setOffset(0)

  const times = [...JSON.stringify(tables).matchAll(/"(\w+)":"(\d{4}-\d\d-\d\dT[^"]+)"/g)]
  expect(new Set(times.map(([, column]) => column)).size).toBeGreaterThan(8)
  expect(times.filter(([, , time]) => time! < start).map(([text]) => text)).toEqual([])
})

test('an export has all stored data of the user, and no secret that allows a sign-in', async () => {
  const { user, other, signed } = await createPersonalData(context)
  const answer = await user.call('GET', '/auth/me/export')
  const { tables } = answer.body.data
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="kiraya-export.json"')
  const { id, phone } = user
  expect(tables).toMatchObject({
    users: [{ id, phone, first_name: FIRST_NAME, last_name: LAST_NAME, email: EMAIL }],
    auth_sessions: [{ is_active: true }],
    kyc_requests: [{ status: 'SUCCESS', masked_aadhaar: '4711' }],
    properties: [{}, {}, {}],
    agreements: [{}, {}, {}, {}],
  })
  expect(tables.tenant_contacts).toContainEqual({
    tenant_id: id,
    first_name: FIRST_NAME,
    last_name: LAST_NAME,
  })
  expect(tables.tenant_contacts).toContainEqual(expect.objectContaining({ tenant_id: other.id }))
  expect(tables.property_units.map(({ unit_name }: { unit_name: string }) => unit_name).toSorted()).toEqual(
    ['A-101', 'B', `${FIRST_NAME}'s`, `${FIRST_NAME}'s`].toSorted(),
  )
  const signedIds = signed.map(agreement => agreement.id)
  expect(
    tables.agreement_signatures.map((row: any) => [row.agreement_id, row.signer_id, row.status]),
  ).toEqual(signedIds.map(agreementId => [agreementId, id, 'SIGNED']))
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
  expect(tables.signed_documents).toContainEqual(expect.objectContaining({ created_at: time }))
  expect(tables.timeline_entries.map(({ type }: { type: string }) => type)).toContain('activated')
  for (const entry of tables.timeline_entries) expect(entry).not.toHaveProperty('snapshot')
  const kinds = tables.rate_limits.map(({ key }: { key: string }) => key.split(':')[0])
  expect(kinds).toContain('otp')
  expect(tables.idempotency_keys.length).toBeGreaterThan(3)
  expect(tables.activities.length).toBeGreaterThan(10)
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

test('429: a second export of a user at once', async () => {
  const user = await context.signIn()
  const headers = { authorization: `Bearer ${user.token}` }
  const load = () => fetch(`${context.server.url}/auth/me/export`, { headers })

  const responses = await Promise.all([load(), load()])

  const refused = responses.find(({ status }) => status === 429)!
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 429])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await Promise.all(responses.map(response => response.text()))
  expect((await load()).status).toBe(200)
})
