import { LockMode } from '@mikro-orm/core'
import type { CancelledSignature } from '@kiraya/sdk/contract'
import { AgreementSignature } from '../../../db/entities'
import type { Deps, Tx } from '../../deps'
import { refuse } from '../../errors'
import type { RunChange } from '../../http/changes'
import { recordPath, type PathIds } from '../../http/record-id'
import { results } from '../../messages/results'
import type { AuditEvent, LogFields } from '../../observability/log'
import { lockAgreement, requireLandlordOrManager } from '../access'
import { appendEntry } from '../timeline'
import { expireSignatures } from './cancellations'
import { tryCancelNow } from './sync'

/** The response of a change, and what it ended at the provider; one that changed nothing ended nothing. */
export type Ending<T> = { response: T; ended?: [AuditEvent, LogFields & { agreement: number }] }

/** Runs a change that ends requests to sign. After its commit they are logged, and cancelled at the provider. */
export async function changeAndCancel<A extends unknown[], T>(
  deps: Deps,
  change: RunChange,
  service: (tx: Tx, ...args: A) => Promise<Ending<T>>,
  ...args: NoInfer<A>
): Promise<T> {
  const endings: Ending<T>[] = []
  const response = await change(async tx => {
    const ending = await service(tx, ...args)
    endings.push(ending)
    return ending.response
  })
  for (const { ended } of endings) {
    if (!ended) continue
    const [event, fields] = ended
    deps.log.audit(event, fields)
    await tryCancelNow(deps, fields.agreement)
  }
  return response
}

export const SignaturePath = recordPath({ id: 'agreement', signatureId: 'signature' })
type SignaturePath = PathIds<typeof SignaturePath>

type Cancelled = { message: string; data: CancelledSignature }

/** Cancels one open signature; the agreement and the other signatures stay. */
export async function cancelSignature(tx: Tx, path: SignaturePath): Promise<Ending<Cancelled>> {
  const { em, actor } = tx
  const locked = await lockAgreement(em, actor, path.id)
  requireLandlordOrManager(actor, locked)
  const key = path.signatureId
  const signature = await em.findOne(
    AgreementSignature,
    { agreement_id: locked.agreement.id, ...('id' in key ? key : { signature_id: key.uuid }) },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!signature?.provider_request_id) throw refuse('signature_not_found')
  if (signature.status !== 'PENDING')
    throw refuse('signature_not_open', { status: signature.status.toLowerCase() })

  await expireSignatures(tx, [signature])
  const { signer_id, signature_id, agreement_id } = signature
  await appendEntry(em, tx.now(), locked, 'cancelled', actor.id, { signer_id, signature_id })
  const data = { signature_id, status: 'expired' as const }
  const fields = { agreement: agreement_id, signature: signature.id, signer: signer_id, user: actor.id }
  return { response: { message: results.signature_cancelled, data }, ended: ['signing_cancelled', fields] }
}
