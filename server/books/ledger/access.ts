import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { lockAgreement, requireLandlordOrManager, type LockedAgreement } from '../../leases/access'
import type { Actor, Tx } from '../../deps'
import { hasId, type RecordId } from '../../http/record-id'
import { refuse, type NotFoundReason } from '../../errors'
import { findRecords, getBooks, type Books } from './books'

export type LockedBooks = { locked: LockedAgreement; books: Books }
type Side = keyof typeof requireSide

/** @throws FORBIDDEN The actor is not of this side of the lease. */
const requireSide = {
  any: () => {},
  landlord: requireLandlordOrManager,
  tenants: requireTenant,
}

/**
 * Locks an agreement, as every posting does, and loads what is open in its books.
 * @throws NOT_FOUND The agreement is not visible to the actor. FORBIDDEN The actor is of another side, or the agreement
 *   was never active.
 */
export async function lockBooks(
  em: EntityManager,
  actor: Actor,
  id: RecordId,
  side: Side,
  missing?: NotFoundReason,
): Promise<LockedBooks> {
  const locked = await lockAgreement(em, actor, id, missing)
  requireSide[side](actor, locked)
  return { locked, books: await getBooks(em, locked.agreement) }
}

function requireTenant({ id }: Actor, { tenantIds }: LockedAgreement) {
  if (!tenantIds.includes(id)) throw refuse('not_tenant')
}

const records = {
  charges: { missing: 'charge_not_found', selectKeys: toSelectKeys('charges', 'charge_id') },
  payments: { missing: 'payment_not_found', selectKeys: toSelectKeys('payments', 'payment_id') },
  refunds: { missing: 'refund_not_found', selectKeys: toSelectKeys('refunds', 'refund_id') },
} as const

/** Locks the books that have a charge or a payment, for the landlord's side, and loads it. */
export async function lockRecord<Kind extends 'charges' | 'payments'>(
  tx: Tx,
  kind: Kind,
  recordId: RecordId,
) {
  const { id, ...found } = await lockBooksOf(tx, kind, recordId)
  const [record] = await findRecords(tx.em, found.books, kind, [id])
  return { ...found, record: record! }
}

/**
 * Locks the books that have a record, for the landlord's side, and returns its number.
 * @throws NOT_FOUND The actor cannot see it. FORBIDDEN The actor is a tenant or was the manager.
 */
export async function lockBooksOf({ em, actor }: Tx, kind: keyof typeof records, recordId: RecordId) {
  const { missing, selectKeys } = records[kind]
  const [keys] = await executeCompiled(em, selectKeys, recordId)
  if (!keys) throw refuse(missing)
  return { id: keys.id, ...(await lockBooks(em, actor, { id: keys.agreement_id }, 'landlord', missing)) }
}

type Keys = { id: number; agreement_id: number }

function toSelectKeys(table: string, uuidColumn: string) {
  return (_: Db, key: RecordId) =>
    sql<Keys>`select id, agreement_id from ${sql.table(table)} where ${hasId(table, uuidColumn, key)}`
}
