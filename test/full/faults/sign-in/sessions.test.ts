import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { startSecondInstance, testServer } from '../../../support/server'
import { completeProfile, sendRequest, signInUser } from '../../../support/users'
import { chooseByRound, isFull, report, runTogether } from '../../../support/round'
import { countStatus, getStatuses, logIn, noLimits, sendOtp, verifyOtp } from './requests'

const LOGOUTS = chooseByRound(50, 5)
const SIGN_IN_ROUNDS = chooseByRound(20, 3)
const protectedPaths = ['/auth/me', '/properties', '/agreements', '/tenants']

const server = testServer({ env: noLimits, poolSize: 30 })
let second: Awaited<ReturnType<typeof startSecondInstance>>
beforeAll(async () => void (second = await startSecondInstance(server, noLimits)))
afterAll(() => second.stop())

/** Alternates between both instances and two more choices. */
const getUrl = (index: number) => (index % 2 ? second : server).url

test('401: a logout at one instance ends the token at the other at once', async () => {
  for (let round = 0; round < LOGOUTS; round++) {
    const { token } = await signInUser(server)
    const before = await runTogether(5, () => sendRequest(second, 'GET', '/auth/me', { token }))
    expect(getStatuses(before)).toEqual(Array(5).fill(200))

    await sendRequest(server, 'POST', '/auth/logout', { token })

    const after = await runTogether(20, index =>
      sendRequest(getUrl(index), 'GET', protectedPaths[index % protectedPaths.length]!, { token }),
    )
    expect(getStatuses(after)).toEqual(Array(20).fill(401))
  }
  report('sessions', { logouts: LOGOUTS, requests_after: 20 * LOGOUTS, accepted: 0 })
})

test('sign-ins by OTP and by password at once leave one active session', async () => {
  const password = 'a password that is long'
  const user = await signInUser(server)
  await completeProfile(user, { password })
  const comparing = isFull ? undefined : compareWithoutHashing(password)
  try {
    for (let round = 0; round < SIGN_IN_ROUNDS; round++) {
      await sendOtp(server.url, user.phone)
      const responses = await runTogether(12, index =>
        index % 2
          ? logIn(getUrl(index >> 1), user.phone, password)
          : verifyOtp(getUrl(index >> 1), user.phone),
      )
      expect(countStatus(responses, 200)).toBe(7) // six by password, one by OTP

      const active = getKysely(server.em())
        .selectFrom('auth_sessions')
        .where('user_id', '=', user.id)
        .where('is_active', '=', true)
        .select('id')
      expect(await active.execute()).toHaveLength(1)
    }
  } finally {
    comparing?.mockRestore()
  }
  report('sessions', { rounds_of_12_sign_ins: SIGN_IN_ROUNDS, active_after_each: 1 })
})

/** Hashing takes most of the time of a login; without it more of them meet in the database. */
const compareWithoutHashing = (password: string) =>
  spyOn(Bun.password, 'verify').mockImplementation(async given => given === password)
