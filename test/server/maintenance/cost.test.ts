import { expect, test } from 'bun:test'
import { booksServer } from '../../support/books/lease-fixture'
import { createLandlord, createUnit, type TestUser } from '../../support/users'
import { createHouse, move, raise, type House } from './fixtures'

const server = booksServer('2026-12-01')

const BORNE = { cost: 1500.5, borne_by: 'tenant' }

/** A request whose cost the landlord's side has set. */
async function createCosted(house: Pick<House, 'unit' | 'landlord'>, raiser: TestUser, cost: object = BORNE) {
  const raised = await raise(house, raiser)
  const { data } = await house.landlord.patch(raised.path, cost)
  return { ...raised, request: data }
}

/** The charges for maintenance of a lease. */
async function listCosts({ agreement }: Pick<House, 'agreement'>, reader: TestUser) {
  const { data } = await reader.get(`/charges?agreement_id=${agreement.id}&type=maintenance`)
  return data
}

test.each(['landlord', 'manager'] as const)(
  '200: a request at the cost of its tenants, resolved by the %s, is charged to its lease, due in seven days',
  async who => {
    const house = await createHouse(server)
    const { path, request } = await createCosted(house, house.tenant)
    await move(house.manager, path, 'in_progress')
    expect(await listCosts(house, house.landlord)).toEqual([])

    const { status, data } = await move(house[who], path, 'resolved')

    const charges = await listCosts(house, house.tenant)
    expect(charges).toMatchObject([
      {
        agreement_id: house.agreement.id,
        type: 'maintenance',
        description: request.title,
        amount: 1500.5,
        amount_outstanding: 1500.5,
        due_date: '2026-12-08',
      },
    ])
    expect([status, data]).toMatchObject([200, { ...BORNE, status: 'resolved', charge_id: charges[0].id }])
    const { data: news } = await house.coTenant.get('/auth/me/export')
    const types = news.tables.activities.map(({ type }: { type: string }) => type)
    expect(types).toContain('charge_posted')
  },
)

test('200: a request is charged once, however often it is reopened and resolved again', async () => {
  const house = await createHouse(server)
  const { path } = await createCosted(house, house.tenant)
  const first = await move(house.landlord, path, 'resolved')
  for (const by of [house.manager, house.landlord]) {
    const reopened = await move(house.tenant, path, 'in_progress')
    expect(reopened.data.charge_id).toBe(first.data.charge_id)
    expect((await move(by, path, 'resolved')).data.charge_id).toBe(first.data.charge_id)
  }
  expect(await listCosts(house, house.landlord)).toHaveLength(1)
})

test('200: a request is charged to a lease that was terminated since', async () => {
  const house = await createHouse(server, { agreement_start_date: '2026-11-01' })
  const { path } = await createCosted(house, house.tenant)
  await house.landlord.post(`${house.path}/terminate`, {})
  const { status, data } = await move(house.manager, path, 'resolved')
  expect([status, data.charge_id]).toEqual([200, expect.any(Number)])
  expect(await listCosts(house, house.landlord)).toMatchObject([
    { id: data.charge_id, due_date: '2026-12-08' },
  ])
})

test('400: once charged, the cost of a request and who bears it are fixed; the same values and all else are accepted', async () => {
  const house = await createHouse(server)
  const { path } = await createCosted(house, house.tenant)
  await move(house.landlord, path, 'resolved')
  const expectFixed = async () => {
    const { data: before } = await house.landlord.get(path)
    for (const [field, value] of [
      ['cost', 1500],
      ['cost', null],
      ['borne_by', 'landlord'],
      ['borne_by', null],
    ] as const) {
      const { status, error } = await house.manager.patch(path, { vendor_name: 'Rao', [field]: value })
      expect([status, error.reason, error.details[0].property]).toEqual([400, 'cost_charged', field])
    }
    expect((await house.landlord.get(path)).data).toEqual(before)
  }
  await expectFixed()
  await move(house.tenant, path, 'in_progress')
  await expectFixed()
  const { status, data } = await house.manager.patch(path, { ...BORNE, vendor_name: 'Rao' })
  expect([status, data]).toMatchObject([200, { ...BORNE, vendor_name: 'Rao' }])
})

