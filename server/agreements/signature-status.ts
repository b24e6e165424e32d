import { sql } from 'kysely'
import { Agreement, AgreementSignature, PropertyUnit, SigningCancellation } from '../../db/entities'
import { query, type Db } from '../../db/orm'
import { records, type Records } from '../../db/records'
import { transact, type Transaction } from '../../db/records'
import { toIndianDate } from '../domain/dates'
import type { Deps } from '../deps'
import type { AuditEvent, LogFields } from '../observability/log'
import { getSigningProvider, listSigningProviderNames } from '../providers/signing/lookup'
import type { SigningStatus } from '../providers/signing/port'
import { getParties, findTenantIds } from './access'
import { haveAllSigned, canTransition, supersedes } from './states'
import { appendEvent } from './timeline'

const PATIENCE_MS = 3000
const CANCELLATIONS = 20
const happened = { SIGNED: 'signed', DECLINED: 'declined', EXPIRED: 'expired' } as const

/** Records what the provider says of a signature; when the last of the parties has signed, the agreement becomes ACTIVE. One that `isLapsed` is over by our clock, and to be cancelled at the provider. */
export async function applySignatureStatus(
  deps: Deps,
  { id, agreement_id }: Pick<AgreementSignature, 'id' | 'agreement_id'>,
  reported: Omit<SigningStatus, 'requestId'> & { isLapsed?: true },
) {
  const now = deps.now()
  const news: [AuditEvent, LogFields][] = []
  const isSpare = await transact(deps.orm, async tx => {
    // A deleted draft may still get news of its signatures.
    const agreement = await tx.findOneOrFail(
      Agreement,
      { id: agreement_id },
      { lock: 'update', filters: false },
    )
    const signatures = await tx.find(AgreementSignature, { agreement_id }, { lock: 'update' })
    const signature = signatures.find(each => each.id === id)!
    const unit = await tx.findOneOrFail(PropertyUnit, { id: agreement.property_unit_id }, { filters: false })
    const held = { agreement, unit, tenantIds: await findTenantIds(tx, agreement) }
    const whose = { signer_id: signature.signer_id, signature_id: signature.signature_id }

    if (reported.lastError) signature.last_error = reported.lastError
    if (reported.viewed && !signature.viewed_at && signature.status === 'PENDING') {
      signature.viewed_at = now
      await appendEvent(tx, now, held, 'viewed', signature.signer_id, whose)
    }
    if (reported.status === 'PENDING' || !supersedes(reported.status, signature.status)) return false

    // Signed twice, on two requests: the first one counts.
    if (
      reported.status === 'SIGNED' &&
      signatures.some(
        each => each.id !== id && each.signer_id === signature.signer_id && each.status === 'SIGNED',
      )
    )
      return false
    // Signed on an older request after all: the newer one is not needed any more, and makes room before this one counts.
    const replaced =
      reported.status === 'SIGNED'
        ? signatures.filter(
            each => each.id !== id && each.signer_id === signature.signer_id && each.status === 'PENDING',
          )
        : []
    await expireSignatures(deps, tx, replaced)
    signature.status = reported.status
    signature.signed_at = reported.status === 'SIGNED' ? now : null
    signature.decline_reason = reported.status === 'DECLINED' ? (reported.declineReason ?? null) : null
    if (reported.status !== 'EXPIRED') signature.next_reminder_at = null
    if (reported.isLapsed && signature.provider_request_id)
      await enqueueCancellation(deps, tx, agreement_id, signature.provider, signature.provider_request_id)
    news.push([
      `signing_${happened[reported.status]}`,
      { agreement: agreement_id, signature: id, signer: signature.signer_id },
    ])
    await appendEvent(
      tx,
      now,
      held,
      happened[reported.status],
      reported.status === 'EXPIRED' ? null : signature.signer_id,
      { ...whose, reason: signature.decline_reason ?? undefined },
    )

    const all = signatures.filter(each => each.status === 'SIGNED')
    if (
      canTransition(agreement.status, 'ACTIVE') &&
      haveAllSigned(getParties(held), new Set(all.map(each => each.signer_id)))
    ) {
      agreement.status = 'ACTIVE'
      agreement.signed_date = toIndianDate(now)
      const unneeded = signatures.filter(each => each.status === 'PENDING')
      await expireSignatures(deps, tx, unneeded)
      for (const { signer_id, signature_id } of unneeded)
        await appendEvent(tx, now, held, 'cancelled', null, { signer_id, signature_id })
      for (const each of signatures) each.next_reminder_at = null
      for (const each of all) each.document_due_at = now
      await appendEvent(tx, now, held, 'activated', null)
      news.push(['agreement_active', { agreement: agreement_id }])
      return replaced.length + unneeded.length > 0
    }
    if (agreement.signed_date && signature.status === 'SIGNED') signature.document_due_at = now
    return replaced.length > 0
  })
  for (const told of news) deps.log.audit(...told)
  if (isSpare) await tryCancelNow(deps, agreement_id)
}

