import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, type Db } from '../../../../db/database'
import { shareActiveUsers } from '../../../../server/accounts/auth/queries'
import { interrupt, interruptInOrder, lockRow, waitForLocks } from '../../../support/locks'
import { testServer } from '../../../support/server'
import { completeProfile, freshPhone, sendRequest, signInUser } from '../../../support/users'
import { toTimestamps } from '../../../support/timestamps'

const server = testServer()
const PASSWORD = 'a password that is long'

const post = (path: string, body: object) => sendRequest(server, 'POST', path, { body })
const requestOtp = (phone: string) => post('/auth/send-otp', { phone_number: phone })
const verify = (phone: string) => post('/auth/verify', { phone_number: phone, otp: '123456' })
const logIn = (phone: string) => post('/auth/login', { phone_number: phone, password: PASSWORD })
const repeat = <T>(count: number, work: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, () => work()))

const lockOtp = (phone: string) => (db: Db) =>
  db.selectFrom('otp_sessions').where('phone_number', '=', phone).select('id').forUpdate().execute()
const listSessions = (phone: string) =>
  server.db
    .selectFrom('auth_sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .where('u.phone', '=', phone)
    .select(['s.is_active', 'u.id'])
    .execute()

test.each(['a new', 'a known'])(
  'of verifications of one OTP of %s user at once, one succeeds',
  async kind => {
    const phone = freshPhone()
    if (kind === 'a known') await signInUser(server, phone)
    await requestOtp(phone)

    const responses = await interrupt(server, {
      lock: lockOtp(phone),
      start: () => repeat(4, () => verify(phone)),
      waitingCount: 4,
    })

    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
    const sessions = await listSessions(phone)
    expect(sessions.filter(({ is_active }) => is_active)).toHaveLength(1)
    expect(sessions).toHaveLength(kind === 'a known' ? 2 : 1)
  },
)

test('sign-ins by OTP and by password at once leave one active session; each of their tokens works', async () => {
  const user = await signInUser(server)
  await completeProfile(user, { password: PASSWORD })
  await requestOtp(user.phone)

  const responses = await interrupt(server, {
    lock: lockRow('users', user.id),
    start: () => Promise.all([logIn, logIn, verify].map(signIn => signIn(user.phone))),
    waitingCount: 3,
  })

  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await listSessions(user.phone)).filter(({ is_active }) => is_active)).toHaveLength(1)
  for (const { data } of responses) {
    const me = await sendRequest(server, 'GET', '/auth/me', { token: data.access_token })
    expect(me.status).toBe(200)
  }
})

test('a token that a session gets while it ends, ends too, and one after it is not given: 401', async () => {
  const { id, token } = await signInUser(server)
  const renew = () => sendRequest(server, 'POST', '/auth/renew', { token })

  const [renewed, , refused] = await interruptInOrder(server, lockRow('users', id), [
    renew,
    () => sendRequest(server, 'POST', '/auth/logout', { token }),
    renew,
  ])

  expect([renewed!.status, refused!.status, refused!.body.error.reason]).toEqual([200, 401, 'session_ended'])
  const me = await sendRequest(server, 'GET', '/auth/me', { token: renewed!.data.access_token })
  expect(me.status).toBe(401)
})

test('logouts of one session at once end it without an error', async () => {
  const { id, token, phone } = await signInUser(server)

  const responses = await interrupt(server, {
    lock: lockRow('users', id),
    start: () => repeat(2, () => sendRequest(server, 'POST', '/auth/logout', { token })),
    waitingCount: 2,
  })

  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  expect(await listSessions(phone)).toEqual([])
})

test('200: a user whom a landlord names during the first sign-in is one user', async () => {
  const phone = freshPhone()
  await requestOtp(phone)

  const response = await interrupt(server, {
    lock: db =>
      db
        .insertInto('users')
        .values({ phone, ...toTimestamps() })
        .execute(),
    start: () => verify(phone),
  })

  expect(response.status).toBe(200)
  expect(await listSessions(phone)).toEqual([{ is_active: true, id: response.data.user.id }])
})

test('200: a user who is erased during a sign-in leaves the phone number to a new user', async () => {
  const { id, phone } = await signInUser(server)
  await requestOtp(phone)

  // The number is taken when the sign-in inserts it, and free once the sign-in has the lock.
  const response = await interrupt(server, {
    lock: lockRow('users', id),
    start: () => verify(phone),
    meanwhile: db =>
      db
        .updateTable('users')
        .set({ phone: `erased-${id}`, is_active: false })
        .where('id', '=', id)
        .execute(),
  })

  expect(response.status).toBe(200)
  expect(response.data.user).toMatchObject({ phone, first_name: null })
  expect(response.data.user.id).not.toBe(id)
})

test('users are locked in the order of their ids: two who lock the same ones cannot deadlock', async () => {
  const db = server.db
  const [first, second] = [await signInUser(server), await signInUser(server)]
  // To write a row again moves it to the end of the table.
  await db.updateTable('users').set({ first_name: 'Asha' }).where('id', '=', first.id).execute()
  const selectUser = (id: number) => db.selectFrom('users').where('id', '=', id).select('id').forUpdate()

  const { locking, free } = await db.transaction().execute(async tx => {
    await tx.selectFrom('users').where('id', '=', first.id).select('id').forUpdate().execute()
    const locking = server.em().transactional(async em => {
      await sql`set local enable_indexscan = off`.execute(getKysely(em))
      await sql`set local enable_bitmapscan = off`.execute(getKysely(em))
      return shareActiveUsers(em, [second.id, first.id])
    })
    await waitForLocks(server)
    return { locking, free: await selectUser(second.id).skipLocked().execute() }
  })

  expect(free).toEqual([{ id: second.id }])
  expect(await locking).toEqual(new Set([first.id, second.id]))
})