test.each([
  ['0', { cost: 0, borne_by: 'tenant' }],
  ['unknown', { cost: null, borne_by: 'tenant' }],
  ["the landlord's", { cost: 1500, borne_by: 'landlord' }],
  ["the landlord's by default", { cost: 1500 }],
])('200: nothing is charged if the cost is %s', async (_, cost) => {
  const house = await createHouse(server)
  const { path } = await createCosted(house, house.tenant, cost)
  const { status, data } = await move(house.landlord, path, 'resolved')
  expect([status, data.charge_id]).toEqual([200, null])
  expect(await listCosts(house, house.landlord)).toEqual([])
})

test('200: a cost that was set by the landlord’s side after a reopening is charged with the next resolution', async () => {
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  await move(house.landlord, path, 'resolved')
  await move(house.tenant, path, 'in_progress')
  await house.landlord.patch(path, BORNE)
  const { data } = await move(house.landlord, path, 'resolved')
  expect(await listCosts(house, house.landlord)).toMatchObject([{ id: data.charge_id, amount: 1500.5 }])
})

/** Each resolves to a house whose request, raised by its landlord, cannot be charged. */
const unchargeable: Record<string, () => Promise<{ landlord: TestUser; path: string; house?: House }>> = {
  'without a lease': async () => {
    const landlord = await createLandlord(server)
    const { path } = await createCosted({ ...(await createUnit(landlord)), landlord }, landlord)
    return { landlord, path }
  },
  'of a lease that ended more than twelve months before it falls due': async () => {
    const ended = { agreement_start_date: '2025-11-08', tenure_in_months: 1 }
    const house = await createHouse(server, ended)
    const { path } = await createCosted(house, house.landlord)
    return { landlord: house.landlord, path, house }
  },
  'of a lease that is COMPLETED': async () => {
    const house = await createHouse(server, { agreement_start_date: '2026-11-01' })
    const { path } = await createCosted(house, house.landlord)
    await house.landlord.post(`${house.path}/terminate`, {})
    expect((await house.landlord.post(`${house.path}/complete`)).status).toBe(200)
    return { landlord: house.landlord, path, house }
  },
}
test.each(Object.entries(unchargeable))(
  '400: the cost of a request %s is not chargeable, and nothing changes until the landlord bears it',
  async (_, create) => {
    const { landlord, path, house } = await create()
    const { data: before } = await landlord.get(path)
    const { status, error } = await move(landlord, path, 'resolved', 'Done')
    expect([status, error.reason]).toEqual([400, 'cost_not_chargeable'])
    expect((await landlord.get(path)).data).toEqual(before)
    expect((await landlord.get(`${path}/comments`)).data).toEqual([])
    if (house) expect(await listCosts(house, landlord)).toEqual([])

    await landlord.patch(path, { borne_by: 'landlord' })
    expect((await move(landlord, path, 'resolved')).data).toMatchObject({
      status: 'resolved',
      charge_id: null,
    })
  },
)

test.each(['resolved', 'closed', 'cancelled'] as const)(
  '400: the tenant of a request that is %s cannot be made to bear its cost, since it would not be charged',
  async ended => {
    const house = await createHouse(server)
    const { path } = await raise(house, house.landlord)
    if (ended !== 'cancelled') await move(house.landlord, path, 'resolved')
    if (ended !== 'resolved') await move(house.landlord, path, ended)
    const { status, error } = await house.landlord.patch(path, BORNE)
    expect([status, error.reason]).toEqual([400, 'cost_not_chargeable'])
    expect((await house.landlord.patch(path, { cost: 700 })).data).toMatchObject({
      cost: 700,
      borne_by: 'landlord',
    })
  },
)
