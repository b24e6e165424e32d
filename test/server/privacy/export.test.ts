import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { EMAIL, FIRST_NAME, LAST_NAME, PASSWORD, createPersonalData, erasureServer } from './erasure-fixture'

const context = erasureServer()

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
