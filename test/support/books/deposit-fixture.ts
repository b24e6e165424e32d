import type { AgreementFixture, Parties } from '../agreement-fixture'
import { requireSuccess } from '../requests'

/** `held` after the end of the lease; `proposed` and `accepted` are those of its settlement. */
export type DepositState = 'held' | 'proposed' | 'accepted'

export const settlementInput = {
  deductions: [{ type: 'damage', description: 'Painting', amount: 12000 }],
  refund_method: 'bank_transfer',
}

/** Ends a lease whose books are open, and settles its deposit so far. */
export async function settleDepositIn(
  { agreement }: Pick<AgreementFixture, 'agreement'>,
  { owner, tenant }: Pick<Parties, 'owner' | 'tenant'>,
  state: DepositState,
) {
  const path = `/agreements/${agreement.id}`
  requireSuccess(await owner.post(`${path}/terminate`, {}), 'Ending a lease')
  if (state === 'held') return
  requireSuccess(await owner.post(`${path}/deposit/settlement`, settlementInput), 'Proposing a settlement')
  if (state === 'proposed') return
  requireSuccess(await tenant.post(`${path}/deposit/settlement/accept`), 'Accepting a settlement')
}
