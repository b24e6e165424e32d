import type { AgreementSignature } from '../../../db/entities'
import type { Tx } from '../../deps'
import type { LockedAgreement } from '../access'
import { appendEntry } from '../timeline'
import { expireSignatures } from './cancellations'

/**
 * Makes an agreement that is signed by all ACTIVE, in the name of the system. Returns the requests to sign that are not
 * needed then.
 */
export async function activateLease(
  { em, now: getNow, leaseHooks }: Pick<Tx, 'em' | 'now' | 'leaseHooks'>,
  locked: LockedAgreement,
  signatures: AgreementSignature[],
  signedOn: string,
) {
  const { agreement } = locked
  const now = getNow()
  agreement.status = 'ACTIVE'
  agreement.signed_date = signedOn
  agreement.evidence_due_at = now
  const unneeded = signatures.filter(({ status }) => status === 'PENDING')
  await expireSignatures({ em, now: getNow }, unneeded)
  for (const { signer_id, signature_id } of unneeded)
    await appendEntry(em, now, locked, 'cancelled', null, { signer_id, signature_id })
  for (const each of signatures) each.next_reminder_at = null
  await appendEntry(em, now, locked, 'activated', null)
  await em.flush()
  await leaseHooks.afterActivation({ em, now: getNow }, agreement)
  return unneeded
}
