import { sql } from 'kysely'
import { decideSettlement } from '../../../support/books/deposit-fixture'
import { createLease, listCharges, type BooksServer, type Lease } from '../../../support/books/lease-fixture'
import { requireSuccess } from '../../../support/requests'

export const FLAT = { late_fee: 500, late_fee_grace_days: 5 }
export const PER_DAY = { late_fee_kind: 'per_day', late_fee: 50 }
export const PERCENT = {
  late_fee_kind: 'percent_pa',
  late_fee_percent: 18,
  late_fee_grace_days: 5,
}

/** A lease of ₹25,000 from January 2027, due on the 5th. */
export const createLateLease = (server: BooksServer, terms: Record<string, unknown>) =>
  createLease(server, { agreement_start_date: '2027-01-01', tenure_in_months: 11, ...terms })

/** Posts in the name of the landlord, and returns the data. */
export async function post(lease: Lease, path: string, body: object = {}) {
  return requireSuccess(await (await lease.asLandlord()).post(path, body), path).data
}

export async function findCharge(lease: Lease, type: string) {
  const query = `agreement_id=${lease.agreement.id}&type=${type}&sort=due_date`
  return (await (await lease.asLandlord()).get(`/charges?${query}`)).data[0]
}

export async function creditCharge(lease: Lease, type: string, amount: number, reason: string) {
  const { id } = await findCharge(lease, type)
  await post(lease, `/charges/${id}/credits`, { amount, reason })
}

/** Pays by a cheque, which is cleared at once; returns the payment's path. */
export async function payByCheque(lease: Lease, body: Record<string, unknown> = {}) {
  const cheque = { amount: 25_000, method: 'cheque', reference: crypto.randomUUID(), ...body }
  const path = `/payments/${(await post(lease, `${lease.path}/payments`, cheque)).id}`
  await post(lease, `${path}/clear`)
  return path
}

/** Pays the first charge of a type by a cheque. */
export async function payCharge(lease: Lease, type: string, amount: number) {
  const { id } = await findCharge(lease, type)
  return payByCheque(lease, { amount, allocations: [{ charge_id: id, amount }] })
}

export async function allocate(lease: Lease, payment: string, allocations: object[]) {
  const allocated = await (await lease.asLandlord()).put(`${payment}/allocations`, { allocations })
  requireSuccess(allocated, 'Allocating a payment')
}

/** Proposes a settlement of the deposit, which goes on to its end with `finish`; returns what is open. */
export async function settleDeposit(lease: Lease) {
  const settlement = `${lease.path}/deposit/settlement`
  const { open_rent } = await post(lease, settlement, { deductions: [], refund_method: 'upi' })
  const finish = async () => {
    requireSuccess(await decideSettlement(await lease.asTenant(), lease.path, 'accept'), 'Accepting')
    await post(lease, `${settlement}/post`)
  }
  return { open_rent, finish }
}

export const listFees = async (lease: Lease) =>
  (await listCharges(lease)).filter(each => each.startsWith('late_fee'))

/** Counts the charges that the job looks at until a day. */
export async function countDueReviews(server: BooksServer, day: string) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from charges where late_fee_on <= ${day}`.execute(server.db)
  return rows[0]!.count
}
