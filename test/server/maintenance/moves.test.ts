import { expect, test } from 'bun:test'
import { MaintenanceStatus } from '@kiraya/sdk/contract'
import { clock, testServer } from '../../support/server'
import { signInUser } from '../../support/users'
import { TIMESTAMP } from '../http/forms'
import { createHouse, move, raise, setStatus } from './fixtures'

const DAY_MS = 86_400_000
const time = clock(new Date('2026-12-01T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

const STATES = MaintenanceStatus.enum
type State = MaintenanceStatus
const RAISERS = ['landlord', 'tenant'] as const
const ACTORS = ['landlord', 'manager', 'tenant', 'coTenant'] as const

const MOVES: Record<State, { side: State[]; raiser: State[] }> = {
  open: { side: ['acknowledged', 'in_progress', 'resolved'], raiser: ['cancelled'] },
  acknowledged: { side: ['in_progress', 'on_hold', 'resolved'], raiser: ['cancelled'] },
  in_progress: { side: ['on_hold', 'resolved'], raiser: [] },
  on_hold: { side: ['in_progress', 'resolved'], raiser: ['cancelled'] },
  resolved: { side: [], raiser: ['closed', 'in_progress'] },
  closed: { side: [], raiser: [] },
  cancelled: { side: [], raiser: [] },
}

function findRefusal(from: State, to: State, actor: (typeof ACTORS)[number], isRaiser: boolean) {
  const { side, raiser } = MOVES[from]
  if (side.includes(to)) return actor === 'landlord' || actor === 'manager' ? undefined : 'not_unit_side'
  if (raiser.includes(to)) return isRaiser ? undefined : 'not_request_raiser'
  return 'maintenance_request_wrong_status'
}

test.each(STATES.flatMap(from => RAISERS.map(raiser => [from, raiser] as const)))(
  'a request that is %s, raised by the %s: who moves it where, and 403 for everyone and everything else',
  async (from, raiser) => {
    const house = await createHouse(server)
    const { request, path } = await raise(house, house[raiser])
    const resolvedAt = from === 'resolved' || from === 'closed' ? time.now() : null
    for (const actor of ACTORS)
      for (const to of STATES) {
        await setStatus(server, request.id, from, resolvedAt)
        const { status, error, data } = await move(house[actor], path, to)
        const refusal = findRefusal(from, to, actor, actor === raiser)
        const expected = refusal ? [403, refusal] : [200, to]
        expect([actor, to, status, error?.reason ?? data.status]).toEqual([actor, to, ...expected])
        if (refusal) expect((await house.landlord.get(path)).data.status).toBe(from)
      }
  },
)

test('resolved_at is when a request was resolved, and null before and once it is reopened', async () => {
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  expect((await move(house.manager, path, 'in_progress')).data.resolved_at).toBeNull()
  const first = await move(house.manager, path, 'resolved')
  expect(first.data.resolved_at).toBe(time.now().toISOString())
  expect((await move(house.tenant, path, 'in_progress')).data.resolved_at).toBeNull()
  time.advance(1000)
  const second = await move(house.landlord, path, 'resolved')
  expect(second.data.resolved_at).toBe(time.now().toISOString())
  expect((await move(house.tenant, path, 'closed')).data.resolved_at).toBe(second.data.resolved_at)
})

test('the raiser of a request reopens it within 14 days of resolved_at, not a millisecond later, and closes it at any time', async () => {
  const house = await createHouse(server)
  const [inTime, late] = [await raise(house, house.tenant), await raise(house, house.tenant)]
  for (const { path } of [inTime, late]) await move(house.landlord, path, 'resolved')
  time.advance(14 * DAY_MS)
  const tenant = await signInUser(server, house.tenant.phone)
  expect((await move(tenant, inTime.path, 'in_progress')).data.status).toBe('in_progress')

  time.advance(1)
  const { status, error } = await move(tenant, late.path, 'in_progress')
  expect([status, error.reason]).toEqual([403, 'reopening_late'])
  expect((await move(tenant, late.path, 'closed')).data.status).toBe('closed')
})

test('the moves of a request are its entries, oldest first, and what was said with them is among the comments', async () => {
  const house = await createHouse(server)
  const { landlord, manager, tenant } = house
  const { path } = await raise(house, tenant)
  await move(manager, path, 'acknowledged')
  await move(landlord, path, 'in_progress', 'The plumber comes on Friday')
  await move(manager, path, 'resolved', 'A new washer')
  await move(tenant, path, 'closed')

  const { data } = await tenant.get(path)
  const entries = data.entries.map(({ status, actor_id, comment }: any) => [status, actor_id, comment])
  expect(entries).toEqual([
    ['open', tenant.id, null],
    ['acknowledged', manager.id, null],
    ['in_progress', landlord.id, 'The plumber comes on Friday'],
    ['resolved', manager.id, 'A new washer'],
    ['closed', tenant.id, null],
  ])
  const said = { is_internal: false, created_at: TIMESTAMP }
  for (const reader of [landlord, tenant])
    expect((await reader.get(`${path}/comments`)).data).toMatchObject([
      { ...said, text: 'The plumber comes on Friday', created_by_id: landlord.id },
      { ...said, text: 'A new washer', created_by_id: manager.id },
    ])
})
