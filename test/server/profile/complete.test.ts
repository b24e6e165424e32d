import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, createLandlord, signInUser, type TestUser } from '../../support/users'
import { testServer } from '../../support/server'
import { getUser, signInWithVariantA, toResult } from './fixtures'
import { broken, brokenInA, enveloped, plain, userInA, userInB } from '../http/forms'

const server = testServer()
const inB = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const inA = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' }
const complete = (user: TestUser, body: unknown) => user.call('PUT', '/profile/complete', body)

describe('the response', () => {
  test('200: Variant A has a message and the user', async () => {
    const user = await signInWithVariantA(server)
    expect(toResult(await complete(user, inA))).toEqual([
      200,
      { message: expect.any(String), user: userInA(user.phone, { ...inA, hasCompletedProfile: true }) },
    ])
  })

  test('200: Variant B has the same in the envelope', async () => {
    const user = await signInUser(server)
    expect(toResult(await complete(user, inB))).toEqual([
      200,
      {
        success: true,
        data: {
          message: expect.any(String),
          user: userInB(user.phone, { ...inB, has_completed_profile: true }),
        },
      },
    ])
  })
})

test('200: Variant A sets no password, whatever its fields for one have', async () => {
  const user = await signInWithVariantA(server)
  for (const password of ['longer than eight', 'x', 1]) {
    const response = await complete(user, { ...inA, password, currentPassword: password })
    expect([response.status, (await getUser(server, user)).password]).toEqual([200, null])
  }
})

test('200: a password of Variant B stays if Variant A changes the profile', async () => {
  const user = await signInUser(server)
  await complete(user, { ...inB, password: 'longer than eight' })
  const { password } = await getUser(server, user)
  await complete(user, { ...inA, password: 'another password' })
  expect((await getUser(server, user)).password).toBe(password)
})

