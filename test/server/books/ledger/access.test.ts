import { expect, test } from 'bun:test'
import { booksServer } from '../../../support/books/lease-fixture'
import {
  agreementTerms,
  completeSigning,
  createLandlord,
  createManager,
  createTenant,
  createUnit,
} from '../../../support/users'

const server = booksServer('2026-11-22')

test('403: a manager who was replaced after the signing reads the books and changes nothing', async () => {
  const [landlord, manager] = [await createLandlord(server), await createManager(server)]
  const [successor, tenant] = [await createManager(server), await createTenant(server)]
  const { unit, path: unitPath } = await createUnit(landlord, { managed_by_id: manager.id })
  const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const path = `/agreements/${data.id}`
  for (const party of [landlord, tenant]) await completeSigning(party, data.id, party.id)
  await landlord.patch(unitPath, { managed_by_id: successor.id })
  const paid = { amount: 120_000, method: 'upi' }
  const { data: payment } = await successor.post(`${path}/payments`, paid)
  const [charge] = (await manager.get('/charges')).data

  const reads = [
    '/charges',
    `/charges/${charge.id}`,
    '/payments',
    `/payments/${payment.id}`,
    `${path}/schedule`,
  ]
  for (const read of reads) expect([read, (await manager.get(read)).status]).toEqual([read, 200])
  expect((await manager.get('/payments')).data).toHaveLength(1)

  const changes: [method: 'POST' | 'PUT', path: string, body: object | undefined][] = [
    ['POST', `${path}/charges`, { type: 'water', amount: 300, due_date: '2026-12-10' }],
    ['POST', `/charges/${charge.id}/credits`, { amount: 1, reason: 'waiver' }],
    ['POST', `${path}/payments`, paid],
    ['POST', `${path}/refunds`, { amount: 1, method: 'cash' }],
    ['POST', `/payments/${payment.id}/confirm`, undefined],
    ['POST', `/payments/${payment.id}/reject`, {}],
    ['POST', `/payments/${payment.id}/clear`, {}],
    ['POST', `/payments/${payment.id}/bounce`, {}],
    ['POST', `/payments/${payment.id}/reverse`, { reason: 'x' }],
    ['PUT', `/payments/${payment.id}/allocations`, { allocations: [] }],
  ]
  for (const [method, changed, body] of changes) {
    const { status, error } = await manager.call(method, changed, body)
    expect([changed, status, error?.reason]).toEqual([changed, 403, 'not_unit_side'])
  }
  expect((await landlord.get('/payments')).data).toEqual([payment])
})

test('403: an agreement that was never active has no books', async () => {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const { unit } = await createUnit(landlord)
  const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const paid = { amount: 100, method: 'upi' }
  for (const payer of [landlord, tenant]) {
    const { status, error } = await payer.post(`/agreements/${data.id}/payments`, paid)
    expect([status, error?.reason]).toEqual([403, 'books_not_open'])
  }
})
