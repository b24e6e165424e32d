import { expect, test } from 'bun:test'
import { sendReminders } from '../../../server/jobs/send-reminders'
import { createDraft, signInUser } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { start } from '../agreements/signing/provider'

const HOUR_MS = 3_600_000
const time = clock()
const reminded: string[] = []
const server = testServer({
  overrides: { now: time.now, sendReminder: async phone => void reminded.push(phone) },
})

/** Runs the job after so many hours, and returns how often the person was reminded in all. */
async function countAfter(hours: number, { phone }: { phone: string }) {
  time.advance(hours * HOUR_MS)
  await sendReminders(server.deps)
  return reminded.filter(each => each === phone).length
}

test('after a reminder a request anew is reminded of in two days, and one without a reminder in one', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createDraft(owner, [tenant])
  const ask = async () => {
    const again = await signInUser(server, owner.phone)
    const { data } = await start(again, agreement, tenant)
    return () => again.post(`${path}/signatures/${data.signature_id}/cancel`)
  }

  let cancel = await ask()
  expect(await countAfter(23, tenant)).toBe(0)
  await cancel()
  cancel = await ask()
  expect([await countAfter(23, tenant), await countAfter(1, tenant)]).toEqual([0, 1])
  cancel = await ask()
  await cancel()
  await ask()
  expect([await countAfter(47, tenant), await countAfter(1, tenant)]).toEqual([1, 2])
})