/** Ends open signatures that are not wanted any more; the provider is to be told. */
export async function expireSignatures(deps: Deps, tx: Transaction, open: AgreementSignature[]) {
  for (const signature of open) Object.assign(signature, { status: 'EXPIRED', next_reminder_at: null })
  await tx.flush()
  for (const { agreement_id, provider, provider_request_id } of open)
    if (provider_request_id) await enqueueCancellation(deps, tx, agreement_id, provider, provider_request_id)
}

export const enqueueCancellation = (
  { now }: Deps,
  tx: Records,
  agreement_id: number,
  provider: string,
  provider_request_id: string,
) => tx.run(ordering, { provider, provider_request_id, agreement_id, now: now() })
const ordering = (
  db: Db,
  { now, ...request }: { now: Date; provider: string; provider_request_id: string; agreement_id: number },
) =>
  db
    .insertInto('signing_cancellations')
    .values({ ...request, due_at: now, created_at: now })
    .onConflict(conflict => conflict.columns(['provider', 'provider_request_id']).doNothing())

/** Reads a signature's status back from the provider and records it; undefined where the provider has forgotten it. */
export async function syncSignature(deps: Deps, signature: AgreementSignature) {
  const reported = await getSigningProvider(deps, signature.provider).status({
    requestId: signature.provider_request_id!,
    providerSignatureId: signature.provider_signature_id,
  })
  if (reported) await applySignatureStatus(deps, signature, reported)
  return reported?.status
}

/**
 * Tells the provider of the requests that are over, of one agreement or of all. Our own records say already that
 * they are, so a provider that cannot be reached is no reason to fail: it is told later, ever more rarely.
 */
export async function processCancellations(deps: Deps, agreement_id?: number) {
  const { log, now, orm } = deps
  const names = listSigningProviderNames(deps)
  const db = query(orm)
  const at = now()
  const due = await db
    .updateTable('signing_cancellations')
    .set({ due_at: sql`${at}::timestamptz + greatest(interval '1 minute', ${at}::timestamptz - created_at)` })
    .where(e =>
      e(
        e.refTuple('provider', 'provider_request_id'),
        'in',
        db
          .selectFrom('signing_cancellations')
          .where('provider', 'in', names)
          .where('due_at', '<=', at.toISOString())
          .$if(agreement_id !== undefined, these => these.where('agreement_id', '=', agreement_id!))
          .orderBy('due_at')
          .limit(CANCELLATIONS)
          .select(['provider', 'provider_request_id'])
          .forUpdate()
          .skipLocked()
          .$asTuple('provider', 'provider_request_id'),
      ),
    )
    .returning(['provider', 'provider_request_id', 'agreement_id'])
    .execute()
  await Promise.all(
    due.map(async ({ provider, provider_request_id, agreement_id: agreement }) => {
      const request = { provider, provider_request_id }
      const db = records(orm)
      try {
        // Others may still have to sign by the same request; and it may have been signed, declined or ended just before.
        const ours = await db.find(AgreementSignature, request)
        const isAwaited = ours.some(({ status }) => status === 'PENDING')
        const isOpen =
          !isAwaited &&
          (await Promise.all(ours.map(signature => syncSignature(deps, signature)))).every(
            status => status === 'PENDING',
          )
        if (isOpen) await getSigningProvider(deps, provider).cancel(provider_request_id)
        await db.delete(SigningCancellation, request)
      } catch (error) {
        log.warn(
          { err: error, agreement },
          'A signing request could not be cancelled at the provider; that is tried again',
        )
      }
    }),
  )
  if (due.length === CANCELLATIONS) await processCancellations(deps, agreement_id)
}

/** The same for one agreement that somebody is waiting for, as far as it goes quickly. */
export const tryCancelNow = (deps: Deps, agreement_id: number) =>
  Promise.race([processCancellations(deps, agreement_id), Bun.sleep(PATIENCE_MS)])
