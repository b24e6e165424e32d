import { expect, test } from 'bun:test'
import { sendReminders } from '../../../server/jobs/send-reminders'
import { clock, testServer } from '../../support/server'
import { createDraft, createTenant, signInUser, type TestUser } from '../../support/users'
import { DAY_MS, HOUR_MS } from './with-server'

const time = clock()
const sent: string[] = []
const server = testServer({
  overrides: { now: time.now, sendReminder: async phone => void sent.push(phone) },
})

/** Asks a tenant to sign, while no job runs. */
async function askTenant() {
  const [owner, tenant] = [await signInUser(server), await createTenant(server)]
  const { path } = await createDraft(owner, [tenant])
  const ask = async (by: TestUser) => {
    expect((await by.post(`${path}/sign`, { signer_id: tenant.id })).status).toBe(200)
  }
  await ask(owner)
  const askAgain = async () => ask(await signInUser(server, owner.phone))
  return { tenant, askAgain }
}

async function remindAfter(ms: number, { phone }: TestUser) {
  time.advance(ms)
  await sendReminders(server.deps)
  return sent.filter(each => each === phone).length
}

test('the first reminder comes a day after the request, not before', async () => {
  const { tenant } = await askTenant()
  expect(await remindAfter(DAY_MS - 1, tenant)).toBe(0)
  expect(await remindAfter(1, tenant)).toBe(1)
  expect(await remindAfter(2 * DAY_MS - 1, tenant)).toBe(1)
  expect(await remindAfter(1, tenant)).toBe(2)
})

test.each([
  ['less than thirty days', 30 * DAY_MS - 1, 1],
  ['thirty days', 30 * DAY_MS, 0],
])('a request of %s ago, of which no reminder was sent yet', async (_, ageMs, reminders) => {
  const { tenant } = await askTenant()
  expect(await remindAfter(ageMs, tenant)).toBe(reminders)
})

test('another request to the same signer does not begin the thirty days anew', async () => {
  const { tenant, askAgain } = await askTenant()
  time.advance(28 * DAY_MS)
  await askAgain()
  expect(await remindAfter(DAY_MS + HOUR_MS, tenant)).toBe(1)
  expect(await remindAfter(2 * DAY_MS, tenant)).toBe(1)
})
