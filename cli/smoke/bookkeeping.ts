import type { Kiraya } from '@kiraya/sdk'
import { expectEqual } from './expect-equal'
import type { Flow } from './flow'

const OVERPAID_RUPEES = 1000

async function loadCharges({ landlord, agreement }: Flow) {
  const { charges } = landlord!.client
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
  const payment = await pay(flow, outstanding)
  expectEqual(payment.status, 'posted', 'status of the payment')
  expectEqual(payment.unapplied_amount, 0, 'advance')
  expectEqual((await loadCharges(flow)).outstanding, 0, 'what is outstanding')
}

export async function refundAdvance(flow: Flow) {
  const { unapplied_amount } = await pay(flow, OVERPAID_RUPEES)
  expectEqual(unapplied_amount, OVERPAID_RUPEES, 'advance')
  const { payments } = flow.landlord!.client
  const refund = await payments.refund(flow.agreement!.id, { amount: OVERPAID_RUPEES, method: 'upi' })
  const [paidBack] = refund.payments
  const payment = await payments.get(paidBack!.payment_id)
  expectEqual(payment.refunded_amount, OVERPAID_RUPEES, 'refund')
}

async function pay({ landlord, agreement }: Flow, amount: number) {
  const { payments } = landlord!.client
  return payments.create(agreement!.id, { amount, method: 'upi' })
}

export async function takePaymentBack(flow: Flow) {
  await reversePayments(flow.landlord!.client, flow.agreement!.id)
  const { outstanding } = await loadCharges(flow)
  expectEqual(outstanding > 0, true, 'charges open again')
}

/** Reverses what was not refunded: nobody is erased while a deposit is held. */
export async function reversePayments(client: Kiraya, agreementId: number) {
  const { payments } = client
  const { data } = await payments.list({ agreement_id: agreementId, status: 'posted' })
  for (const { id, refunded_amount } of data)
    if (refunded_amount === 0) await payments.reverse(id, { reason: 'Smoke test' })
}
