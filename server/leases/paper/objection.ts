import { sql } from 'kysely'
import type { ObjectionInput } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import type { Tx } from '../../deps'
import { refuse } from '../../errors'
import type { RecordId } from '../../http/record-id'
import { results } from '../../messages/results'
import { appendEntry } from '../timeline'
import { loadRecorded, lockRecorded } from './acceptance'

/**
 * Objects, as a tenant, to a lease as it was recorded.
 * @throws BAD_REQUEST The tenant objects already.
 */
export async function objectToAgreement(tx: Tx, id: RecordId, { reason }: ObjectionInput) {
  const locked = await changeObjection(tx, id, reason, 'objection_open')
  await appendEntry(tx.em, tx.now(), locked, 'objected', tx.actor.id, { reason })
  return loadRecorded(tx, results.agreement_objected, locked)
}

/**
 * Withdraws the tenant's objection.
 * @throws NOT_FOUND There is none.
 */
export async function withdrawObjection(tx: Tx, id: RecordId) {
  const locked = await changeObjection(tx, id, null, 'objection_not_found')
  await appendEntry(tx.em, tx.now(), locked, 'objection_withdrawn', tx.actor.id)
  return loadRecorded(tx, results.objection_withdrawn, locked)
}

/** Locks the lease, and sets the actor's objection or withdraws it; `unchanged` says that this changes nothing. */
async function changeObjection(
  tx: Tx,
  id: RecordId,
  reason: string | null,
  unchanged: 'objection_open' | 'objection_not_found',
) {
  const locked = await lockRecorded(tx, id)
  const now = reason === null ? null : tx.now()
  const given = { agreementId: locked.agreement.id, tenantId: tx.actor.id, reason, now }
  const changed = await executeCompiled(tx.em, updateObjection, given)
  if (changed.length === 0) throw refuse(unchanged)
  return locked
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
