import { beforeAll, expect, test } from 'bun:test'
import { createLease, booksServer, type Lease } from '../../../support/books/lease-fixture'
import { requireSuccess } from '../../../support/requests'

const server = booksServer('2026-12-08')
let lease: Lease

beforeAll(async () => {
  lease = await createLease(server, { agreement_start_date: '2027-04-01' }, 2)
  server.setDay('2026-12-10')
  const landlord = await lease.asLandlord()
  const post = async (path: string, body: object) =>
    requireSuccess(await landlord.post(path, body), path).data
  const charge = (description: string, type: string, due_date: string) =>
    post(`${lease.path}/charges`, { description, type, amount: 100, due_date })
  await charge('water', 'water', '2027-04-01')
  await charge('power', 'electricity', '2027-04-02')
  const repaired = await charge('repair', 'damage', '2027-04-03')
  await post(`/charges/${repaired.id}/credits`, { amount: 100, reason: 'waiver' })

  const [first, second] = lease.tenants.map(({ id }) => id)
  const pay = (reference: string, payer_id: number | undefined, changes: object) =>
    post(`${lease.path}/payments`, { amount: 50, payer_id, reference, ...changes })
  await pay('transfer', first, { method: 'upi', paid_on: '2026-12-08' })
  await pay('cheque', second, { method: 'cheque', paid_on: '2026-12-09' })
  const coins = await pay('coins', second, { method: 'cash', paid_on: '2026-12-10' })
  await post(`/payments/${coins.id}/reverse`, { reason: 'Wrong lease' })
  server.setDay('2027-04-02')
}, 60_000)

async function find(path: string, name: 'description' | 'reference') {
  const { status, data } = await (await lease.asLandlord()).get(path)
  return [status, ...data.map((found: Record<string, string>) => found[name])].toSorted()
}

test.each([
  ['type=water', ['water']],
  ['from=2027-04-02', ['power', 'repair']],
  ['to=2027-04-02', ['power', 'water']],
  ['from=2027-04-02&to=2027-04-02', ['power']],
  ['status=overdue', ['water']],
  ['status=due', ['power']],
  ['status=credited', ['repair']],
  ['pending=true', ['power', 'water']],
  ['pending=false', ['repair']],
])('charges are found by %s', async (query, names) => {
  expect(await find(`/charges?${query}`, 'description')).toEqual([200, ...names])
})

test.each([
  ['method=cheque', ['cheque']],
  ['status=reversed', ['coins']],
  ['from=2026-12-09', ['cheque', 'coins']],
  ['to=2026-12-09', ['cheque', 'transfer']],
  ['from=2026-12-09&to=2026-12-09', ['cheque']],
])('payments are found by %s', async (query, names) => {
  expect(await find(`/payments?${query}`, 'reference')).toEqual([200, ...names])
})

test('payments are found by their payer', async () => {
  const [first, second] = lease.tenants.map(({ id }) => id)
  expect(await find(`/payments?payer_id=${first}`, 'reference')).toEqual([200, 'transfer'])
  expect(await find(`/payments?payer_id=${second}`, 'reference')).toEqual([200, 'cheque', 'coins'])
})

test.each(['charges', 'payments'])('%s are found by their lease and unit', async noun => {
  const { agreement, unit } = lease
  const landlord = await lease.asLandlord()
  const count = async (query: string) => {
    const { body } = await landlord.get(`/${noun}?${query}`)
    return body.metadata.total
  }
  for (const query of [`agreement_id=${agreement.id}`, `property_unit_id=${unit.id}`])
    expect([query, await count(query)]).toEqual([query, 3])
  expect(await count(`property_unit_id=${unit.id + 1}&agreement_id=${agreement.id}`)).toBe(0)
})