describe('200: accepted values', () => {
  test('names are trimmed, and keep inner blanks', async () => {
    const user = await signInUser(server)
    await complete(user, { ...inB, first_name: '  Asha  Devi ', last_name: '\tRao\n' })
    expect(await getUser(server, user)).toMatchObject({ first_name: 'Asha  Devi', last_name: 'Rao' })
  })

  for (const name of [
    'x',
    'x'.repeat(255),
    '🏠'.repeat(100),
    'आशा',
    "O'Neil; drop table users--",
    '<b>Asha</b>',
    '__proto__',
    'null',
  ]) {
    test(`name ${JSON.stringify(name).slice(0, 40)}`, async () => {
      const { body } = await complete(await signInUser(server), { ...inB, first_name: name, last_name: name })
      expect(body.data.user).toMatchObject({ first_name: name, last_name: name })
    })
  }

  for (const email of [
    'a@b.co',
    'first.last+tag@sub.example.co.in',
    `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
  ]) {
    test(`e-mail ${email.slice(0, 40)}`, async () =>
      expect((await complete(await signInUser(server), { ...inB, email })).body.data.user.email).toBe(email))
  }
})

describe('200: a completed profile', () => {
  test('can be changed by another request', async () => {
    const user = await signInUser(server)
    const other = { first_name: 'Usha', last_name: 'Iyer', email: 'usha@example.com' }
    await complete(user, inB)
    expect((await complete(user, other)).body.data.user).toMatchObject(other)
  })

  test('ignores fields that clients cannot set', async () => {
    const user = await signInUser(server)
    const before = await getUser(server, user)
    const { body } = await complete(user, {
      ...inB,
      id: 1,
      user_id: crypto.randomUUID(),
      role: 'admin',
      phone: '9999999999',
      kyc_verified: true,
      has_verified_profile: true,
      is_active: false,
      last_login_at: null,
    })
    expect(body.data.user).toEqual(
      userInB(user.phone, { id: user.id, user_id: user.user_id, ...inB, has_completed_profile: true }),
    )
    expect(await getUser(server, user)).toEqual({ ...before, ...inB, updated_at: expect.any(String) })
  })

  test('changes the status to NEEDS_VERIFICATION', async () => {
    const user = await signInUser(server)
    await complete(user, inB)
    expect((await user.call('GET', '/auth/me')).body.data.status).toBe('NEEDS_VERIFICATION')
  })

  test('has all values of one of several concurrent requests', async () => {
    const user = await signInUser(server)
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        complete(user, { first_name: `F${index}`, last_name: `L${index}`, email: `e${index}@example.com` }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const { first_name, last_name, email } = await getUser(server, user)
    const index = first_name!.slice(1)
    expect([last_name, email]).toEqual([`L${index}`, `e${index}@example.com`])
  })
})

describe('a profile with a verified identity', () => {
  for (const field of ['first_name', 'last_name'] as const) {
    test(`400: a changed ${field} is rejected, and nothing is changed`, async () => {
      const user = await createLandlord(server)
      expect(
        toResult(
          await complete(user, {
            ...inB,
            [field]: 'Other',
            email: 'other@example.com',
            password: 'longer than eight',
          }),
        ),
      ).toEqual([400, enveloped(400)])
      expect(await getUser(server, user)).toMatchObject({ ...inB, password: null })
    })
  }

  test('400: Variant A has the plain error', async () => {
    const user = await createLandlord(server)
    expect(toResult(await complete(user, { ...inA, firstName: 'Other' }))).toEqual([400, plain(400)])
  })

  test('200: e-mail and password can be changed if the trimmed names are the same', async () => {
    const user = await createLandlord(server)
    const response = await complete(user, {
      ...inB,
      first_name: ' Asha ',
      email: 'other@example.com',
      password: 'longer than eight',
    })
    expect([response.status, response.body.data.user.email, (await getUser(server, user)).password]).toEqual([
      200,
      'other@example.com',
      expect.stringContaining('argon2id'),
    ])
  })
})

const invalidNames: unknown[] = [
  undefined,
  null,
  '',
  ' ',
  '\u00a0\t',
  'x'.repeat(256),
  'a\0b',
  '\ud800',
  5,
  true,
  ['Asha'],
  { a: 1 },
]
const invalidEmails: unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'asha',
  '@example.com',
  'asha@',
  'asha@example',
  'a b@example.com',
  'a@b@example.com',
  'a@exam ple.com',
  'a@-example.com',
  '.a@example.com',
  'a..b@example.com',
  'a.@example.com',
  'a@example..com',
  'a\0@b.co',
  `a@${'b'.repeat(251)}.co`,
  5,
  ['a@b.co'],
  { a: 1 },
]
const invalidFields = [
  ...invalidNames.flatMap(
    value =>
      [
        ['first_name', 'firstName', value],
        ['last_name', 'lastName', value],
      ] as const,
  ),
  ...invalidEmails.map(value => ['email', 'email', value] as const),
]
describe('400: an invalid profile', () => {
  test.each(
    invalidFields.map(
      ([b, a, value]) => [`${b} ${JSON.stringify(value)?.slice(0, 30)}`, b, a, value] as const,
    ),
  )('%s is rejected in both variants, and nothing is stored', async (_, b, a, value) => {
    const user = await signInUser(server)
    expect(toResult(await complete(user, { ...inB, [b]: value }))).toEqual([400, broken(b)])
    expect(toResult(await complete(user, { ...inA, [a]: value }))).toEqual([400, brokenInA(a)])
    expect(await getUser(server, user)).toMatchObject({ first_name: null, last_name: null, email: null })
  })

  test('an empty body: every field is named, in the variant of the token', async () => {
    expect(toResult(await complete(await signInUser(server), {}))).toEqual([
      400,
      broken('first_name', 'last_name', 'email'),
    ])
    expect(toResult(await complete(await signInWithVariantA(server), {}))).toEqual([
      400,
      brokenInA('firstName', 'lastName', 'email'),
    ])
  })

  test('a violation names its constraint', async () => {
    const { body } = await complete(await signInUser(server), { ...inB, first_name: 'x'.repeat(256) })
    expect(body.error.details).toEqual([
      {
        property: 'first_name',
        constraints: { max_length: 'first_name must be at most 255 characters long' },
      },
    ])
  })
})

describe('access', () => {
  for (const [method, path, body, bodyInA] of [
    ['PUT', '/profile/complete', inB, inA],
    ['POST', '/profile/ekyc', {}, undefined],
    [
      'POST',
      '/profile/ekyc/complete',
      { verification_id: crypto.randomUUID() },
      { verificationId: crypto.randomUUID() },
    ],
  ] as const) {
    test(`401: ${path} without a token or with an invalid one`, async () => {
      for (const token of [undefined, 'x.y.z']) {
        if (Object.keys(body).length)
          expect(toResult(await sendRequest(server, method, path, { token, body }))).toEqual([
            401,
            enveloped(401),
          ])
        if (bodyInA)
          expect(toResult(await sendRequest(server, method, path, { token, body: bodyInA }))).toEqual([
            401,
            plain(401),
          ])
      }
      expect(toResult(await sendRequest(server, method, path, { body: {} }))).toEqual([401, plain(401)])
    })

    test(`404: ${path} with the token of an inactive user`, async () => {
      const [byB, byA] = [await signInUser(server), await signInWithVariantA(server)]
      await getKysely(server.em())
        .updateTable('users')
        .set({ is_active: false })
        .where('id', 'in', [byA.id, byB.id])
        .execute()
      expect(toResult(await byB.call(method, path, body))).toEqual([404, enveloped(404)])
      expect(toResult(await byA.call(method, path, bodyInA ?? body))).toEqual([404, plain(404)])
      expect(await getUser(server, byB)).toMatchObject({ first_name: null })
    })
  }
})
