import { expectEqual, type Flow } from './flow'
import type { Step } from './run-flow'

/** The first payment, then the end of the lease, its deposit and its books. */
export const bookkeepingSteps: Step[] = [
  {
    title: 'see the deposit and the rent charged',
    run: async flow => {
      const types = (await loadCharges(flow)).map(({ type }) => type)
      expectEqual(types.includes('deposit'), true, 'charge of the deposit')
      expectEqual(types.includes('rent'), true, 'charge of the rent')
    },
  },
  {
    title: 'settle them with a payment',
    run: async flow => {
      const { payments } = flow.landlord.client
      const amount = await loadOutstanding(flow)
      const payment = await payments.create(flow.agreement.id, { amount, method: 'upi' })
      expectEqual(payment.status, 'posted', 'status of the payment')
      expectEqual(payment.unapplied_amount, 0, 'advance')
      expectEqual(await loadOutstanding(flow), 0, 'what is outstanding')
    },
  },
  {
    title: 'terminate the agreement',
    run: async ({ landlord, agreement }) => {
      const ended = await landlord.client.agreements.terminate(agreement.id, { reason: 'Smoke test' })
      expectEqual(ended.status, 'TERMINATED', 'status')
    },
  },
  { title: 'settle and refund the deposit', run: refundDeposit },
  { title: 'complete the agreement', run: completeAgreement },
]

async function loadCharges({ landlord, agreement }: Flow) {
  const { data } = await landlord.client.charges.list({ agreement_id: agreement.id, limit: 100 })
  return data
}

const loadOutstanding = async (flow: Flow) =>
  (await loadCharges(flow)).reduce((sum, { amount_outstanding }) => sum + amount_outstanding, 0)

/** The landlord proposes, the tenant accepts, and the whole deposit goes back. */
async function refundDeposit({ landlord, tenant, agreement: { id, deposit_amount } }: Flow) {
  const { deposits } = landlord.client
  const { held } = await deposits.get(id)
  expectEqual(held, deposit_amount, 'deposit that is held')
  const { settlement_id } = await deposits.settle(id, { deductions: [], refund_method: 'upi' })
  await tenant.client.deposits.accept(id, { settlement_id })
  const { status, refund_amount } = await deposits.post(id)
  expectEqual(status, 'posted', 'status of the settlement')
  expectEqual(refund_amount, held, 'refund of the deposit')
}

/** The rent of days that were not used is an advance, which goes back too. */
async function completeAgreement({ landlord, agreement: { id } }: Flow) {
  const { payments, agreements } = landlord.client
  const { data } = await payments.list({ agreement_id: id, status: 'posted' })
  const paise = data.reduce((sum, { unapplied_amount }) => sum + Math.round(unapplied_amount * 100), 0)
  if (paise > 0) await payments.refund(id, { amount: paise / 100, method: 'upi' })
  const { status } = await agreements.complete(id)
  expectEqual(status, 'COMPLETED', 'status')
}
