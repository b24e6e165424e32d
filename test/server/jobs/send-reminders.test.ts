import { afterEach, expect, test } from 'bun:test'
import type { Db } from '../../../db/database'
import { sendReminders } from '../../../server/leases/signing/reminders'
import { RecipientError } from '../../../server/providers/messaging/port'
import { createDraft, signInUser, type TestUser } from '../../support/users'
import { workBeside } from '../../support/locks'
import { clock } from '../../support/server'
import { start } from '../leases/signing/provider'
import { signingServer } from '../leases/signing/signing-fixtures'
import { DAY_MS, HOUR_MS } from './durations'

const time = clock()
const sent: { kind: string; phone: string; agreement_number: string; signing_url: string }[] = []
const tried: string[] = []
let failure: Error | undefined
const { provider, server, tell, signs, signsAt } = signingServer({
  overrides: {
    now: time.now,
    sendMessage: async (phone, message) => {
      if (message.kind !== 'reminder') return
      tried.push(phone)
      if (failure) throw failure
      sent.push({ phone, ...message })
    },
  },
})
afterEach(() => {
  failure = undefined
})

const findReminders = ({ phone }: TestUser) => sent.filter(reminder => reminder.phone === phone)

/** Runs the job after a while, on two instances at once, and returns how often a person was reminded in all. */
async function countAfter(ms: number, person: TestUser, deps = server.deps) {
  time.advance(ms)
  await Promise.all([sendReminders(deps), sendReminders(deps)])
  return findReminders(person).length
}

async function passDays(days: number, person: TestUser) {
  const counts: number[] = []
  for (let day = 0; day < days; day++) counts.push(await countAfter(DAY_MS, person))
  return counts
}

// Tokens expire while the clock advances.
const signInAgain = ({ phone }: TestUser) => signInUser(server, phone)

async function createPendingSignature() {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createDraft(owner, [tenant])
  const { data } = await start(owner, agreement, tenant)
  const first: { signature_id: string; signing_url: string } = data
  const askAgain = async () => {
    const again = await start(await signInAgain(owner), agreement, tenant)
    expect(again.status).toBe(200)
    return again.data.signature_id as string
  }
  const cancel = async (id: string) => (await signInAgain(owner)).post(`${path}/signatures/${id}/cancel`)
  return { owner, tenant, agreement, path, first, askAgain, cancel }
}
type PendingSignature = Awaited<ReturnType<typeof createPendingSignature>>

type Entry = { type: string; actor_id: number | null; details: any }
async function loadEntries({ owner, path }: PendingSignature, type: string) {
  const { data } = await (await signInAgain(owner)).get(`${path}/timeline`)
  return data.entries.filter((entry: Entry) => entry.type === type) as Entry[]
}

test('five reminders, after one day, then every two days, each once, with a signing page that is open', async () => {
  const pending = await createPendingSignature()
  const { tenant, agreement, first } = pending

  expect(await passDays(14, tenant)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5])

  const { agreement_number } = agreement
  expect(findReminders(tenant)[0]).toEqual({
    kind: 'reminder',
    phone: tenant.phone,
    agreement_number,
    signing_url: first.signing_url,
  })
  // The first request expires after three days; later reminders need a new one.
  expect(new Set(findReminders(tenant).map(({ signing_url }) => signing_url)).size).toBeGreaterThan(1)
  const reminded = await loadEntries(pending, 'reminded')
  expect(reminded.map(({ actor_id, details }) => [actor_id, details.signer_id, details.reminder])).toEqual(
    [1, 2, 3, 4, 5].map(count => [null, tenant.id, count]),
  )
  const reissued = await loadEntries(pending, 'reissued')
  expect(new Set(reissued.map(({ actor_id }) => actor_id))).toEqual(new Set([null]))
  const signature = await pending.askAgain()
  expect((await signsAt(signature)).status).toBe(200)
})

test('the first reminder comes a day after the request, not before, and the next two days later', async () => {
  const { tenant } = await createPendingSignature()
  expect(await countAfter(DAY_MS - 1, tenant)).toBe(0)
  expect(await countAfter(1, tenant)).toBe(1)
  expect(await countAfter(2 * DAY_MS - 1, tenant)).toBe(1)
  expect(await countAfter(1, tenant)).toBe(2)
})

test('a reminder that another instance is about to send is left to it', async () => {
  const { tenant } = await createPendingSignature()
  time.advance(DAY_MS)
  const next_reminder_at = new Date(time.now().getTime() + 2 * DAY_MS)
  const claim = (db: Db) =>
    db
      .updateTable('agreement_signatures')
      .where('signer_id', '=', tenant.id)
      .set({ next_reminder_at })
      .execute()

  const reminders = await workBeside(server, claim, () => countAfter(0, tenant))

  expect([reminders, await countAfter(0, tenant)]).toEqual([0, 0])
})

