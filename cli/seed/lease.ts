import type { Agreement, Kiraya, SigningOutcome } from '@kiraya/sdk'
import { pressButton } from '../runtime/sandbox'
import type { Outcome } from './choices'

const ACTIVATION_TIMEOUT_MS = 30_000

type Landlord = { id: number; client: Kiraya }
type Answers = { landlord: SigningOutcome; tenants?: SigningOutcome }

const allSign: Answers = { landlord: 'sign', tenants: 'sign' }
const answers: Record<Outcome, Answers | undefined> = {
  DRAFT: undefined,
  PENDING: { landlord: 'sign' },
  DECLINED: { landlord: 'sign', tenants: 'decline' },
  ACTIVE: allSign,
  TERMINATED: allSign,
  COMPLETED: allSign,
}

/** Signs, declines, terminates and completes what has not been done yet, through the sandbox's pages. */
export async function bringToOutcome(landlord: Landlord, agreement: Agreement, outcome: Outcome) {
  const { agreements } = landlord.client
  let { status } = agreement
  if (status === 'DRAFT' || status === 'PENDING') status = await answerRequests(landlord, agreement, outcome)
  if (status === 'ACTIVE' && outcome !== 'ACTIVE') {
    const ended = await agreements.terminate(agreement.id, { reason: 'The tenant moves to another city' })
    status = ended.status
  }
  if (status === 'TERMINATED' && outcome === 'COMPLETED') await agreements.complete(agreement.id)
}

async function answerRequests({ id, client }: Landlord, agreement: Agreement, outcome: Outcome) {
  const planned = answers[outcome]
  if (!planned) return agreement.status
  const { agreements } = client
  const { signatures } = await agreements.signatures(agreement.id)
  const answered = new Set(
    signatures.filter(({ status }) => status !== 'pending').map(({ signer_id }) => signer_id),
  )
  const askAndPress = async (signerId: number, button: SigningOutcome) => {
    if (answered.has(signerId)) return
    const { signing_url } = await agreements.sign(agreement.id, { signer_id: signerId })
    await pressButton(signing_url, button)
  }
  await askAndPress(id, planned.landlord)
  for (const tenantId of planned.tenants ? agreement.tenant_ids : [])
    await askAndPress(tenantId, planned.tenants!)
  if (planned.tenants !== 'sign') return agreement.status
  // The provider tells the server by a webhook.
  const active = await agreements.waitFor(agreement.id, 'ACTIVE', { timeoutMs: ACTIVATION_TIMEOUT_MS })
  return active.status
}
