import { sql } from 'kysely'
import type { ObjectionInput, TimelineEntryType } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import type { Tx } from '../../deps'
import { refuse } from '../../errors'
import type { RecordId } from '../../http/record-id'
import { results } from '../../messages/results'
import type { LockedAgreement } from '../access'
import type { AgreementResult } from '../agreements/drafts'
import { appendEntry } from '../timeline'
import { loadRecorded, lockRecorded } from './acceptance'

/**
 * Objects, as a tenant, to a lease as it was recorded.
 * @throws BAD_REQUEST The tenant objects already.
 */
export async function objectToAgreement(tx: Tx, id: RecordId, { reason }: ObjectionInput) {
  const locked = await lockRecorded(tx, id)
  if (!(await changeObjection(tx, locked, reason))) throw refuse('objection_open')
  return finish(tx, locked, 'objected', { reason })
}

/**
 * Withdraws the tenant's objection.
 * @throws NOT_FOUND There is none.
 */
export async function withdrawObjection(tx: Tx, id: RecordId) {
  const locked = await lockRecorded(tx, id)
  if (!(await changeObjection(tx, locked, null))) throw refuse('objection_not_found')
  return finish(tx, locked, 'objection_withdrawn', {})
}

/** Sets the actor's objection, or withdraws it; false if that changes nothing. */
async function changeObjection(
  { em, actor, now }: Tx,
  { agreement }: LockedAgreement,
  reason: string | null,
) {
  const given = { agreementId: agreement.id, tenantId: actor.id, reason, now: reason === null ? null : now() }
  const changed = await executeCompiled(em, updateObjection, given)
  return changed.length > 0
}

type Objection = { agreementId: number; tenantId: number; reason: string | null; now: Date | null }

function updateObjection(db: Db, { agreementId, tenantId, reason, now }: Objection) {
  return db
    .updateTable('agreement_tenants')
    .set({ objection: reason, objected_at: now })
    .where('agreement_id', '=', agreementId)
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`(objected_at is null) = (${now}::timestamptz is not null)`)
    .returning('id')
}

const messages = { objected: results.agreement_objected, objection_withdrawn: results.objection_withdrawn }

async function finish(
  tx: Tx,
  locked: LockedAgreement,
  type: TimelineEntryType & keyof typeof messages,
  details: Record<string, unknown>,
): Promise<AgreementResult> {
  await appendEntry(tx.em, tx.now(), locked, type, tx.actor.id, details)
  return loadRecorded(tx, messages[type], locked)
}
