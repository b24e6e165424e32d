import type { AgreementFixture, Parties } from '../agreement-fixture'
import { requireSuccess } from '../requests'
import type { TestUser } from '../users'

/** `held` after the end of the lease; `proposed` and `accepted` are those of its settlement. */
export type DepositState = 'held' | 'proposed' | 'accepted'

export const settlementInput = {
  deductions: [{ type: 'damage', description: 'Painting', amount: 12000 }],
  refund_method: 'bank_transfer',
}

/** Ends a lease whose books are open, and settles its deposit so far; returns what names the proposal. */
export async function settleDepositIn(
  { agreement }: Pick<AgreementFixture, 'agreement'>,
  { owner, tenant }: Pick<Parties, 'owner' | 'tenant'>,
  state: DepositState,
) {
  const path = `/agreements/${agreement.id}`
  requireSuccess(await owner.post(`${path}/terminate`, {}), 'Ending a lease')
  if (state === 'held') return {}
  const proposed = await owner.post(`${path}/deposit/settlement`, settlementInput)
  const { settlement_id } = requireSuccess(proposed, 'Proposing a settlement').data
  if (state === 'accepted')
    requireSuccess(await decideSettlement(tenant, path, 'accept'), 'Accepting a settlement')
  return { settlement_id }
}

/** Accepts or disputes the proposal that a tenant reads. */
export async function decideSettlement(
  tenant: Pick<TestUser, 'get' | 'post'>,
  path: string,
  decision: 'accept' | 'dispute',
  body = {},
) {
  const { data } = await tenant.get(`${path}/deposit`)
  const { settlement_id = crypto.randomUUID() } = data.settlement ?? {}
  return tenant.post(`${path}/deposit/settlement/${decision}`, { settlement_id, ...body })
}
