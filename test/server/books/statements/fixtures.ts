import { requireSuccess } from '../../../support/requests'
import type { TestUser } from '../../../support/users'
import type { BooksServer, Lease } from '../../../support/books/lease-fixture'

/** Sets or removes the PAN of a landlord of `createLandlord`. */
export async function setPan(landlord: TestUser, pan: string | null = 'QWEPZ5678M') {
  const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com', pan }
  requireSuccess(await landlord.put('/profile/complete', profile), 'Setting the PAN')
}

type NewPayment = Record<string, unknown>
const pay = async ({ path }: Lease, landlord: TestUser, payment: NewPayment) =>
  (await landlord.post(`${path}/payments`, payment)).data.id as number

/**
 * Plays the first months of the example lease: the first rent and the deposit are paid, a cheque for January
 * bounces after it was cleared, its fee is waived, a part is paid in cash, and February's rent is posted ahead.
 */
export async function playMonths(server: BooksServer, lease: Lease) {
  await server.goTo('2026-12-15')
  const transfer = { amount: 63709.68, method: 'upi', reference: 'UTR1' }
  const paid = await pay(lease, await lease.asLandlord(), transfer)

  await server.goTo('2027-01-05')
  const landlord = await lease.asLandlord()
  const bounced = await pay(lease, landlord, { amount: 25000, method: 'cheque', reference: '004711' })
  await landlord.post(`/payments/${bounced}/clear`)
  await landlord.post(`/payments/${bounced}/bounce`, { charge_amount: 500 })
  const { data: fees } = await landlord.get(`/charges?agreement_id=${lease.agreement.id}&type=other`)
  await landlord.post(`/charges/${fees[0].id}/credits`, { amount: 500, reason: 'waiver' })
  const cash = await pay(lease, landlord, { amount: 4500, tds_amount: 500, method: 'cash' })

  await server.goTo('2027-02-01')
  return { paid, bounced, cash }
}

/** Downloads a PDF in a user's name. */
export async function downloadPdf({ url }: { url: string }, { token }: TestUser, path: string) {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, headers: response.headers, bytes: await response.bytes() }
}
