import { sql } from 'kysely'
import { SigningCancellation, type SignatureStatus } from '../../../db/entities'
import type { Deps } from '../../deps'
import { processDueRows } from '../../domain/due-rows'
import { getSigningProvider, listSigningProviderNames } from '../../providers/signing/lookup'
import type { SigningStatus } from '../../providers/signing/port'
import { transitionSignature, type ReportedStatus } from './transition'
import { findSignaturesOfRequest, type SignatureReference } from './signatures'

const TRY_NOW_MS = 3000

/** Applies what the provider reports of a signature. The last one activates the agreement. */
export async function applySignatureStatus(
  deps: Deps,
  signature: Pick<SignatureReference, 'id' | 'agreement_id'>,
  reported: ReportedStatus,
) {
  const { auditEntries, hasSpareSignatures } = await deps.db.transactional(em =>
    transitionSignature({ ...deps, em }, signature, reported),
  )
  for (const [event, fields] of auditEntries) deps.log.audit(event, fields)
  if (hasSpareSignatures) await tryCancelNow(deps, signature.agreement_id)
}

/**
 * Reads a signature's status from the provider and applies it; undefined if it is unknown there. `claimed` is
 * what a webhook says: a provider has no status for an expiry, but shows whether it is true.
 */
export async function syncSignature(deps: Deps, signature: SignatureReference, claimed?: SignatureStatus) {
  const read = await getSigningProvider(deps, signature.provider).status({
    requestId: signature.provider_request_id!,
    providerSignatureId: signature.provider_signature_id,
  })
  if (!read) return undefined
  const hasExpired = claimed === 'EXPIRED' && read.status === 'PENDING' && isOver(read, deps.now())
  const reported = hasExpired ? { ...read, status: 'EXPIRED' as const, lastError: undefined } : read
  await applySignatureStatus(deps, signature, reported)
  return reported.status
}

function isOver({ expiresAt, isSessionOver }: SigningStatus, now: Date) {
  return isSessionOver || (expiresAt !== undefined && expiresAt <= now)
}

/** Reads signatures from the provider for a caller who waits, unless it takes long; failures are only logged. */
export async function trySyncNow(deps: Deps, signatures: SignatureReference[]) {
  const syncs = signatures.map(signature =>
    syncSignature(deps, signature).catch((error: unknown) => {
      const fields = { err: error, signature: signature.id }
      deps.log.warn(fields, 'A signature could not be read from the provider')
    }),
  )
  await Promise.race([Promise.all(syncs), Bun.sleep(TRY_NOW_MS)])
}

/**
 * Cancels requests at the configured providers, of one agreement or of all. Our records already say that they are over,
 * so a provider that fails is only logged, and tried again with a growing delay.
 */
export function processCancellations(deps: Deps, agreementId?: number) {
  const isOfAgreement = agreementId === undefined ? sql`true` : sql`agreement_id = ${agreementId}`
  return processDueRows(deps, {
    subject: 'a cancellation',
    table: 'signing_cancellations',
    dueColumn: 'due_at',
    toCondition: () => sql`provider in (${sql.join(listSigningProviderNames(deps))}) and ${isOfAgreement}`,
    process: id => processCancellation(deps, id),
  })
}

async function processCancellation(deps: Deps, id: number) {
  const em = deps.db.fork()
  const cancellation = await em.findOne(SigningCancellation, id)
  // A later run has cancelled the request, because this one took longer than its claim.
  if (!cancellation) return
  const { provider, provider_request_id } = cancellation
  if (await isOpenAndUnneeded(deps, provider, provider_request_id))
    await getSigningProvider(deps, provider).cancel(provider_request_id)
  await em.nativeDelete(SigningCancellation, { id })
}

/** Whether a request is open but not needed. A shared one may wait for others, or have just been signed. */
async function isOpenAndUnneeded(deps: Deps, provider: string, requestId: string) {
  const signatures = await findSignaturesOfRequest(deps, provider, requestId)
  if (signatures.some(({ status }) => status === 'PENDING')) return false
  const statuses = await Promise.all(signatures.map(signature => syncSignature(deps, signature)))
  return statuses.every(status => status === 'PENDING')
}

/** The same for an agreement that a caller waits for, unless it takes long; failures are only logged. */
export async function tryCancelNow(deps: Deps, agreementId: number) {
  const cancellations = processCancellations(deps, agreementId).catch((error: unknown) => {
    const fields = { err: error, agreement: agreementId }
    deps.log.warn(fields, 'Signing requests could not be cancelled at the provider; a job tries again')
  })
  await Promise.race([cancellations, Bun.sleep(TRY_NOW_MS)])
}
