import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'
import { readPdfText } from '../../support/pdf'
import { downloadPdf } from './fixtures'

test('a receipt and a rent proof have their charges by their days, and the payments of each in order', async () => {
  await using server = await startBooksServer('2026-12-20')
  const lease = await createLease(server, { agreement_start_date: '2026-12-20' })
  const { landlord, path } = lease
  const charge = { type: 'rent', amount: 90 }
  const days = ['2027-03-03', '2027-01-01', '2027-02-02']
  for (const due_date of days)
    await landlord.post(`${path}/charges`, { ...charge, due_date, description: `Part ${due_date}.` })
  const { data: charges } = await landlord.get('/charges?sort=id&limit=100')
  const parts = charges.filter(({ description }: any) => description.startsWith('Part'))
  const pay = async (amount: number) => {
    const allocations = parts.map(({ id }: any) => ({ charge_id: id, amount }))
    const { data } = await landlord.post(`${path}/payments`, {
      amount: 3 * amount,
      method: 'upi',
      allocations,
    })
    return data.id as number
  }
  const first = await pay(30)
  server.setDay('2026-12-22')
  await pay(60)
  const read = async (of: string) => readPdfText((await downloadPdf(server, landlord, of)).bytes)
  const listParts = (text: string) => [...text.matchAll(/Part \S+\./g)].map(([part]) => part)
  const inOrder = days.toSorted().map(day => `Part ${day}.`)
  expect(listParts(await read(`/payments/${first}/receipt`))).toEqual(inOrder)
  const proof = await read(`${path}/rent-proof?year=2026-27`)
  expect(listParts(proof)).toEqual(inOrder)
  const [start, end] = [proof.indexOf('Part 2027-01-01.'), proof.indexOf('Part 2027-02-02.')]
  const row = proof.slice(start, end)
  for (const [earlier, later] of [
    ['20 Dec', '22 Dec'],
    ['000001', '000002'],
  ] as const) {
    expect(row).toContain(later)
    expect(row.indexOf(earlier)).toBeLessThan(row.indexOf(later))
  }
})

test('a statement has its lines by day, and those of one day as they were posted', async () => {
  await using server = await startBooksServer('2026-12-20')
  const { landlord, path } = await createLease(server, { agreement_start_date: '2026-12-20' })
  for (const [due_date, amount] of [
    ['2027-02-02', 30],
    ['2027-01-01', 10],
    ['2027-01-01', 20],
  ])
    await landlord.post(`${path}/charges`, { type: 'water', amount, due_date })
  await landlord.post(`${path}/payments`, { amount: 50, method: 'upi' })

  const { data } = await landlord.get(`${path}/statement`)

  const { debit: rent } = data.lines[0]
  expect(data.lines.map(({ date, balance }: any) => [date, balance])).toEqual([
    ['2026-12-20', rent],
    ['2026-12-20', rent - 50],
    ['2027-01-01', rent - 40],
    ['2027-01-01', rent - 20],
    ['2027-02-02', rent + 10],
  ])
})
