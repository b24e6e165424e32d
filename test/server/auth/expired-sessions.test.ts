import { expect, test } from 'bun:test'
import { AuthSession } from '../../../db/entities'
import { TOKEN_LIFETIME_MS } from '../../../server/auth/tokens'
import { clock, testServer } from '../../support/server'
import { signInUser } from '../../support/users'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const countSessions = (user_id: number) => server.em().count(AuthSession, { user_id })

test('a sign-in deletes sessions from the moment at which their tokens expire', async () => {
  const { id, phone } = await signInUser(server)
  time.advance(TOKEN_LIFETIME_MS - 1)
  await signInUser(server, phone)
  expect(await countSessions(id)).toBe(2)

  time.advance(1)
  await signInUser(server, phone)
  expect(await countSessions(id)).toBe(2)
})

test('the tracked time of a session ends an hour after the sign-in', async () => {
  const { id } = await signInUser(server)
  const { expires_by, created_at } = await server.em().findOneOrFail(AuthSession, { user_id: id })
  expect(expires_by.getTime() - created_at.getTime()).toBe(60 * 60_000)
})
