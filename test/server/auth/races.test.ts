import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, signInUser } from '../../support/users'
import { testServer } from '../../support/server'

const server = testServer({ poolSize: 25 })
const ask = (phone: string) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
const verify = (phone: string, otp = '123456') =>
  sendRequest(server, 'POST', '/auth/verify', { body: { phone_number: phone, otp } })
const together = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
/** On a cold pool requests queue for the first connection, and a naive read-then-write looks right. */
const warm = () => together(25, () => sendRequest(server, 'GET', '/health/ready'))
const listSessions = (phone: string) =>
  getKysely(server.em())
    .selectFrom('auth_sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .where('u.phone', '=', phone)
    .select(['s.is_active', 'u.id'])
    .execute()

for (const [count, rounds] of [
  [2, 60],
  [20, 12],
] as const) {
  test(`${count} concurrent verifications of one OTP: one succeeds, and one user is created`, async () => {
    await warm()
    for (let round = 0; round < rounds; round++) {
      const phone = freshPhone()
      await ask(phone)
      const statuses = (await together(count, () => verify(phone))).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, ...Array(count - 1).fill(401)])
      expect(await listSessions(phone)).toEqual([{ is_active: true, id: expect.any(Number) }])
    }
  })

  test(`${count} concurrent verifications of one OTP of a known user: one succeeds`, async () => {
    await warm()
    const { phone } = await signInUser(server)
    for (let round = 0; round < rounds / 2; round++) {
      await ask(phone)
      const statuses = (await together(count, () => verify(phone))).map(({ status }) => status)
      expect(statuses.filter(status => status === 200)).toHaveLength(1)
      expect((await listSessions(phone)).filter(({ is_active }) => is_active)).toHaveLength(1)
    }
  })
}

test('concurrent wrong attempts all count: the OTP is invalid after five', async () => {
  await warm()
  for (let round = 0; round < 10; round++) {
    const phone = freshPhone()
    await ask(phone)
    await together(5, index => verify(phone, `00000${index}`))
    expect((await verify(phone)).status).toBe(401)
  }
})

test('twenty concurrent guesses have at most five attempts', async () => {
  await warm()
  const phone = freshPhone()
  await ask(phone)
  await together(20, index => verify(phone, String(index).padStart(6, '0')))
  expect(
    await getKysely(server.em())
      .selectFrom('otp_sessions')
      .where('phone_number', '=', phone)
      .select('attempts')
      .execute(),
  ).toEqual([{ attempts: 5 }])
})

test('concurrent OTP requests, right and wrong verifications cause no error and create one user', async () => {
  await warm()
  for (let round = 0; round < 5; round++) {
    const phone = freshPhone()
    await ask(phone)
    const answers = await together(20, index =>
      index % 4 === 0 ? ask(phone) : verify(phone, index % 4 === 1 ? '000000' : '123456'),
    )
    expect(answers.filter(({ status }) => ![200, 401].includes(status))).toEqual([])
    await signInUser(server.url, phone)
    expect(new Set((await listSessions(phone)).map(({ id }) => id)).size).toBe(1)
  }
})

test('one session is active after parallel password logins, and each of their tokens works', async () => {
  const person = await signInUser(server)
  const password = 'a password that is long'
  await person.call('PUT', '/profile/complete', {
    first_name: 'Asha',
    last_name: 'Rao',
    email: 'asha@example.com',
    password,
  })
  await warm()
  const answers = await together(6, () =>
    sendRequest(server, 'POST', '/auth/login', { body: { phone_number: person.phone, password } }),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect((await listSessions(person.phone)).filter(({ is_active }) => is_active)).toHaveLength(1)
  for (const { body } of answers)
    expect((await sendRequest(server, 'GET', '/auth/me', { token: body.data.access_token })).status).toBe(200)
})

test('concurrent logouts of one session end it without an error', async () => {
  const { token, phone } = await signInUser(server)
  const statuses = (await together(5, () => sendRequest(server, 'POST', '/auth/logout', { token }))).map(
    ({ status }) => status,
  )
  expect(statuses).toContain(200)
  expect(statuses.filter(status => ![200, 401].includes(status))).toEqual([])
  expect(await listSessions(phone)).toEqual([])
})