test.each([
  ['less than thirty days', 30 * DAY_MS - 1, 1],
  ['thirty days', 30 * DAY_MS, 0],
])('a request of %s ago, of which no reminder was sent yet', async (_, ageMs, reminders) => {
  const { tenant } = await createPendingSignature()
  expect(await countAfter(ageMs, tenant)).toBe(reminders)
})

test('another request to the same signer does not begin the thirty days anew', async () => {
  const { tenant, askAgain } = await createPendingSignature()
  time.advance(28 * DAY_MS)
  await askAgain()
  expect(await countAfter(DAY_MS + HOUR_MS, tenant)).toBe(1)
  expect(await countAfter(2 * DAY_MS, tenant)).toBe(1)
})

test('after a reminder a request anew is reminded of in two days, and one without a reminder in one', async () => {
  const { tenant, first, askAgain, cancel } = await createPendingSignature()
  expect(await countAfter(23 * HOUR_MS, tenant)).toBe(0)
  await cancel(first.signature_id)
  await askAgain()
  expect(await countAfter(23 * HOUR_MS, tenant)).toBe(0)
  expect(await countAfter(HOUR_MS, tenant)).toBe(1)
  await cancel(await askAgain())
  await askAgain()
  expect(await countAfter(47 * HOUR_MS, tenant)).toBe(1)
  expect(await countAfter(HOUR_MS, tenant)).toBe(2)
})

const decline = { errCode: 'signer_declined' }
test.each<[string, (pending: PendingSignature) => Promise<unknown>]>([
  ['a signature', ({ first }) => signsAt(first.signature_id)],
  [
    'a refusal',
    ({ first }) => {
      const request = provider.becomes(first.signature_id, decline)
      return tell('ESIGN_FAILED', request, decline)
    },
  ],
  ['a cancellation', ({ first, cancel }) => cancel(first.signature_id)],
  ['a termination', ({ owner, path }) => owner.post(`${path}/terminate`)],
  ['a revision', ({ owner, path }) => owner.post(`${path}/revise`)],
])('no reminder is sent after %s, nor before a request', async (_, end) => {
  const pending = await createPendingSignature()
  await end(pending)

  const reminders = await countAfter(30 * HOUR_MS, pending.tenant)

  expect([reminders, findReminders(pending.owner).length]).toEqual([0, 0])
})

test('no reminder is sent when the agreement can no longer be signed', async () => {
  const { owner, tenant, agreement } = await createPendingSignature()
  await signs(owner, agreement, owner)
  const users = server.db.updateTable('users').where('id', '=', tenant.id)
  await users.set({ is_active: false }).execute()

  expect(await passDays(5, tenant)).toEqual([0, 0, 0, 0, 0])
})

test.each([
  ['the channel is down', new Error('The channel is down')],
  [
    'one channel refused it and another is down',
    new RecipientError('provider_unreachable', ['Try later', 'बाद में कोशिश करें']),
  ],
])('a reminder that failed since %s does not count and is retried in an hour', async (_, error) => {
  const pending = await createPendingSignature()
  failure = error
  expect(await countAfter(DAY_MS, pending.tenant)).toBe(0)
  failure = undefined
  expect(await countAfter(HOUR_MS - 1, pending.tenant)).toBe(0)
  expect(await countAfter(1, pending.tenant)).toBe(1)
  const reminded = await loadEntries(pending, 'reminded')
  expect(reminded.map(({ details }) => details.reminder)).toEqual([1])
})

test('a reminder to a number that no channel reaches is used up, and not tried again each hour', async () => {
  const pending = await createPendingSignature()
  failure = new RecipientError('phone_number_unreachable', ['Check the number', 'नंबर जाँचें'])
  await passDays(14, pending.tenant)
  expect(tried.filter(phone => phone === pending.tenant.phone)).toHaveLength(5)
  expect(await loadEntries(pending, 'reminded')).toEqual([])
})

test('a request that a party makes after the five reminders brings no sixth, not even to the landlord', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  const { data: first } = await start(owner, agreement, owner)
  expect((await passDays(12, owner)).at(-1)).toBe(5)

  const { data: again } = await start(await signInAgain(owner), agreement, owner)
  expect(again.signature_id).not.toBe(first.signature_id)

  expect((await passDays(5, owner)).at(-1)).toBe(5)
})

test('reminders of one landlord beyond a person’s cap of a day wait for the next, and are not lost', async () => {
  const { owner, tenant } = await createPendingSignature()
  for (const _ of [2, 3]) await start(owner, (await createDraft(owner, [tenant])).agreement, tenant)
  const limited = { ...server.deps.config, rateLimitMultiplier: 1, MESSAGE_LIMIT_PER_PERSON: 2 }
  const deps = { ...server.deps, config: limited }

  expect(await countAfter(DAY_MS, tenant, deps)).toBe(2)
  expect(await countAfter(23 * HOUR_MS, tenant, deps)).toBe(2)
  expect(await countAfter(2 * HOUR_MS, tenant, deps)).toBe(3)
})
