import type { Kiraya } from '@kiraya/sdk'
import { expectEqual, type Flow } from './flow'

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
  const { id } = await pay(flow, OVERPAID_RUPEES)
  const reversed = await flow.landlord!.client.payments.reverse(id, { reason: 'Smoke test' })
  expectEqual(reversed.status, 'reversed', 'status of the payment')
}

/** The landlord proposes, the tenant accepts, and the whole deposit goes back. */
export async function refundDeposit({ landlord, tenant, agreement }: Flow) {
  const { deposits } = landlord!.client
  const { held } = await deposits.get(agreement!.id)
  expectEqual(held, agreement!.deposit_amount, 'deposit that is held')
  const { settlement_id } = await deposits.settle(agreement!.id, { deductions: [], refund_method: 'upi' })
  await tenant!.client.deposits.accept(agreement!.id, { settlement_id })
  const { status, refund_amount } = await deposits.post(agreement!.id)
  expectEqual(status, 'posted', 'status of the settlement')
  expectEqual(refund_amount, held, 'refund of the deposit')
}

/** The rent of days that were not used is an advance, which goes back too. */
export async function closeAgreement({ landlord, agreement }: Flow) {
  const { payments, agreements } = landlord!.client
  const { data } = await payments.list({ agreement_id: agreement!.id, status: 'posted' })
  const paise = data.reduce((sum, { unapplied_amount }) => sum + Math.round(unapplied_amount * 100), 0)
  if (paise > 0) await payments.refund(agreement!.id, { amount: paise / 100, method: 'upi' })
  const { status } = await agreements.complete(agreement!.id)
  expectEqual(status, 'COMPLETED', 'status')
}

/** Reverses what was not refunded: users cannot be erased while a deposit is held. */
export async function reversePayments({ payments, deposits }: Kiraya, agreementId: number) {
  const { held } = await deposits.get(agreementId)
  if (held === 0) return
  const { data } = await payments.list({ agreement_id: agreementId, status: 'posted' })
  for (const { id, refunded_amount } of data)
    if (refunded_amount === 0) await payments.reverse(id, { reason: 'Smoke test' })
}
