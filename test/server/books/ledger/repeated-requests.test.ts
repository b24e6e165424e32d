import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../../db/database'
import {
  createLease,
  startBooksServer,
  type BooksServer,
  type Lease,
} from '../../../support/books/lease-fixture'
import { requireSuccess } from '../../../support/requests'
import { sendRequest, type TestUser } from '../../../support/users'

let server: BooksServer
let lease: Lease
beforeAll(async () => {
  server = await startBooksServer('2026-12-20')
  lease = await createLease(server, { deposit_amount: 1000 })
}, 60_000)
afterAll(() => server.end())

type Request = [by: TestUser, path: string, body?: object]

/** Makes what a request needs, and returns its data. */
async function make(...[by, path, body]: Request) {
  return requireSuccess(await by.post(path, body), path).data
}

const payment = (method = 'upi') => ({ amount: 500, method, reference: crypto.randomUUID() })
const charge = { type: 'water', amount: 900, due_date: '2026-12-20' }
let months = 0
/** A rent from the first day of another month. */
const revision = () => ({ rent_amount: 26_000, effective_on: `2027-0${2 + months++}-01` })

/** The path of a payment that the landlord's side or a tenant entered. */
async function pay(by: TestUser, method?: string) {
  return `/payments/${(await make(by, `${lease.path}/payments`, payment(method))).id}`
}
const propose = async () => {
  const revisions = `${lease.path}/rent-revisions`
  return `${revisions}/${(await make(lease.landlord, revisions, revision())).id}`
}

/** A step in the settlement of an ended lease's deposit, which was taken so far. */
async function settle(
  steps: ('propose' | 'accept')[],
  by: 'landlord' | 'tenant',
  step: string,
  body?: object,
): Promise<Request> {
  const { path, agreement, ...ended } = await createLease(server, { deposit_amount: 1000 })
  const [deposit] = (await ended.landlord.get(`/charges?agreement_id=${agreement.id}&type=deposit`)).data
  const allocations = [{ charge_id: deposit.id, amount: 1000 }]
  await make(ended.landlord, `${path}/payments`, { ...payment(), amount: 1000, allocations })
  await make(ended.landlord, `${path}/terminate`, {})
  const settlement = `${path}/deposit/settlement`
  if (steps.length === 0) return [ended[by], settlement, body]
  const { settlement_id } = await make(ended.landlord, settlement, { deductions: [] })
  if (steps.includes('accept')) await make(ended.tenant, `${settlement}/accept`, { settlement_id })
  return [ended[by], settlement + step, by === 'tenant' ? { settlement_id, ...body } : body]
}

const requests: Record<string, () => Promise<Request>> = {
  'a charge': async () => [lease.landlord, `${lease.path}/charges`, charge],
  'a credit': async () => {
    const { id } = await make(lease.landlord, `${lease.path}/charges`, charge)
    return [lease.landlord, `/charges/${id}/credits`, { amount: 10, reason: 'waiver' }]
  },
  'a payment': async () => [lease.landlord, `${lease.path}/payments`, { amount: 5, method: 'cash' }],
  'a reported payment': async () => [lease.tenant, `${lease.path}/payments`, { amount: 5, method: 'cash' }],
  'a refund': async () => {
    const { landlord, path } = await createLease(server)
    await make(landlord, `${path}/payments`, { ...payment(), amount: 50_000 })
    return [landlord, `${path}/refunds`, { amount: 5, method: 'cash' }]
  },
  'a confirmation': async () => [lease.landlord, `${await pay(lease.tenant)}/confirm`],
  'a rejection': async () => [lease.landlord, `${await pay(lease.tenant)}/reject`, {}],
  'a reversal': async () => [lease.landlord, `${await pay(lease.landlord)}/reverse`, { reason: 'Twice' }],
  'a cleared cheque': async () => [lease.landlord, `${await pay(lease.landlord, 'cheque')}/clear`, {}],
  'a bounced cheque': async () => [lease.landlord, `${await pay(lease.landlord, 'cheque')}/bounce`, {}],
  'a proposed rent': async () => [lease.landlord, `${lease.path}/rent-revisions`, revision()],
  'an accepted rent': async () => [lease.tenant, `${await propose()}/accept`],
  'a declined rent': async () => [lease.tenant, `${await propose()}/decline`],
  'a withdrawn rent': async () => [lease.landlord, `${await propose()}/withdraw`],
  'a proposed settlement': () => settle([], 'landlord', '', { deductions: [] }),
  'an accepted settlement': () => settle(['propose'], 'tenant', '/accept'),
  'a disputed settlement': () => settle(['propose'], 'tenant', '/dispute', { reason: 'Too much' }),
  'a posted settlement': () => settle(['propose', 'accept'], 'landlord', '/post', { refund_method: 'upi' }),
}

/** How many rows the books have, and the events of their agreements. */
async function countRows() {
  const tables = ['charges', 'payments', 'journals', 'rent_revisions', 'agreement_events', 'activities']
  const counts = tables.map(name => sql`(select count(*)::int from ${sql.table(name)}) as ${sql.ref(name)}`)
  const { rows } = await sql`select ${sql.join(counts)}`.execute(getKysely(server.em()))
  return rows[0]
}

test.each(Object.keys(requests))('%s is made once by requests with one Idempotency-Key', async name => {
  const [by, path, body] = await requests[name]!()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const send = () => sendRequest(server, 'POST', path, { token: by.token, body, headers })
  const first = await send()
  expect([200, 201]).toContain(first.status)
  const rows = await countRows()
  const again = await send()
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect(await countRows()).toEqual(rows)
})
