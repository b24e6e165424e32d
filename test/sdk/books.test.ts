import { expect, test } from 'bun:test'
import { createClient } from '../../sdk'
import { createStubServer, dataResponse } from './stub-server'

test('money is recorded, moved and paid back at the addresses of the API', async () => {
  using server = createStubServer(dataResponse())
  const { payments, deposits, rentRevisions } = createClient({ baseUrl: server.url })

  await payments.create(7, { amount: 25_000, method: 'upi' })
  await payments.allocate(12, { allocations: [{ charge_id: 31, amount: 5_000 }] })
  await payments.update(12, { tds_certificate_number: null })
  await payments.bounce(12, { charge_amount: 500 })
  await payments.refund(7, { amount: 1_000, method: 'cash' })
  await payments.tds(7, { year: '2026-27', landlord_pan: false })
  await deposits.settle(7, { deductions: [] })
  await rentRevisions.propose(7, { rent_amount: 27_000, effective_on: '2027-06-01' })
  await rentRevisions.accept(7, 3)
  await rentRevisions.withdraw(7, 3)

  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /agreements/7/payments',
    'PUT /payments/12/allocations',
    'PATCH /payments/12',
    'POST /payments/12/bounce',
    'POST /agreements/7/refunds',
    'GET /agreements/7/tds?year=2026-27&landlord_pan=false',
    'POST /agreements/7/deposit/settlement',
    'POST /agreements/7/rent-revisions',
    'POST /agreements/7/rent-revisions/3/accept',
    'POST /agreements/7/rent-revisions/3/withdraw',
  ])
})

test('warnings stand beside the data; mostly there are none', async () => {
  const warning = { code: 'revision_notice_short', message: 'The new rent comes with less than 3 months' }
  const body = { success: true, message: 'Proposed', data: { id: 3 } }
  using server = createStubServer(
    () => Response.json({ ...body, warnings: [warning] }),
    () => Response.json(body),
  )
  const { rentRevisions } = createClient({ baseUrl: server.url })
  const propose = () => rentRevisions.propose(7, { rent_amount: 27_000, effective_on: '2027-06-01' })

  const warned = await propose().withResponse()
  const quiet = await propose().withResponse()

  expect(warned).toMatchObject({ data: { id: 3 }, warnings: [warning], status: 200 })
  expect(quiet.warnings).toEqual([])
})
