import { describe, expect, test } from 'bun:test'
import { interrupt, lockRow } from '../../../support/locks'
import { testServer } from '../../../support/server'
import { createLandlord, signInUser, type TestUser } from '../../../support/users'
import { enveloped, plain, userInA, userInB } from '../../http/forms'
import { createCompletedUser, getUser, signInWithVariantA, toResult } from './fixtures'

const server = testServer()
const inB = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const inA = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' }
const complete = (user: TestUser, body: unknown) => user.put('/profile/complete', body)

describe('200: the response', () => {
  test('of Variant A has a message and the user', async () => {
    const user = await signInWithVariantA(server)
    const view = userInA(user.phone, { ...inA, hasCompletedProfile: true })
    expect(toResult(await complete(user, inA))).toEqual([200, { message: expect.any(String), user: view }])
  })

  test('of Variant B has the same in the envelope; the next step is the verification', async () => {
    const user = await signInUser(server)
    const view = userInB(user.phone, { ...inB, has_completed_profile: true })
    expect(toResult(await complete(user, inB))).toEqual([
      200,
      { success: true, data: { message: expect.any(String), user: view } },
    ])
    expect((await user.get('/auth/me')).data.status).toBe('NEEDS_VERIFICATION')
  })
})

test('200: Variant A neither sets nor changes a password, whatever its fields for one have', async () => {
  const user = await signInWithVariantA(server)
  for (const password of ['longer than eight', 'x', 1])
    expect((await complete(user, { ...inA, password, currentPassword: password })).status).toBe(200)
  expect((await getUser(server, user)).password).toBeNull()

  await complete(user, { ...inB, password: 'longer than eight' })
  const { password } = await getUser(server, user)
  await complete(user, { ...inA, password: 'another password' })
  expect(password).not.toBeNull()
  expect((await getUser(server, user)).password).toBe(password)
})

test('200: a profile has all values of one of two requests at once, each of which changes another one', async () => {
  const user = await createCompletedUser(server)
  const changes = [{ first_name: 'Usha' }, { last_name: 'Iyer' }]
  const responses = await interrupt(server, {
    lock: lockRow('users', user.id),
    start: () => Promise.all(changes.map(change => complete(user, { ...inB, ...change }))),
    waitingCount: 2,
  })
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  const { first_name, last_name } = await getUser(server, user)
  expect(['Usha Rao', 'Asha Iyer']).toContain(`${first_name} ${last_name}`)
})

test.each([
  ['asha@उदाहरण.भारत', 200],
  ['संपर्क@உதாரணம்.இந்தியா', 200],
  ['asha@क्\u200dष.भारत', 200],
  ['asha@-उदाहरण.भारत', 400],
  ['asha@उदा_हरण.भारत', 400],
])('the e-mail address %s is answered with %d', async (email, status) => {
  const response = await complete(await signInUser(server), { ...inB, email })
  expect([response.status, response.data?.user.email]).toEqual([
    status,
    status === 200 ? email : undefined,
  ] as never)
})

describe('a profile with a verified identity', () => {
  test('400: neither name can be changed, in both variants, and nothing else is', async () => {
    const user = await createLandlord(server)
    const others = { email: 'other@example.com', password: 'longer than eight' }
    for (const field of ['first_name', 'last_name'])
      expect(toResult(await complete(user, { ...inB, [field]: 'Other', ...others }))).toEqual([
        400,
        enveloped(400),
      ])
    expect(toResult(await complete(user, { ...inA, firstName: 'Other' }))).toEqual([400, plain(400)])
    expect(await getUser(server, user)).toMatchObject({ ...inB, password: null })
  })

  test('200: e-mail and password can be changed if the trimmed names are the same', async () => {
    const user = await createLandlord(server)
    const changes = { first_name: ' Asha ', email: 'other@example.com', password: 'longer than eight' }
    const { status, data } = await complete(user, { ...inB, ...changes })
    expect([status, data.user.email]).toEqual([200, 'other@example.com'])
    expect((await getUser(server, user)).password).toStartWith('$argon2id$')
  })
})
