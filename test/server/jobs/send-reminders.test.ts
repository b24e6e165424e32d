import { afterEach, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendReminders } from '../../../server/jobs/send-reminders'
import { RecipientFault } from '../../../server/providers/messaging/port'
import { createDraft, signInUser, type TestUser } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { signingProvider, signs, signsAt, start } from '../agreements/signing/provider'

const provider = signingProvider()
const HOUR = 3_600_000

const time = clock()
const sent: { phone: string; agreement_number: string; signing_url: string }[] = []
let failure: Error | undefined
const tried: string[] = []
const server = testServer({
  env: provider.env,
  overrides: {
    now: time.now,
    sendReminder: async (phone, reminder) => {
      tried.push(phone)
      if (failure) throw failure
      sent.push({ phone, ...reminder })
    },
  },
})
afterEach(() => {
  failure = undefined
})

function findReminders(phone: string) {
  return sent.filter(reminder => reminder.phone === phone)
}
/** Advances the clock hour by hour; several instances run the job at once. */
async function passHours(hours: number) {
  for (let hour = 0; hour < hours; hour++) {
    time.advance(HOUR)
    await Promise.all([sendReminders(server.deps), sendReminders(server.deps), sendReminders(server.deps)])
  }
}
type PendingSignature = Awaited<ReturnType<typeof createPendingSignature>>
async function createPendingSignature() {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  const { body } = await start(owner, agreement, tenant)
  const first: { signature_id: string; signing_url: string } = body.data
  return { owner, tenant, agreement, first }
}
// Tokens expire while the clock advances.
function signInAgain(person: TestUser) {
  return signInUser(server.url, person.phone)
}
async function loadEvents(owner: TestUser, id: number) {
  const { body } = await (await signInAgain(owner)).call('GET', `/agreements/${id}/timeline`)
  return body.data.events as { type: string; actor_id: number | null; details: any }[]
}

