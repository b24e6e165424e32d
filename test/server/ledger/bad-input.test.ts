import { beforeAll, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { clock, testServer } from '../../support/server'
import { requireSuccess } from '../../support/requests'
import { createLease, type Lease } from '../../support/books/lease-fixture'

const TODAY = '2026-12-15'
const RENT = 13_709.68
const time = clock(new Date(`${TODAY}T06:30:00Z`))
const server = testServer({ overrides: { now: time.now } })

let lease: Lease
/** The paths of charges and payments, and the ids of the charges. */
let books: Awaited<ReturnType<typeof createBooks>>
beforeAll(async () => {
  lease = await createLease(server)
  books = await createBooks(lease)
}, 60_000)

async function createBooks({ landlord, tenant, path, agreement }: Lease) {
  const foreign = await createLease(server)
  const { data: others } = await foreign.landlord.get('/charges')
  const { data: rents } = await landlord.get(`/charges?agreement_id=${agreement.id}`)
  const pay = async (payer: typeof landlord, method: string, reference: string) => {
    const body = { amount: 100, method, reference }
    const { data } = requireSuccess(await payer.post(`${path}/payments`, body), 'Recording a payment')
    return `/payments/${data.id}`
  }
  const payments = {
    reported: await pay(tenant, 'upi', 'R-1'),
    cheque: await pay(landlord, 'cheque', 'C-1'),
    posted: await pay(landlord, 'upi', 'P-1'),
    reversed: await pay(landlord, 'upi', 'P-2'),
  }
  requireSuccess(await landlord.post(`${payments.reversed}/reverse`, { reason: 'A mistake' }), 'Reversing')
  return { ...payments, rent: rents[0].id as number, foreign: others[0].id as number }
}

/** Everything that is posted. */
async function loadBooks() {
  const db = getKysely(server.em())
  return {
    ledgers: await db.selectFrom('ledgers').selectAll().orderBy('agreement_id').execute(),
    charges: await db.selectFrom('charges').selectAll().orderBy('id').execute(),
    payments: await db.selectFrom('payments').selectAll().orderBy('id').execute(),
    journals: await db.selectFrom('journals').select('hash').orderBy('id').execute(),
  }
}

type Request = { method?: 'POST' | 'PUT'; path: string; body: unknown; as?: 'landlord' | 'tenant' }

async function expectRefusal({ method = 'POST', path, body, as = 'landlord' }: Request, property: string) {
  const before = await loadBooks()
  const response = await lease[as].call(method, path, body)
  expect([response.status, response.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(response.error.details.map((detail: any) => detail.property)).toEqual([property])
  expect(await loadBooks()).toEqual(before)
}

/** Bodies that are valid but for the amount, and the field that has it. */
const amounts: [string, (amount: unknown) => Request, property: string][] = [
  [
    'a charge',
    amount => ({ path: `${lease.path}/charges`, body: { type: 'water', amount, due_date: TODAY } }),
    'amount',
  ],
  [
    'a credit',
    amount => ({ path: `/charges/${books.rent}/credits`, body: { amount, reason: 'waiver' } }),
    'amount',
  ],
  ['a payment', amount => ({ path: `${lease.path}/payments`, body: { amount, method: 'cash' } }), 'amount'],
  ['a refund', amount => ({ path: `${lease.path}/refunds`, body: { amount, method: 'cash' } }), 'amount'],
  [
    'an allocation of a new payment',
    amount => ({
      path: `${lease.path}/payments`,
      body: { amount: 10, method: 'cash', allocations: [{ charge_id: books.rent, amount }] },
    }),
    'allocations.0.amount',
  ],
  [
    'an allocation',
    amount => ({
      method: 'PUT',
      path: `${books.posted}/allocations`,
      body: { allocations: [{ charge_id: books.rent, amount }] },
    }),
    'allocations.0.amount',
  ],
  [
    'the charge for a bounced cheque',
    amount => ({ path: `${books.cheque}/bounce`, body: { charge_amount: amount } }),
    'charge_amount',
  ],
]

describe.each(amounts)('400: the amount of %s cannot be', (_, toRequest, property) => {
  test.each([0, -1, -0.01, 0.001, 100.005, 1_000_000_000_000, '100', true])('%p', async amount => {
    await expectRefusal(toRequest(amount), property)
  })
})

const charge = (changes: object): Request => ({
  path: `${lease.path}/charges`,
  body: { type: 'water', amount: 300, due_date: TODAY, ...changes },
})

describe('400: a charge', () => {
  test.each<[string, object, property: string]>([
    ['due before the books', { due_date: '2026-12-14' }, 'due_date'],
    ['due more than a year after the lease', { due_date: '2028-11-15' }, 'due_date'],
    ['due on a day that does not exist', { due_date: '2026-02-30' }, 'due_date'],
    ['of a period without an end', { period_start: TODAY }, 'period_end'],
    ['of a period without a start', { period_end: TODAY }, 'period_start'],
    [
      'of a period that ends before it starts',
      { period_start: TODAY, period_end: '2026-12-01' },
      'period_end',
    ],
    ['that is a late fee', { type: 'late_fee' }, 'type'],
    ['with a blank description', { description: ' ' }, 'description'],
  ])('%s', async (_, changes, property) => {
    await expectRefusal(charge(changes), property)
  })

  test.each<[string, object, property: string]>([
    ['above the charge', { amount: RENT + 0.01, reason: 'waiver' }, 'amount'],
    ['without a known reason', { amount: 1, reason: 'paid_in_time' }, 'reason'],
  ])('is not credited %s', async (_, body, property) => {
    await expectRefusal({ path: `/charges/${books.rent}/credits`, body }, property)
  })
})

const allocate = (charge_id: number, amount: number) => ({ charge_id, amount })

describe('400: a payment', () => {
  test.each<[string, () => object, property: string]>([
    ['of tomorrow', () => ({ paid_on: '2026-12-16' }), 'paid_on'],
    ['before the lease', () => ({ paid_on: '2026-12-14' }), 'paid_on'],
    ['by a cheque without its number', () => ({ method: 'cheque' }), 'reference'],
    ['by UPI with the date of a cheque', () => ({ method: 'upi', cheque_date: TODAY }), 'cheque_date'],
    [
      'by a cheque that is dated years ahead',
      () => ({ method: 'cheque', reference: 'C-9', cheque_date: '2028-12-16' }),
      'cheque_date',
    ],
    ['by a method that is none', () => ({ method: 'barter' }), 'method'],
    ['of the landlord', () => ({ payer_id: lease.landlord.id }), 'payer_id'],
    ['with the reference of another', () => ({ method: 'upi', reference: 'p-1' }), 'reference'],
    ['with a negative tax', () => ({ tds_amount: -1 }), 'tds_amount'],
    [
      'for more than is outstanding',
      () => ({ amount: 20_000, allocations: [allocate(books.rent, RENT)] }),
      'allocations.0.amount',
    ],
    [
      'for the charge of another lease',
      () => ({ allocations: [allocate(books.foreign, 1)] }),
      'allocations.0.charge_id',
    ],
    [
      'for one charge twice',
      () => ({ allocations: [allocate(books.rent, 1), allocate(books.rent, 1)] }),
      'allocations',
    ],
    ['for more than it is', () => ({ allocations: [allocate(books.rent, 501)] }), 'allocations'],
  ])('%s', async (_, toChanges, property) => {
    const body = { amount: 500, method: 'cash', ...toChanges() }
    await expectRefusal({ path: `${lease.path}/payments`, body }, property)
  })

  test('that a tenant reports for another', async () => {
    const body = { amount: 500, method: 'cash', payer_id: lease.landlord.id }
    await expectRefusal({ path: `${lease.path}/payments`, body, as: 'tenant' }, 'payer_id')
  })
})

describe('400: a recorded payment', () => {
  test.each<[string, () => Request, property: string]>([
    ['is confirmed once', () => ({ path: `${books.posted}/confirm`, body: undefined }), 'status'],
    ['is not rejected when it is posted', () => ({ path: `${books.posted}/reject`, body: {} }), 'status'],
    ['is not cleared unless it is a cheque', () => ({ path: `${books.reported}/clear`, body: {} }), 'status'],
    [
      'is not cleared tomorrow',
      () => ({ path: `${books.cheque}/clear`, body: { cleared_on: '2026-12-16' } }),
      'cleared_on',
    ],
    ['does not bounce unless it is a cheque', () => ({ path: `${books.posted}/bounce`, body: {} }), 'method'],
    [
      'is not reversed before it is posted',
      () => ({ path: `${books.reported}/reverse`, body: { reason: 'x' } }),
      'status',
    ],
    ['is reversed once', () => ({ path: `${books.reversed}/reverse`, body: { reason: 'x' } }), 'status'],
    ['is not reversed without a reason', () => ({ path: `${books.posted}/reverse`, body: {} }), 'reason'],
    [
      'is not allocated before it is posted',
      () => ({ method: 'PUT', path: `${books.reported}/allocations`, body: { allocations: [] } }),
      'status',
    ],
    [
      'is not allocated to the charge of another lease',
      () => ({
        method: 'PUT',
        path: `${books.posted}/allocations`,
        body: { allocations: [allocate(books.foreign, 1)] },
      }),
      'allocations.0.charge_id',
    ],
  ])('%s', async (_, toRequest, property) => {
    await expectRefusal(toRequest(), property)
  })
})

test.each<[string, () => Request]>([
  ['a charge due on the first day of the books', () => charge({ due_date: TODAY })],
  ['a charge due a year after the last day of the lease', () => charge({ due_date: '2028-11-14' })],
  ['a charge for one day', () => charge({ period_start: TODAY, period_end: TODAY })],
  [
    'a cheque that is dated two years ahead',
    () => ({
      path: `${lease.path}/payments`,
      body: { amount: 1, method: 'cheque', reference: 'C-8', cheque_date: '2028-12-15' },
    }),
  ],
])('201: %s', async (_, toRequest) => {
  const { path, body } = toRequest()
  expect((await lease.landlord.post(path, body)).status).toBe(201)
})

describe('400: a refund', () => {
  test.each<[string, object, property: string]>([
    ['above the advance', { amount: 1 }, 'amount'],
    ['without a method', { amount: 1, method: undefined }, 'method'],
  ])('%s', async (_, changes, property) => {
    await expectRefusal({ path: `${lease.path}/refunds`, body: { method: 'cash', ...changes } }, property)
  })
})
