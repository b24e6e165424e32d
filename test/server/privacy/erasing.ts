import { expect } from 'bun:test'
import type { TestServer } from '../../support/server'
import { sendRequest, type TestUser } from '../../support/users'

/** Sends the one-time password that confirms an erasure, and returns what erases the user. */
export async function confirmErasure(server: TestServer, user: TestUser) {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  return () => user.call('DELETE', '/auth/me', { otp: '123456' })
}

export async function tryErase(server: TestServer, user: TestUser) {
  const erase = await confirmErasure(server, user)
  return erase()
}

export async function erase(server: TestServer, user: TestUser) {
  expect((await tryErase(server, user)).status).toBe(200)
}
