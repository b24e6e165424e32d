import { expect } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { createLease, listCharges, type BooksServer, type Lease } from '../../support/books/lease-fixture'

export const FLAT = { late_fee: 500, late_fee_grace_days: 5 }
export const PERCENT = { late_fee_kind: 'percent_pa', late_fee_percent: 18, late_fee_grace_days: 5 }

/** A lease of ₹25,000 from January 2027, due on the 5th. */
export const createLateLease = (server: BooksServer, terms: Record<string, unknown>) =>
  createLease(server, { agreement_start_date: '2027-01-01', tenure_in_months: 11, ...terms })

export async function findCharge(lease: Lease, type: string) {
  const landlord = await lease.asLandlord()
  const { data } = await landlord.get(
    `/charges?agreement_id=${lease.agreement.id}&type=${type}&sort=due_date`,
  )
  return data[0]
}

export async function creditCharge(lease: Lease, type: string, amount: number, reason: string) {
  const { id } = await findCharge(lease, type)
  const response = await (await lease.asLandlord()).post(`/charges/${id}/credits`, { amount, reason })
  expect(response.status).toBe(201)
}

/** Pays by a cheque, which is cleared at once. */
export async function payByCheque(lease: Lease, body: Record<string, unknown> = {}) {
  const landlord = await lease.asLandlord()
  const cheque = { amount: 25000, method: 'cheque', reference: String(Math.random()), ...body }
  const { data } = await landlord.post(`${lease.path}/payments`, cheque)
  expect((await landlord.post(`/payments/${data.id}/clear`)).status).toBe(200)
  return data.id as number
}

export async function changePayment(
  lease: Lease,
  payment: number,
  step: string,
  body: Record<string, unknown> = {},
) {
  const response = await (await lease.asLandlord()).post(`/payments/${payment}/${step}`, body)
  expect(response.status).toBe(200)
}

export const listFees = async (lease: Lease) =>
  (await listCharges(lease)).filter(each => each.startsWith('late_fee'))

/** Counts the charges that the job looks at today. */
export async function countDueReviews(server: BooksServer, today: string) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from charges where late_fee_on <= ${today}`.execute(getKysely(server.em()))
  return rows[0]!.count
}
