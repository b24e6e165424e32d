import { createLease, type Lease } from '../../../support/books/lease-fixture'
import { requireSuccess } from '../../../support/requests'
import type { TestServer } from '../../../support/server'

/** Records payments in several states; returns their paths, and the ids of a rent and of another lease's. */
export async function createBooks(server: TestServer, { landlord, tenant, path, agreement }: Lease) {
  const foreign = await createLease(server)
  const { data: others } = await foreign.landlord.get('/charges')
  const { data: rents } = await landlord.get(`/charges?agreement_id=${agreement.id}`)
  const pay = async (payer: typeof landlord, method: string, reference: string) => {
    const body = { amount: 100, method, reference }
    const { data } = requireSuccess(await payer.post(`${path}/payments`, body), 'Recording a payment')
    return `/payments/${data.id}`
  }
  const payments = {
    reported: await pay(tenant, 'upi', 'R-1'),
    cheque: await pay(landlord, 'cheque', 'C-1'),
    posted: await pay(landlord, 'upi', 'P-1'),
    reversed: await pay(landlord, 'upi', 'P-2'),
  }
  requireSuccess(await landlord.post(`${payments.reversed}/reverse`, { reason: 'A mistake' }), 'Reversing')
  return { ...payments, rent: rents[0].id as number, foreign: others[0].id as number }
}

/** Everything that is posted. */
export async function loadBooks(server: TestServer) {
  const db = server.db
  return {
    ledgers: await db.selectFrom('ledgers').selectAll().orderBy('agreement_id').execute(),
    charges: await db.selectFrom('charges').selectAll().orderBy('id').execute(),
    payments: await db.selectFrom('payments').selectAll().orderBy('id').execute(),
    journals: await db.selectFrom('journals').select('hash').orderBy('id').execute(),
  }
}
