import type { Agreement, Kiraya, SigningOutcome } from '@kiraya/sdk'
import { pressButton } from '../runtime/sandbox'

const ACTIVATION_TIMEOUT_MS = 30_000

/** How far an agreement gets, and what the landlord and the tenants do on the signing pages for it. */
const outcomes = {
  DRAFT: [],
  PENDING: ['sign'],
  /** PENDING, with the landlord's signature and a refusal. */
  DECLINED: ['sign', 'decline'],
  ACTIVE: ['sign', 'sign'],
  TERMINATED: ['sign', 'sign'],
  COMPLETED: ['sign', 'sign'],
} as const satisfies Record<string, SigningOutcome[]>
export type Outcome = keyof typeof outcomes

export const isSigned = (outcome: Outcome) => outcomes[outcome][1] === 'sign'

type Landlord = { id: number; client: Kiraya }

/** Signs, declines, terminates and completes what has not been done yet, through the sandbox's pages. */
export async function bringToOutcome(landlord: Landlord, agreement: Agreement, outcome: Outcome) {
  const { agreements } = landlord.client
  let { status } = agreement
  if (status === 'DRAFT' || status === 'PENDING') {
    await pressButtons(landlord, agreement, outcomes[outcome])
    // The provider tells the server by a webhook.
    const timeoutMs = ACTIVATION_TIMEOUT_MS
    if (isSigned(outcome)) ({ status } = await agreements.waitFor(agreement.id, 'ACTIVE', { timeoutMs }))
  }
  if (status === 'ACTIVE' && outcome !== 'ACTIVE') {
    const reason = 'The tenant moves to another city'
    ;({ status } = await agreements.terminate(agreement.id, { reason }))
  }
  if (status === 'TERMINATED' && outcome === 'COMPLETED') await agreements.complete(agreement.id)
}

async function pressButtons(
  { id: landlordId, client }: Landlord,
  { id, tenant_ids }: Agreement,
  [ofLandlord, ofTenants]: readonly SigningOutcome[],
) {
  const { signatures } = await client.agreements.signatures(id)
  for (const signer_id of [landlordId, ...tenant_ids]) {
    const button = signer_id === landlordId ? ofLandlord : ofTenants
    const isAnswered = signatures.some(one => one.signer_id === signer_id && one.status !== 'pending')
    if (!button || isAnswered) continue
    const { signing_url } = await client.agreements.sign(id, { signer_id })
    await pressButton(signing_url, button)
  }
}
