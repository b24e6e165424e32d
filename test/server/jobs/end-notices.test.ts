import { expect, test } from 'bun:test'
import { endTenures } from '../../../server/leases/agreements/tenures'
import { interrupt, lockRow } from '../../support/locks'
import { booksServer, createLease } from '../../support/books/lease-fixture'
import { signInUser } from '../../support/users'

/** The leases of `exampleTerms` end on 14 November 2027: 15 September is 60 days before, 15 October 30. */
const server = booksServer('2026-12-10')

const listNotices = (agreementId: number) =>
  server.db
    .selectFrom('activities')
    .where('entity_type', '=', 'agreement')
    .where('entity_id', '=', agreementId)
    .where('type', '=', 'lease_ends_soon')
    .orderBy('id')
    .select(['user_id', 'message', 'actor_id', 'occurred_at'])
    .execute()

/** The day of each notice to the landlord, after a run of the job on each of the days. */
async function runOn(days: string[], agreementId: number, landlordId: number) {
  for (const day of days) {
    server.setDay(day)
    for (const _ of [1, 2]) await endTenures(server.deps)
  }
  const notices = await listNotices(agreementId)
  return notices
    .filter(({ user_id }) => user_id === landlordId)
    .map(({ occurred_at }) => new Date(occurred_at).toISOString().slice(0, 10))
}

test.each<[title: string, signedOn: string, runs: string, notices: string]>([
  [
    'on both days',
    '2026-12-10',
    '2027-09-14 2027-09-15 2027-10-14 2027-10-15 2027-11-14',
    '2027-09-15 2027-10-15',
  ],
  [
    'after days without a run',
    '2026-12-10',
    '2027-09-20 2027-09-21 2027-11-14 2027-11-15',
    '2027-09-20 2027-11-14',
  ],
  ['the nearest alone after a long time', '2026-12-10', '2027-09-14 2027-10-20 2027-10-21', '2027-10-20'],
  ['not at all once it has ended', '2026-12-10', '2027-09-14 2027-11-15', ''],
  ['both, if it is signed 60 days before', '2027-09-15', '2027-09-15 2027-10-15', '2027-09-15 2027-10-15'],
  ['the second, if it is signed later', '2027-09-16', '2027-09-16 2027-10-14 2027-10-15', '2027-10-15'],
  ['none, if it is signed too late', '2027-10-16', '2027-10-16 2027-11-14', ''],
])('the end of a lease is announced %s', async (_, signedOn, runs, expected) => {
  server.setDay(signedOn)
  const { agreement, landlord } = await createLease(server)
  const days = await runOn(runs.split(' '), agreement.id, landlord.id)
  expect(days.join(' ')).toBe(expected)
})

test('both sides read the day, the manager too', async () => {
  server.setDay('2026-12-10')
  const { agreement, landlord, tenants, property, unit, asLandlord } = await createLease(server, {}, 2)
  const manager = await signInUser(server)
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  server.setDay('2027-09-15')
  await endTenures(server.deps)

  const notices = await listNotices(agreement.id)

  const readers = [landlord, manager, ...tenants].map(({ id }) => id)
  expect(notices.map(({ user_id }) => user_id).toSorted()).toEqual(readers.toSorted())
  const message = `The agreement ${agreement.agreement_number} ends on 14 Nov 2027`
  expect(new Set(notices.map(notice => notice.message))).toEqual(new Set([message]))
  const { data } = await (await asLandlord()).get('/dashboard')
  expect(data.recent_activity[0]).toMatchObject({ type: 'lease_ends_soon', message, actor_id: null })
})

test.each([
  ['renews itself', { auto_renew: true }, false],
  ['was terminated', {}, true],
])('a lease that %s has no notice', async (_, terms, isTerminated) => {
  server.setDay('2026-12-10')
  const { agreement, landlord, asLandlord, path } = await createLease(server, terms)
  server.setDay('2027-09-14')
  if (isTerminated) await (await asLandlord()).post(`${path}/terminate`, {})
  expect(await runOn(['2027-09-20', '2027-10-20'], agreement.id, landlord.id)).toEqual([])
})

test('two instances give a notice once', async () => {
  server.setDay('2026-12-10')
  const { agreement, landlord } = await createLease(server)
  server.setDay('2027-09-15')
  await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => Promise.all([endTenures(server.deps), endTenures(server.deps)]),
    waitingCount: 2,
  })
  const notices = await listNotices(agreement.id)
  expect(notices.filter(({ user_id }) => user_id === landlord.id)).toHaveLength(1)
})
