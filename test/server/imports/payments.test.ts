import { expect, test } from 'bun:test'
import { booksServer } from '../../support/books/lease-fixture'
import { createLandlord, createManager, createUnit, freshPhone } from '../../support/users'
import { listBroken, listOutcomes, toLeaseRow } from './rows'

const server = booksServer('2026-12-01')

/** 101 has one tenant and 102 two; both are settled until 31 October 2026. */
async function createLeases() {
  const landlord = await createLandlord(server)
  const phones = [freshPhone(), freshPhone()]
  const tenants = phones.map(phone_number => ({ phone_number }))
  const leases = [toLeaseRow('101'), toLeaseRow('102', { tenants }), toLeaseRow('draft', { paper: null })]
  const { data } = await landlord.post('/imports/leases', { rows: leases })
  const importRows = (rows: object[], more = {}) => landlord.post('/imports/payments', { rows, ...more })
  return { landlord, phones, importRows, leases: data.rows as any[] }
}

const pay = (lease: string, more = {}) => ({
  lease,
  paid_on: '2026-11-05',
  amount: 5000,
  method: 'cash',
  ...more,
})

test('payments settle what is open, and get receipts; a repetition keeps them', async () => {
  const { landlord, phones, importRows, leases } = await createLeases()
  const [first, second] = leases
  const rows = [
    pay('101', { reference: 'UTR1', method: 'upi', amount: 21_500, external_ref: 'Nov' }),
    pay(first.agreement_number, { paid_on: '2026-11-30', tds_amount: 100 }),
    pay(String(second.agreement_id), { payer_phone: phones[1] }),
    pay('102', { payer_phone: phones[1] }),
    pay('102', { payer_phone: phones[1], method: 'cheque', reference: '000123' }),
  ]
  const dry = await importRows(rows, { dry_run: true })
  const created = await importRows(rows)
  expect([dry.data.created, created.data.created]).toEqual([5, 5])
  expect(created.data.rows[2].external_ref).not.toBe(created.data.rows[3].external_ref)
  expect(created.data.rows.map(({ external_ref }: any) => external_ref)).toEqual(
    dry.data.rows.map(({ external_ref }: any) => external_ref),
  )
  expect(dry.data.rows[0]).toMatchObject({ payment_id: null, receipt_number: null })
  const { data: payments } = await landlord.get('/payments?sort=id')
  expect(payments.map(({ status, source }: any) => `${status} ${source}`)).toEqual(
    Array(5).fill('posted manual'),
  )
  const numbers = created.data.rows.map(({ receipt_number }: any) => receipt_number)
  expect(numbers.toSorted()).toEqual([1, 2, 3, 4, 5].map(n => `RCT-2026-27-00000${n}`))
  // 1,500 + 10,000 + 20,000 + 20,000 − 21,500 − 5,100.
  const { closing_balance } = (await landlord.get(`/agreements/${first.agreement_id}/statement`)).data
  expect(closing_balance).toBe(24_900)

  const again = await importRows(rows)
  expect(again.data).toMatchObject({ created: 0, kept: 5 })
  expect(again.data.rows.map(({ payment_id }: any) => payment_id)).toEqual(
    created.data.rows.map(({ payment_id }: any) => payment_id),
  )
  const { payment_id } = payments.find(({ amount }: any) => amount === 21_500)
  expect(listOutcomes(await importRows([{ ...rows[0], external_ref: payment_id }]))).toEqual(['kept'])
})

test('400: all rows are checked first, and violations name row and field', async () => {
  const { landlord, phones, importRows } = await createLeases()
  await importRows([pay('101', { external_ref: 'known' }), pay('101', { reference: 'UTR9', method: 'upi' })])
  const rows = [
    pay('101', { paid_on: '2026-10-31' }),
    pay('nowhere'),
    pay('draft'),
    pay('102'),
    pay('102', { payer_phone: freshPhone() }),
    pay('101', { paid_on: '2026-12-02' }),
    pay('101', { amount: 0 }),
    pay('101', { method: 'cheque' }),
    pay('101', { method: 'upi', reference: 'utr9', amount: 1 }),
    pay('101', { external_ref: 'known', amount: 5001 }),
    pay('102', { payer_phone: phones[0], external_ref: 'known' }),
  ]
  expect(listBroken(await importRows(rows))).toEqual([
    400,
    'rows.0.paid_on payment_in_opening',
    'rows.1.lease lease_unknown',
    'rows.2.lease lease_without_books',
    'rows.3.payer_phone payer_phone_not_tenant',
    'rows.4.payer_phone payer_phone_not_tenant',
    'rows.5.paid_on date_in_future',
    'rows.6.amount payment_empty',
    'rows.7.reference cheque_number_missing',
    'rows.8.reference reference_used',
    'rows.9.amount payment_is_fixed',
    'rows.10.external_ref repeated_in_import',
    'rows.10.lease payment_is_fixed',
    'rows.10.payer_phone payment_is_fixed',
  ])
  expect((await landlord.get('/payments')).body.metadata.total).toBe(2)
})

test('403: a manager imports none; others’ leases are unknown', async () => {
  const { leases } = await createLeases()
  const [landlord, manager] = [await createLandlord(server), await createManager(server)]
  await createUnit(landlord, { managed_by_id: manager.id })
  const rows = [pay(String(leases[0].agreement_id))]
  expect((await manager.post('/imports/payments', { rows })).status).toBe(403)
  expect(listBroken(await landlord.post('/imports/payments', { rows }))).toEqual([
    400,
    'rows.0.lease lease_unknown',
  ])
})

test('two imports of the same payments at the same time record each once', async () => {
  const { landlord, importRows } = await createLeases()
  const rows = [pay('101'), pay('101'), pay('101', { amount: 1 })]
  const both = await Promise.all([importRows(rows), importRows(rows)])
  expect(both.map(({ data }) => [data.created, data.kept]).toSorted()).toEqual([
    [0, 3],
    [3, 0],
  ])
  expect((await landlord.get('/payments')).body.metadata.total).toBe(3)
})
