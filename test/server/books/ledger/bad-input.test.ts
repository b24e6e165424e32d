import { beforeAll, describe, expect, test } from 'bun:test'
import { booksServer, createLease, type Lease } from '../../../support/books/lease-fixture'
import { createBooks, loadBooks } from './recorded-books'

const TODAY = '2026-12-15'
const RENT = 13_709.68
const server = booksServer(TODAY)

let lease: Lease
/** The paths of payments by their state, and the ids of a rent and of another lease's. */
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

test.each<[string, object, expected: string]>([
  ['due before the books', { due_date: '2026-12-14' }, 'due_date date_before_books'],
  ['due more than a year after the lease', { due_date: '2028-11-15' }, 'due_date date_after_lease'],
  ['of a period without an end', { period_start: TODAY }, 'period_end period_incomplete'],
  ['of a period without a start', { period_end: TODAY }, 'period_start period_incomplete'],
  [
    'of a period that ends before it starts',
    { period_start: TODAY, period_end: '2026-12-01' },
    'period_end period_ends_before_start',
  ],
])('400: a charge %s', async (_, changes, expected) => {
  const body = { type: 'water', amount: 300, due_date: TODAY, ...changes }
  await expectRefusal({ path: `${lease.path}/charges`, body }, expected)
})

test('400: a charge is not credited above its amount', async () => {
  const body = { amount: RENT + 0.01, reason: 'waiver' }
  await expectRefusal({ path: `/charges/${books.rent}/credits`, body }, 'amount credit_above_charge')
})

const allocate = (charge_id: number, amount: number) => ({ charge_id, amount })

describe('400: a payment', () => {
  test.each<[string, object, expected: string]>([
    ['of tomorrow', { paid_on: '2026-12-16' }, 'paid_on date_in_future'],
    ['of more than a year before the lease', { paid_on: '2025-12-14' }, 'paid_on date_before_lease'],
    ['by a cheque without its number', { method: 'cheque' }, 'reference cheque_number_missing'],
    ['by UPI with the date of a cheque', { method: 'upi', cheque_date: TODAY }, 'cheque_date not_a_cheque'],
    [
      'by a cheque that is dated years ahead',
      { method: 'cheque', reference: 'C-9', cheque_date: '2028-12-16' },
      'cheque_date date_too_far',
    ],
    ['with the reference of another', { method: 'upi', reference: 'p-1' }, 'reference reference_used'],
  ])('%s', async (_, changes, expected) => {
    const body = { amount: 500, method: 'cash', ...changes }
    await expectRefusal({ path: `${lease.path}/payments`, body }, expected)
  })

  test.each(['landlord', 'tenant'] as const)(
    'that the %s enters for who is no tenant, or another',
    async as => {
      const body = { amount: 500, method: 'cash', payer_id: lease.landlord.id }
      const reason = as === 'tenant' ? 'payer_not_self' : 'payer_not_tenant'
      await expectRefusal({ path: `${lease.path}/payments`, body, as }, `payer_id ${reason}`)
    },
  )

  test.each<[string, () => ReturnType<typeof allocate>[], expected: string]>([
    [
      'more than is outstanding',
      () => [allocate(books.rent, RENT)],
      'allocations.0.amount allocation_above_charge',
    ],
    [
      'the charge of another lease',
      () => [allocate(books.foreign, 1)],
      'allocations.0.charge_id allocation_of_unknown_charge',
    ],
    [
      'one charge twice',
      () => [allocate(books.rent, 1), allocate(books.rent, 1)],
      'allocations allocation_repeated',
    ],
  ])('for %s', async (_, toAllocations, expected) => {
    const body = { amount: 20_000, method: 'cash', allocations: toAllocations() }
    await expectRefusal({ path: `${lease.path}/payments`, body }, expected)
  })

  test('for more than it is', async () => {
    const body = { amount: 500, method: 'cash', allocations: [allocate(books.rent, 500.01)] }
    await expectRefusal({ path: `${lease.path}/payments`, body }, 'allocations allocation_above_payment')
  })
})

const WRONG_STATUS = 'status payment_wrong_status'
const reason = { reason: 'x' }

describe('400: a recorded payment', () => {
  test.each<[string, 'reported' | 'cheque' | 'posted' | 'reversed', step: string, body: object, string]>([
    ['is confirmed once', 'posted', 'confirm', {}, WRONG_STATUS],
    ['is not rejected when it is posted', 'posted', 'reject', {}, WRONG_STATUS],
    ['is not cleared unless it is a cheque', 'reported', 'clear', {}, WRONG_STATUS],
    ['is not cleared tomorrow', 'cheque', 'clear', { cleared_on: '2026-12-16' }, 'cleared_on date_in_future'],
    ['does not bounce unless it is a cheque', 'posted', 'bounce', {}, 'method not_a_cheque'],
    ['is not reversed before it is posted', 'reported', 'reverse', reason, WRONG_STATUS],
    ['is reversed once', 'reversed', 'reverse', reason, WRONG_STATUS],
  ])('%s', async (_, state, step, body, expected) => {
    await expectRefusal({ path: `${books[state]}/${step}`, body }, expected)
  })

  test('is allocated once it is posted, to no charge of another lease', async () => {
    const put = (payment: string, allocations: object[]) =>
      ({ method: 'PUT', path: `${payment}/allocations`, body: { allocations } }) as const
    await expectRefusal(put(books.reported, []), WRONG_STATUS)
    const foreign = put(books.posted, [allocate(books.foreign, 1)])
    await expectRefusal(foreign, 'allocations.0.charge_id allocation_of_unknown_charge')
  })
})
