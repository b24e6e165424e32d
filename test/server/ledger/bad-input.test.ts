import { beforeAll, describe, expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { createLease, type Lease } from '../../support/books/lease-fixture'
import { createBooks, loadBooks } from './recorded-books'

const TODAY = '2026-12-15'
const RENT = 13_709.68
const time = clock(new Date(`${TODAY}T06:30:00Z`))
const server = testServer({ overrides: { now: time.now } })

let lease: Lease
/** The paths of charges and payments, and the ids of the charges. */
let books: Awaited<ReturnType<typeof createBooks>>
beforeAll(async () => {
  lease = await createLease(server)
  books = await createBooks(server, lease)
}, 60_000)

type Request = { method?: 'POST' | 'PUT'; path: string; body: unknown; as?: 'landlord' | 'tenant' }

/** `expected` is the field and the reason. */
async function expectRefusal({ method = 'POST', path, body, as = 'landlord' }: Request, expected: string) {
  const before = await loadBooks(server)
  const { status, error } = await lease[as].call(method, path, body)
  expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect([...error.details.map((detail: any) => detail.property), error.reason].join(' ')).toBe(expected)
  expect(await loadBooks(server)).toEqual(before)
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

describe.each(amounts)('400: the amount of %s cannot be', (of, toRequest, property) => {
  test.each([0, -1, -0.01, 0.001, 100.005, 1_000_000_000_000, '100', true])('%p', async amount => {
    // A payment may be tax alone.
    const reason = amount === 0 && of === 'a payment' ? 'payment_empty' : 'invalid_fields'
    await expectRefusal(toRequest(amount), `${property} ${reason}`)
  })
})

const charge = (changes: object): Request => ({
  path: `${lease.path}/charges`,
  body: { type: 'water', amount: 300, due_date: TODAY, ...changes },
})

describe('400: a charge', () => {
  test.each<[string, object, expected: string]>([
    ['due before the books', { due_date: '2026-12-14' }, 'due_date date_before_books'],
    ['due more than a year after the lease', { due_date: '2028-11-15' }, 'due_date date_after_lease'],
    ['due on a day that does not exist', { due_date: '2026-02-30' }, 'due_date invalid_fields'],
    ['of a period without an end', { period_start: TODAY }, 'period_end period_incomplete'],
    ['of a period without a start', { period_end: TODAY }, 'period_start period_incomplete'],
    [
      'of a period that ends before it starts',
      { period_start: TODAY, period_end: '2026-12-01' },
      'period_end period_ends_before_start',
    ],
    ['that is a late fee', { type: 'late_fee' }, 'type invalid_fields'],
    ['with a blank description', { description: ' ' }, 'description invalid_fields'],
  ])('%s', async (_, changes, expected) => {
    await expectRefusal(charge(changes), expected)
  })

  test.each<[string, object, expected: string]>([
    ['above the charge', { amount: RENT + 0.01, reason: 'waiver' }, 'amount credit_above_charge'],
    ['without a known reason', { amount: 1, reason: 'paid_in_time' }, 'reason invalid_fields'],
  ])('is not credited %s', async (_, body, expected) => {
    await expectRefusal({ path: `/charges/${books.rent}/credits`, body }, expected)
  })
})

const allocate = (charge_id: number, amount: number) => ({ charge_id, amount })

describe('400: a payment', () => {
  test.each<[string, () => object, expected: string]>([
    ['of tomorrow', () => ({ paid_on: '2026-12-16' }), 'paid_on date_in_future'],
    ['before the lease', () => ({ paid_on: '2026-12-14' }), 'paid_on date_before_lease'],
    ['by a cheque without its number', () => ({ method: 'cheque' }), 'reference cheque_number_missing'],
    [
      'by UPI with the date of a cheque',
      () => ({ method: 'upi', cheque_date: TODAY }),
      'cheque_date not_a_cheque',
    ],
    [
      'by a cheque that is dated years ahead',
      () => ({ method: 'cheque', reference: 'C-9', cheque_date: '2028-12-16' }),
      'cheque_date date_too_far',
    ],
    ['by a method that is none', () => ({ method: 'barter' }), 'method invalid_fields'],
    ['of the landlord', () => ({ payer_id: lease.landlord.id }), 'payer_id payer_not_tenant'],
    [
      'with the reference of another',
      () => ({ method: 'upi', reference: 'p-1' }),
      'reference reference_used',
    ],
    ['with a negative tax', () => ({ tds_amount: -1 }), 'tds_amount invalid_fields'],
    [
      'for more than is outstanding',
      () => ({ amount: 20_000, allocations: [allocate(books.rent, RENT)] }),
      'allocations.0.amount allocation_above_charge',
    ],
    [
      'for the charge of another lease',
      () => ({ allocations: [allocate(books.foreign, 1)] }),
      'allocations.0.charge_id allocation_of_unknown_charge',
    ],
    [
      'for one charge twice',
      () => ({ allocations: [allocate(books.rent, 1), allocate(books.rent, 1)] }),
      'allocations allocation_repeated',
    ],
    [
      'for more than it is',
      () => ({ allocations: [allocate(books.rent, 501)] }),
      'allocations allocation_above_payment',
    ],
  ])('%s', async (_, toChanges, expected) => {
    const body = { amount: 500, method: 'cash', ...toChanges() }
    await expectRefusal({ path: `${lease.path}/payments`, body }, expected)
  })

  test('that a tenant reports for another', async () => {
    const body = { amount: 500, method: 'cash', payer_id: lease.landlord.id }
    await expectRefusal({ path: `${lease.path}/payments`, body, as: 'tenant' }, 'payer_id payer_not_self')
  })
})

describe('400: a recorded payment', () => {
  test.each<[string, () => Request, expected: string]>([
    [
      'is confirmed once',
      () => ({ path: `${books.posted}/confirm`, body: undefined }),
      'status payment_wrong_status',
    ],
    [
      'is not rejected when it is posted',
      () => ({ path: `${books.posted}/reject`, body: {} }),
      'status payment_wrong_status',
    ],
    [
      'is not cleared unless it is a cheque',
      () => ({ path: `${books.reported}/clear`, body: {} }),
      'status payment_wrong_status',
    ],
    [
      'is not cleared tomorrow',
      () => ({ path: `${books.cheque}/clear`, body: { cleared_on: '2026-12-16' } }),
      'cleared_on date_in_future',
    ],
    [
      'does not bounce unless it is a cheque',
      () => ({ path: `${books.posted}/bounce`, body: {} }),
      'method not_a_cheque',
    ],
    [
      'is not reversed before it is posted',
      () => ({ path: `${books.reported}/reverse`, body: { reason: 'x' } }),
      'status payment_wrong_status',
    ],
    [
      'is reversed once',
      () => ({ path: `${books.reversed}/reverse`, body: { reason: 'x' } }),
      'status payment_wrong_status',
    ],
    [
      'is not reversed without a reason',
      () => ({ path: `${books.posted}/reverse`, body: {} }),
      'reason invalid_fields',
    ],
    [
      'is not allocated before it is posted',
      () => ({ method: 'PUT', path: `${books.reported}/allocations`, body: { allocations: [] } }),
      'status payment_wrong_status',
    ],
    [
      'is not allocated to the charge of another lease',
      () => ({
        method: 'PUT',
        path: `${books.posted}/allocations`,
        body: { allocations: [allocate(books.foreign, 1)] },
      }),
      'allocations.0.charge_id allocation_of_unknown_charge',
    ],
  ])('%s', async (_, toRequest, expected) => {
    await expectRefusal(toRequest(), expected)
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
  test.each<[string, object, expected: string]>([
    ['above the advance', { amount: 1 }, 'amount refund_above_advance'],
    ['without a method', { amount: 1, method: undefined }, 'method invalid_fields'],
  ])('%s', async (_, changes, expected) => {
    await expectRefusal({ path: `${lease.path}/refunds`, body: { method: 'cash', ...changes } }, expected)
  })
})