test('reminders are sent after one day, then every two days, at most five times, with a signing page that is open', async () => {
  const { owner, tenant, agreement, first } = await createPendingSignature()
  const counts: number[] = []
  for (let day = 1; day <= 20; day++) {
    await passHours(24)
    counts.push(findReminders(tenant.phone).length)
  }
  expect(counts.slice(0, 10)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
  expect(counts.at(-1)).toBe(5)
  expect(findReminders(tenant.phone)[0]).toEqual({
    phone: tenant.phone,
    agreement_number: agreement.agreement_number,
    signing_url: first.signing_url,
  })
  // The first request expires after three days; later reminders need a new one.
  expect(new Set(findReminders(tenant.phone).map(({ signing_url }) => signing_url)).size).toBeGreaterThan(1)
  const timeline = await loadEvents(owner, agreement.id)
  expect(
    timeline
      .filter(({ type }) => type === 'reminded')
      .map(({ actor_id, details }) => [actor_id, details.signer_id, details.reminder]),
  ).toEqual([1, 2, 3, 4, 5].map(count => [null, tenant.id, count]))
  expect(timeline.filter(({ type }) => type === 'reissued').every(({ actor_id }) => actor_id === null)).toBe(
    true,
  )
  await signsAt(
    provider,
    server.url,
    (await start(await signInAgain(tenant), agreement, tenant)).body.data.signature_id,
  )
  expect(
    (await (await signInAgain(owner)).call('GET', `/agreements/${agreement.id}/signatures`)).body.data
      .signatures[0].status,
  ).toBe('signed')
}, 60_000)

test('reminders are not sent after a signature, refusal, cancellation, termination or revision, nor before a request', async () => {
  const ends: ((pending: PendingSignature) => Promise<unknown>)[] = [
    ({ first }) => signsAt(provider, server.url, first.signature_id),
    ({ first }) =>
      provider.webhook(
        server.url,
        provider.news('ESIGN_FAILED', provider.becomes(first.signature_id, { errCode: 'signer_declined' }), {
          errCode: 'signer_declined',
        }),
      ),
    ({ owner, agreement, first }) =>
      owner.call('POST', `/agreements/${agreement.id}/signatures/${first.signature_id}/cancel`),
    ({ owner, agreement }) => owner.call('POST', `/agreements/${agreement.id}/terminate`, {}),
    ({ owner, agreement }) => owner.call('POST', `/agreements/${agreement.id}/revise`, {}),
  ]
  for (const end of ends) {
    const pending = await createPendingSignature()
    await end(pending)
    await passHours(30)
    expect([findReminders(pending.tenant.phone).length, findReminders(pending.owner.phone).length]).toEqual([
      0, 0,
    ])
  }
}, 60_000)

test('a stranger whom one landlord names in many agreements gets five reminders in all', async () => {
  const { owner, tenant, agreement } = await createPendingSignature()
  const others = await Promise.all(Array.from({ length: 7 }, () => createDraft(owner, [tenant])))
  for (const other of others) await start(owner, other.agreement, tenant)
  await passHours(30)
  const afterOneDay = findReminders(tenant.phone).length
  await (await signInAgain(owner)).call('POST', `/agreements/${agreement.id}/revise`, {})
  await passHours(10 * 24)
  expect([afterOneDay, findReminders(tenant.phone).length]).toEqual([5, 5])

  // One who has signed for this landlord gets all of them.
  const [{ agreement: last }] = others as [(typeof others)[0]]
  await signs(provider, server.url, await signInAgain(tenant), last, tenant)
  await passHours(24)
  expect(findReminders(tenant.phone).length).toBeGreaterThan(9)
}, 60_000)

test('landlords are no strangers to themselves: each of their agreements brings a reminder', async () => {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const drafts = await Promise.all(Array.from({ length: 6 }, () => createDraft(owner, [tenant])))
  for (const { agreement } of drafts) await start(owner, agreement, owner)

  await passHours(25)

  expect(findReminders(owner.phone)).toHaveLength(6)
})

test('five reminders in all do not count for another landlord', async () => {
  const { tenant } = await createPendingSignature()
  await passHours(13 * 24)
  expect(findReminders(tenant.phone)).toHaveLength(5)

  const other = await signInUser(server)
  await start(other, (await createDraft(other, [tenant])).agreement, tenant)
  await passHours(25)

  expect(findReminders(tenant.phone)).toHaveLength(6)
}, 60_000)

test.each([
  ['the channel is down', new Error('The channel is down')],
  [
    'one channel refused it and another is down',
    new RecipientFault('provider_unreachable', () => 'Try later'),
  ],
])('a reminder that failed since %s does not count and is retried', async (_, error) => {
  const { owner, tenant, agreement } = await createPendingSignature()
  failure = error
  await passHours(30)
  expect((await loadEvents(owner, agreement.id)).some(({ type }) => type === 'reminded')).toBe(false)
  failure = undefined
  await passHours(1)
  expect([
    findReminders(tenant.phone).length,
    (await loadEvents(owner, agreement.id))
      .filter(({ type }) => type === 'reminded')
      .map(({ details }) => details.reminder),
  ]).toEqual([1, [1]])
})

test('a reminder to a number that no channel reaches is used up, and not tried again each hour', async () => {
  const { owner, tenant, agreement } = await createPendingSignature()
  failure = new RecipientFault(
    'phone_number_unreachable',
    () => 'Our messages cannot reach this phone number',
  )
  await passHours(24 * 20)
  expect(tried.filter(phone => phone === tenant.phone)).toHaveLength(5)
  const events = await loadEvents(owner, agreement.id)
  expect(events.map(({ type }) => type)).not.toContain('reminded')
}, 60_000)

test('no reminder is sent when the agreement can no longer be signed', async () => {
  const { owner, tenant, agreement } = await createPendingSignature()
  await signs(provider, server.url, owner, agreement, owner)
  await getKysely(server.em())
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', tenant.id)
    .execute()
  time.advance(80 * HOUR)
  await passHours(3)
  expect(findReminders(tenant.phone)).toEqual([])
})

test('a request that a party makes after the five reminders brings no sixth, not even to the landlord', async () => {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const { agreement } = await createDraft(owner, [tenant])
  const { data: first } = await start(owner, agreement, owner)
  await passHours(13 * 24)
  expect(findReminders(owner.phone)).toHaveLength(5)

  const { data: again } = await start(await signInAgain(owner), agreement, owner)
  expect(again.signature_id).not.toBe(first.signature_id)
  await passHours(5 * 24)

  expect(findReminders(owner.phone)).toHaveLength(5)
}, 60_000)
