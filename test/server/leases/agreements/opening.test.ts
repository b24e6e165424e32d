import { expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import { agreementTerms, createPendingAgreement, createUnit, signInUser } from '../../../support/users'

const time = clock(new Date('2026-12-01T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

async function createParties() {
  const [landlord, manager, tenant] = [
    await signInUser(server),
    await signInUser(server),
    await signInUser(server),
  ]
  const { unit } = await createUnit(landlord, { managed_by_id: manager.id })
  const terms = agreementTerms(unit.id, [tenant.id], { agreement_start_date: '2026-03-10' })
  const create = (changes: object) => landlord.post('/agreements', { ...terms, ...changes })
  return { landlord, manager, tenant, create }
}

test.each([
  ['settled until the eve of the start', { settled_until: '2026-03-09' }, 201, undefined],
  ['settled before that', { settled_until: '2026-03-08' }, 400, 'opening.settled_until'],
  ['settled three months ahead', { settled_until: '2027-03-01' }, 201, undefined],
  ['settled for longer', { settled_until: '2027-03-02' }, 400, 'opening.settled_until'],
  ['owed and advance', { settled_until: '2026-11-30', owed: 1, advance: 1 }, 400, 'opening.advance'],
  ['owed and no advance', { settled_until: '2026-11-30', owed: 1, advance: 0 }, 201, undefined],
  ['no deposit held', { settled_until: '2026-11-30', deposit_held: 0 }, 201, undefined],
  ['without a day', { owed: 1 }, 400, 'opening.settled_until'],
])('%s', async (_, opening, status, property) => {
  const { create } = await createParties()
  const response = await create({ opening })
  expect([response.status, response.error?.details[0].property]).toEqual([status, property])
})

test('400: a lease that has not begun has no opening; a change of the start is checked too', async () => {
  const { create, landlord } = await createParties()
  const opening = { settled_until: '2026-12-01' }
  const early = await create({ agreement_start_date: '2026-12-02', opening })
  expect([early.status, early.error.reason]).toEqual([400, 'opening_before_start'])
  const { data } = await create({ opening })
  const moved = await landlord.patch(`/agreements/${data.id}`, { agreement_start_date: '2027-01-01' })
  expect(moved.error.reason).toBe('opening_before_start')
  const cleared = await landlord.patch(`/agreements/${data.id}`, { opening: null })
  expect([cleared.status, cleared.data.opening]).toEqual([200, null])
})

test('a revision takes opening and notes along', async () => {
  const { landlord, tenant } = await createParties()
  const opening = { settled_until: '2026-11-30', owed: 100 }
  const terms = { agreement_start_date: '2026-03-10', opening, internal_notes: 'Pays late' }
  const { path } = await createPendingAgreement(landlord, [tenant], terms)
  const { data } = await landlord.post(`${path}/revise`, { rent_amount: 30_000 })
  expect(data).toMatchObject({
    opening: { ...opening, advance: null, deposit_held: null },
    internal_notes: 'Pays late',
  })
})

test('notes are read and changed by the landlord’s side alone, in every state, and nobody else is told', async () => {
  const { landlord, manager, tenant, create } = await createParties()
  const { data: draft } = await create({ internal_notes: 'Key with the guard' })
  const path = `/agreements/${draft.id}`
  expect(draft.internal_notes).toBe('Key with the guard')
  await landlord.post(`${path}/sign`, { signer_id: landlord.id })
  const before = (await tenant.get(`${path}/timeline`)).data.entries.length
  const changed = await manager.patch(path, { internal_notes: 'Second phone 98450 11114' })
  expect([changed.status, changed.data.status]).toEqual([200, 'PENDING'])
  const read = async (by: typeof landlord) => [
    (await by.get(path)).data.internal_notes,
    (await by.get('/agreements')).data[0].internal_notes,
  ]
  expect([await read(landlord), await read(tenant)]).toEqual([
    Array(2).fill('Second phone 98450 11114'),
    [null, null],
  ])
  expect((await tenant.get(`${path}/timeline`)).data.entries).toHaveLength(before)
  expect((await tenant.patch(path, { internal_notes: 'x' })).status).toBe(403)
  expect((await landlord.patch(path, { internal_notes: 'x', rent_amount: 1 })).status).toBe(403)
})
