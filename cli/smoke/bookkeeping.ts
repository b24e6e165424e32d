import { openBooks } from '../books'
import { expectEqual } from './expect-equal'
import type { Flow } from './flow'

const OVERPAID_RUPEES = 1000

async function loadCharges({ landlord, agreement }: Flow) {
  const { charges } = await openBooks(landlord!.client)
  const { data } = await charges.list({ agreement_id: agreement!.id, limit: 100 })
  const outstanding = data.reduce((sum, { amount_outstanding }) => sum + amount_outstanding, 0)
  return { types: new Set(data.map(({ type }) => type)), outstanding }
}

export async function checkCharges(flow: Flow) {
  const { types } = await loadCharges(flow)
  expectEqual(types.has('deposit'), true, 'charge of the deposit')
  expectEqual(types.has('rent'), true, 'charge of the rent')
}

export async function recordPayment(flow: Flow) {
  const { outstanding } = await loadCharges(flow)
  const { payments } = await openBooks(flow.landlord!.client)
  const payment = await payments.create(flow.agreement!.id, {
    amount: outstanding + OVERPAID_RUPEES,
    method: 'upi',
  })
  expectEqual(payment.status, 'posted', 'status of the payment')
  expectEqual((await loadCharges(flow)).outstanding, 0, 'what is outstanding')
  expectEqual(payment.unapplied_amount, OVERPAID_RUPEES, 'advance')
}

export async function refundAdvance({ landlord, agreement }: Flow) {
  const { payments } = await openBooks(landlord!.client)
  const refund = await payments.refund(agreement!.id, { amount: OVERPAID_RUPEES, method: 'upi' })
  const [paidBack] = refund.payments
  const payment = await payments.get(paidBack!.payment_id)
  expectEqual(payment.refunded_amount, OVERPAID_RUPEES, 'refund')
  expectEqual(payment.unapplied_amount, 0, 'advance')
}
