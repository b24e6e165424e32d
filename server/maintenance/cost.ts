import type { MaintenanceRequest } from '../../db/entities'
import { getLastDueDay, postManualCharge } from '../books/charges/service'
import { getBooks, getPosting } from '../books/ledger/books'
import type { Tx } from '../deps'
import { addDays } from '../domain/dates'
import { refuse } from '../errors'
import { findVisible } from '../http/changes'
import { lockAgreement, type LockedAgreement } from '../leases/access'
import { selectAgreementId, type MaintenancePath } from './queries'

/** The charge of a cost falls due so many days after the work is done. */
const DUE_DAYS = 7

/** Locks the agreement under which a request was raised; undefined without one. */
export async function lockLease(tx: Tx, path: MaintenancePath): Promise<LockedAgreement | undefined> {
  const found = await findVisible(tx, selectAgreementId, path)
  if (!found?.agreement_id) return undefined
  return lockAgreement(tx.em, tx.actor, { id: found.agreement_id }, 'maintenance_request_not_found')
}

/**
 * Charges the cost of a request to its tenants, once, if they bear it.
 * @throws BAD_REQUEST It has no agreement, or one whose books are closed or that ended long ago.
 */
export async function chargeCost(tx: Tx, request: MaintenanceRequest, lease: LockedAgreement | undefined) {
  const { borne_by, charge_id, cost, title } = request
  if (borne_by !== 'tenant' || !cost || charge_id !== null) return
  if (!lease) throw refuse('cost_not_chargeable', { because: 'no_lease' })
  if (lease.agreement.status === 'COMPLETED') throw refuse('cost_not_chargeable', { because: 'books_closed' })
  const books = await getBooks(tx.em, lease.agreement)
  const posting = getPosting(tx)
  const due_date = addDays(posting.today, DUE_DAYS)
  if (due_date > getLastDueDay(lease.agreement))
    throw refuse('cost_not_chargeable', { because: 'lease_over' })
  const charge = { type: 'maintenance', description: title, amount: cost, due_date } as const
  const { id } = await postManualCharge(tx, posting, { locked: lease, books }, charge)
  request.charge_id = id
}
