import { expect, test } from 'bun:test'
import type { Charge, Payment } from '../../../../db/entities'
import type { Books } from '../../../../server/books/ledger/books'
import { applyDueAdvances } from '../../../../server/books/charges/due-advances'

function createCharge(id: number, due_date: string, amount: number, type: Charge['type'] = 'rent') {
  return { id, type, due_date, amount, amount_paid: 0, amount_credited: 0 } as Charge
}

function createAdvance(id: number, paid_on: string, unapplied_amount: number) {
  return { id, paid_on, unapplied_amount } as Payment
}

/** Settles until `today`, and lists what was settled as `day payment→charge`. */
function settle(charges: Charge[], payments: Payment[], today: string, status = 'ACTIVE') {
  const books = { agreement: { status }, charges, payments, journals: [] } as unknown as Books
  applyDueAdvances(books, { today, actorId: null })
  return books.journals.map(
    ({ effectiveOn, payment, charge }) => `${effectiveOn} ${payment!.id}→${charge!.id}`,
  )
}

test('an advance settles on the due date, one that is made later on the day of posting', () => {
  const charges = [
    createCharge(3, '2027-01-12', 10),
    createCharge(2, '2027-01-05', 10),
    createCharge(1, '2027-01-01', 10),
  ]
  const payments = [createAdvance(21, '2027-01-08', 5), createAdvance(20, '2027-01-03', 12)]
  expect(settle(charges, payments, '2027-01-10')).toEqual([
    '2027-01-05 20→1',
    '2027-01-05 20→2',
    '2027-01-10 21→2',
  ])
  expect(charges.map(charge => charge.amount_paid)).toEqual([0, 7, 10])
  expect(payments.map(payment => payment.unapplied_amount)).toEqual([5 - 5, 0])
})

test('an advance that is made on the due date settles on it, however late that is posted', () => {
  const charges = [createCharge(1, '2027-01-05', 10), createCharge(2, '2027-01-07', 10)]
  const payments = [createAdvance(20, '2027-01-05', 10), createAdvance(21, '2027-01-06', 10)]
  expect(settle(charges, payments, '2027-01-09')).toEqual(['2027-01-05 20→1', '2027-01-07 21→2'])
})

test.each([
  ['ACTIVE', 'by its date', '2027-01-05 20→1'],
  ['TERMINATED', 'after all else', '2027-01-05 20→2'],
])('an advance settles the deposit of a lease that is %s %s', (status, _, expected) => {
  const charges = [createCharge(1, '2027-01-01', 10, 'deposit'), createCharge(2, '2027-01-05', 10)]
  const settled = settle(charges, [createAdvance(20, '2027-01-05', 10)], '2027-01-05', status)
  expect(settled).toEqual([expected])
})

test('what one day leaves of an advance settles the next', () => {
  const charges = [createCharge(1, '2027-01-01', 10), createCharge(2, '2027-01-05', 10)]
  const payments = [createAdvance(20, '2026-12-20', 4), createAdvance(21, '2026-12-20', 20)]
  expect(settle(charges, payments, '2027-01-05')).toEqual([
    '2027-01-01 20→1',
    '2027-01-01 21→1',
    '2027-01-05 21→2',
  ])
  expect(payments.map(payment => payment.unapplied_amount)).toEqual([0, 4])
})
