import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { completeProfile, signInUser } from '../../support/users'

const time = clock(new Date('2026-11-23T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

test('an account is exported with the time of its last sign-in', async () => {
  const { phone } = await signInUser(server)
  time.advance(3_600_000)
  const user = await signInUser(server, phone)
  time.advance(3_600_000)
  await completeProfile(user)

  const { body } = await user.get('/auth/me/export')

  expect(body.data.user.last_login_at).toBe('2026-11-23T07:30:00.000Z')
})
