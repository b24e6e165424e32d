import { expect } from 'bun:test'
import { sendRequest, type TestUser } from '../../support/users'

type Target = Parameters<typeof sendRequest>[0]

/** Sends the one-time password that confirms an erasure, and returns what erases the user. */
export async function confirmErasure(server: Target, user: TestUser) {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  return () => user.call('DELETE', '/auth/me', { otp: '123456' })
}

export async function tryErase(server: Target, user: TestUser) {
  const erase = await confirmErasure(server, user)
  return erase()
}

export async function erase(server: Target, user: TestUser) {
  expect((await tryErase(server, user)).status).toBe(200)
}
