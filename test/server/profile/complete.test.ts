import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import {
  sendRequest,
  freshPhone,
  createLandlord,
  signInUser,
  toTestUser,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { testServer } from '../../support/server'
import { broken, brokenInA, enveloped, plain, userInA, userInB } from '../http/forms'

const it = testServer()
const inB = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const inA = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' }
const complete = (person: TestUser, body: unknown) => person.call('PUT', '/profile/complete', body)
const row = ({ id }: TestUser) =>
  getKysely(it.em()).selectFrom('users').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
const seen = ({ status, body }: TestResponse) => [status, body]

/** Somebody who signed in by Variant A. */
async function signInByA(): Promise<TestUser> {
  const phone = freshPhone()
  await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: phone } })
  const {
    body: { access_token: token, user },
  } = await sendRequest(it.url, 'POST', '/auth/verify', { body: { phoneNumber: phone, otp: '123456' } })
  return toTestUser({
    id: user.id,
    user_id: '',
    phone,
    token,
    call: (method, path, body) => sendRequest(it.url, method, path, { token, body }),
  })
}

describe('200', () => {
  test('Variant A: message and user', async () => {
    const person = await signInByA()
    expect(seen(await complete(person, inA))).toEqual([
      200,
      { message: expect.any(String), user: userInA(person.phone, { ...inA, hasCompletedProfile: true }) },
    ])
  })

  test('Variant B: the same in the envelope', async () => {
    const person = await signInUser(it.url)
    expect(seen(await complete(person, inB))).toEqual([
      200,
      {
        success: true,
        data: {
          message: expect.any(String),
          user: userInB(person.phone, { ...inB, has_completed_profile: true }),
        },
      },
    ])
  })

  test('names lose the blanks at their ends, and keep those inside', async () => {
    const person = await signInUser(it.url)
    await complete(person, { ...inB, first_name: '  Asha  Devi ', last_name: '\tRao\n' })
    expect(await row(person)).toMatchObject({ first_name: 'Asha  Devi', last_name: 'Rao' })
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
    test(`a name may be ${JSON.stringify(name).slice(0, 40)}`, async () => {
      const { body } = await complete(await signInUser(it.url), { ...inB, first_name: name, last_name: name })
      expect(body.data.user).toMatchObject({ first_name: name, last_name: name })
    })
  }

  for (const email of [
    'a@b.co',
    'first.last+tag@sub.example.co.in',
    `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
  ]) {
    test(`an e-mail may be ${email.slice(0, 40)}`, async () =>
      expect((await complete(await signInUser(it.url), { ...inB, email })).body.data.user.email).toBe(email))
  }

  test('it may be called again to change everything', async () => {
    const person = await signInUser(it.url)
    const other = { first_name: 'Usha', last_name: 'Iyer', email: 'usha@example.com' }
    await complete(person, inB)
    expect((await complete(person, other)).body.data.user).toMatchObject(other)
  })

  test('server-owned fields are ignored', async () => {
    const person = await signInUser(it.url)
    const before = await row(person)
    const { body } = await complete(person, {
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
      userInB(person.phone, { id: person.id, user_id: person.user_id, ...inB, has_completed_profile: true }),
    )
    expect(await row(person)).toEqual({ ...before, ...inB, updated_at: expect.any(String) })
  })

  test('the status moves to NEEDS_VERIFICATION', async () => {
    const person = await signInUser(it.url)
    await complete(person, inB)
    expect((await person.call('GET', '/auth/me')).body.data.status).toBe('NEEDS_VERIFICATION')
  })

  test('concurrent changes answer no error and leave one of them whole', async () => {
    const person = await signInUser(it.url)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        complete(person, { first_name: `F${index}`, last_name: `L${index}`, email: `e${index}@example.com` }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const { first_name, last_name, email } = await row(person)
    const index = first_name!.slice(1)
    expect([last_name, email]).toEqual([`L${index}`, `e${index}@example.com`])
  })
})

describe('once the identity is verified', () => {
  for (const field of ['first_name', 'last_name'] as const) {
    test(`400: changing ${field}, and nothing is changed`, async () => {
      const person = await createLandlord(it.url)
      expect(
        seen(
          await complete(person, {
            ...inB,
            [field]: 'Other',
            email: 'other@example.com',
            password: 'longer than eight',
          }),
        ),
      ).toEqual([400, enveloped(400)])
      expect(await row(person)).toMatchObject({ ...inB, password: null })
    })
  }

  test('400 in Variant A', async () => {
    const person = await createLandlord(it.url)
    expect(seen(await complete(person, { ...inA, firstName: 'Other' }))).toEqual([400, plain(400)])
  })

  test('200: e-mail and password may be changed, the names sent with blanks around them', async () => {
    const person = await createLandlord(it.url)
    const answer = await complete(person, {
      ...inB,
      first_name: ' Asha ',
      email: 'other@example.com',
      password: 'longer than eight',
    })
    expect([answer.status, answer.body.data.user.email, (await row(person)).password]).toEqual([
      200,
      'other@example.com',
      expect.stringContaining('argon2id'),
    ])
  })
})

describe('400', () => {
  const text: unknown[] = [
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
  const mailboxes: unknown[] = [
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
    'a@example..com',
    'a@b.co\n',
    'a\0@b.co',
    `a@${'b'.repeat(251)}.co`,
    5,
    ['a@b.co'],
    { a: 1 },
  ]
  const table = [
    ...text.flatMap(
      value =>
        [
          ['first_name', 'firstName', value],
          ['last_name', 'lastName', value],
        ] as const,
    ),
    ...mailboxes.map(value => ['email', 'email', value] as const),
  ]
  test.each(
    table.map(([b, a, value]) => [`${b} ${JSON.stringify(value)?.slice(0, 30)}`, b, a, value] as const),
  )('%s, in both variants, and nothing is stored', async (_, b, a, value) => {
    const person = await signInUser(it.url)
    expect(seen(await complete(person, { ...inB, [b]: value }))).toEqual([400, broken(b)])
    expect(seen(await complete(person, { ...inA, [a]: value }))).toEqual([400, brokenInA(a)])
    expect(await row(person)).toMatchObject({ first_name: null, last_name: null, email: null })
  })

  test('every broken field is named, an empty body in the variant of the token', async () => {
    expect(seen(await complete(await signInUser(it.url), {}))).toEqual([
      400,
      broken('first_name', 'last_name', 'email'),
    ])
    expect(seen(await complete(await signInByA(), {}))).toEqual([
      400,
      brokenInA('firstName', 'lastName', 'email'),
    ])
  })

  test('a rule says which it is', async () => {
    const { body } = await complete(await signInUser(it.url), { ...inB, first_name: 'x'.repeat(256) })
    expect(body.error.details).toEqual([
      {
        property: 'first_name',
        constraints: { max_length: 'first_name must be at most 255 characters long' },
      },
    ])
  })
})

describe('401 and 404', () => {
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
    test(`401: ${path} without a token or with a bad one`, async () => {
      for (const token of [undefined, 'x.y.z']) {
        if (Object.keys(body).length)
          expect(seen(await sendRequest(it.url, method, path, { token, body }))).toEqual([
            401,
            enveloped(401),
          ])
        if (bodyInA)
          expect(seen(await sendRequest(it.url, method, path, { token, body: bodyInA }))).toEqual([
            401,
            plain(401),
          ])
      }
      expect(seen(await sendRequest(it.url, method, path, { body: {} }))).toEqual([401, plain(401)])
    })

    test(`404: ${path} with the token of a user who is not active`, async () => {
      const [byB, byA] = [await signInUser(it.url), await signInByA()]
      await getKysely(it.em())
        .updateTable('users')
        .set({ is_active: false })
        .where('id', 'in', [byA.id, byB.id])
        .execute()
      expect(seen(await byB.call(method, path, body))).toEqual([404, enveloped(404)])
      expect(seen(await byA.call(method, path, bodyInA ?? body))).toEqual([404, plain(404)])
      expect(await row(byB)).toMatchObject({ first_name: null })
    })
  }
})
