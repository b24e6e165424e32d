import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { interrupt } from '../../support/locks'
import { completeProfile, sendRequest, signInUser } from '../../support/users'

const server = testServer()
const password = 'the password from before'

test.each([
  ['is changed', { password: 'the hash of another password' }],
  ['is removed', { password: null }],
  ['belongs to a user who is deactivated', { is_active: false }],
])('401: a login with a password that %s while it is compared', async (_, change) => {
  const user = await signInUser(server)
  await completeProfile(user, { password })

  const response = await interrupt(server, {
    lock: db => db.updateTable('users').set(change).where('id', '=', user.id).execute(),
    start: () => sendRequest(server, 'POST', '/auth/login', { body: { phone_number: user.phone, password } }),
  })

  expect([response.status, response.data]).toEqual([401, null])
})
