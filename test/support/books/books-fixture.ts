import { Agreement } from '../../../db/entities'
import type { AgreementFixture, Parties } from '../agreement-fixture'
import { requireSuccess } from '../requests'
import type { startTestServer } from '../server'

export type PaymentState = 'reported' | 'pending' | 'posted'

/** A charge and a payment of an agreement, as they are answered. */
export type BooksFixture = {
  charge: { id: number; charge_id: string }
  payment: { id: number; payment_id: string }
  /** That of a proposed or accepted settlement. */
  settlement_id?: string
}

type Server = Pick<Awaited<ReturnType<typeof startTestServer>>, 'deps'>

/**
 * Opens the books of an ACTIVE agreement: a deposit of 100,000 and a payment of 120,000, which settles it once it is
 * posted. A tenant reports a payment; one that is pending is a cheque.
 */
export async function openBooksIn(
  { deps }: Server,
  { agreement }: Pick<AgreementFixture, 'agreement'>,
  { owner, tenant }: Pick<Parties, 'owner' | 'tenant'>,
  state: PaymentState = 'posted',
): Promise<BooksFixture> {
  await deps.db.transactional(async em => {
    const lease = await em.findOneOrFail(Agreement, { id: agreement.id })
    await deps.leaseHooks.afterActivation({ ...deps, em }, lease)
  })
  const paid = {
    amount: 120_000,
    method: state === 'pending' ? 'cheque' : 'upi',
    reference: crypto.randomUUID(),
    paid_on: '2026-01-01',
  }
  const payer = state === 'reported' ? tenant : owner
  const [recorded, listed] = [
    await payer.post(`/agreements/${agreement.id}/payments`, paid),
    await tenant.get(`/charges?agreement_id=${agreement.id}&type=deposit`),
  ]
  const { data: payment } = requireSuccess(recorded, 'Recording a payment')
  return { charge: requireSuccess(listed, 'Listing charges').data[0], payment }
}
