import { expect, spyOn, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest, signInUser } from '../../support/users'

let sends = 0
const server = testServer({ overrides: { sendOtp: async () => void sends++ } })
const requestOtp = (phone_number: string) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number } })

async function findOtpHash(phone: string) {
  const found = getKysely(server.em()).selectFrom('otp_sessions').where('phone_number', '=', phone)
  return (await found.select('otp').executeTakeFirst())?.otp
}

test('the answer about an inactive user, who gets no OTP, waits as long as the last sending took', async () => {
  const inactive = await signInUser(server)
  const db = getKysely(server.em())
  await db.updateTable('users').set({ is_active: false }).where('id', '=', inactive.id).execute()
  await requestOtp(freshPhone())
  const [before, sendsBefore] = [await findOtpHash(inactive.phone), sends]
  const waited = Promise.withResolvers<void>()
  const sleep = spyOn(Bun, 'sleep').mockImplementation(() => waited.promise)

  let isAnswered = false
  const answer = requestOtp(inactive.phone).finally(() => (isAnswered = true))
  while (!isAnswered && sleep.mock.calls.length === 0) await findOtpHash(inactive.phone)
  for (let looks = 0; looks < 20; looks++) await findOtpHash(inactive.phone)
  const [[ms] = []] = sleep.mock.calls
  const stored = await findOtpHash(inactive.phone)
  waited.resolve()
  sleep.mockRestore()

  expect(ms).toBeGreaterThan(0)
  expect([isAnswered, stored, sends]).toEqual([false, before, sendsBefore])
  expect((await answer).status).toBe(200)
  expect(await findOtpHash(inactive.phone)).not.toBe(before)
})
