import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { lockAgreement, requireLandlordOrManager, type LockedAgreement } from '../../leases/access'
import type { Tx } from '../../deps'
import { parseRecordId, type RecordId } from '../../domain/record-id'
import { refuse, type NotFoundReason } from '../../faults'
import { getBooks, loadCharges, loadPayments, type Books } from './books'

export type LockedBooks = { locked: LockedAgreement; books: Books }

/**
 * Locks an agreement, as every posting does, and loads what is open in its books.
 * @throws NOT_FOUND The agreement is not visible to the actor. FORBIDDEN It was never active.
 */
export async function lockBooks({ em, actor }: Tx, agreementId: string): Promise<LockedBooks> {
  const locked = await lockAgreement(em, actor, agreementId)
  return { locked, books: await getBooks(em, locked.agreement) }
}

/** @throws FORBIDDEN The actor is a tenant or was the manager. */
export async function lockManagedBooks({ em, actor }: Tx, agreementId: string): Promise<LockedBooks> {
  const locked = await lockAgreement(em, actor, agreementId)
  requireLandlordOrManager(actor, locked)
  return { locked, books: await getBooks(em, locked.agreement) }
}

/** @throws FORBIDDEN The actor is no tenant of the agreement. */
export async function lockRentedBooks({ em, actor }: Tx, agreementId: string): Promise<LockedBooks> {
  const locked = await lockAgreement(em, actor, agreementId)
  if (!locked.tenantIds.includes(actor.id)) throw refuse('not_tenant')
  return { locked, books: await getBooks(em, locked.agreement) }
}

/**
 * Locks the books that have a charge, for the landlord's side, and loads it.
 * @throws NOT_FOUND The actor cannot see it. FORBIDDEN The actor is a tenant or was the manager.
 */
export async function lockCharge(tx: Tx, chargeId: string) {
  const key = parseRecordId(chargeId, 'charge_not_found')
  const [keys] = await executeCompiled(tx.em, selectChargeKeys, key)
  const { id, ...found } = await lockFoundBooks(tx, keys, 'charge_not_found')
  await loadCharges(tx.em, found.books, [id])
  return { ...found, charge: found.books.charges.find(charge => charge.id === id)! }
}

/**
 * Locks the books that have a payment, for the landlord's side, and loads it.
 * @throws NOT_FOUND The actor cannot see it. FORBIDDEN The actor is a tenant or was the manager.
 */
export async function lockPayment(tx: Tx, paymentId: string) {
  const key = parseRecordId(paymentId, 'payment_not_found')
  const [keys] = await executeCompiled(tx.em, selectPaymentKeys, key)
  const { id, ...found } = await lockFoundBooks(tx, keys, 'payment_not_found')
  await loadPayments(tx.em, found.books, [id])
  return { ...found, payment: found.books.payments.find(payment => payment.id === id)! }
}

type Keys = { id: number; agreement_id: number }

async function lockFoundBooks({ em, actor }: Tx, keys: Keys | undefined, missing: NotFoundReason) {
  if (!keys) throw refuse(missing)
  const locked = await lockAgreement(em, actor, String(keys.agreement_id), missing)
  requireLandlordOrManager(actor, locked)
  return { id: keys.id, locked, books: await getBooks(em, locked.agreement) }
}

function selectChargeKeys(db: Db, id: RecordId) {
  const charges = db.selectFrom('charges').select(['id', 'agreement_id'])
  return 'id' in id
    ? charges.where('id', '=', id.id)
    : charges.where('charge_id', '=', sql<string>`${id.uuid}`)
}

function selectPaymentKeys(db: Db, id: RecordId) {
  const payments = db.selectFrom('payments').select(['id', 'agreement_id'])
  return 'id' in id
    ? payments.where('id', '=', id.id)
    : payments.where('payment_id', '=', sql<string>`${id.uuid}`)
}
