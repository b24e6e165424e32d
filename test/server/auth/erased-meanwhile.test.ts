import { expect, test } from 'bun:test'
import { interrupt } from '../../support/locks'
import { testServer } from '../../support/server'
import { sendRequest, signInUser } from '../../support/users'

const server = testServer()

test('200: a user who is erased during a sign-in leaves the phone number to a new user', async () => {
  const known = await signInUser(server)
  const body = { phone_number: known.phone }
  await sendRequest(server, 'POST', '/auth/send-otp', { body })

  // The number is taken when the sign-in inserts it, and free once the sign-in has the lock.
  const response = await interrupt(server, {
    lock: db => db.selectFrom('users').where('id', '=', known.id).select('id').forUpdate().execute(),
    start: () => sendRequest(server, 'POST', '/auth/verify', { body: { ...body, otp: '123456' } }),
    meanwhile: db =>
      db
        .updateTable('users')
        .set({ phone: `erased-${known.id}`, is_active: false })
        .where('id', '=', known.id)
        .execute(),
  })

  expect(response.status).toBe(200)
  expect(response.data.user).toMatchObject({ phone: known.phone, first_name: null })
  expect(response.data.user.id).not.toBe(known.id)
})
