import { describe, expect, test } from 'bun:test'
import { createClients, type Clients } from './calls'
import { createStubServer } from './stub-server'

const metadata = { page: 1, limit: 50, total: 0, total_pages: 1 }
const emptyPage = () => Response.json({ success: true, data: [], metadata })

type Call = (clients: Clients, input: never) => Promise<unknown>

const reads: [address: string, call: Call][] = [
  ['properties', ({ properties }, query) => properties.list(query)],
  ['properties/search', ({ properties }, query) => properties.search(query)],
  ['properties/3/units', ({ units }, query) => units.list(3, query)],
  ['tenants', ({ tenants }, query) => tenants.list(query)],
  ['agreements', ({ agreements }, query) => agreements.list(query)],
  ['agreements/7/document', ({ agreements }, query) => agreements.document(7, query)],
  ['charges', ({ charges }, query) => charges.list(query)],
  ['payments', ({ payments }, query) => payments.list(query)],
  ['agreements/7/tds', ({ payments }, query) => payments.tds(7, query)],
  ['agreements/7/statement', ({ statements }, query) => statements.get(7, query)],
  ['agreements/7/statement/pdf', ({ statements }, query) => statements.pdf(7, query)],
  ['agreements/7/rent-proof', ({ statements }, query) => statements.rentProof(7, query)],
  ['agreements/7/rent-revisions', ({ rentRevisions }, query) => rentRevisions.list(7, query)],
  ['books/summary', ({ books }, query) => books.summary(query)],
  ['books/rent-roll', ({ books }, query) => books.rentRoll(query)],
  ['books/annual', ({ books }, query) => books.annual(query)],
  ['operations/webhooks', ({ operations }, query) => operations.webhooks(query)],
  ['operations/invitations', ({ operations }, query) => operations.invitations(query)],
  ['sandbox/messages', ({ sandbox }, query) => sandbox.messages(query)],
]

test.each(reads)('GET /%s has the query of its call', async (address, call) => {
  using server = createStubServer(emptyPage)
  await call(createClients({ baseUrl: server.url }), { limit: 5, sort: 'id' } as never)
  expect(server.requests).toMatchObject([{ method: 'GET', path: `/${address}?limit=5&sort=id` }])
})

test('a year is asked for as a PDF', async () => {
  using server = createStubServer(() => new Response('%PDF-1.7'))
  await createClients({ baseUrl: server.url }).books.annualPdf({ year: '2026-27' })
  expect(server.requests[0]!.path).toBe('/books/annual?year=2026-27&format=pdf')
})

const plain: [address: string, call: Call][] = [
  ['GET /auth/me', ({ auth }) => auth.me()],
  ['GET /auth/me/export', ({ auth }) => auth.exportMyData()],
  ['GET /dashboard', ({ dashboard }) => dashboard.get()],
  ['GET /properties/3', ({ properties }) => properties.get(3)],
  ['DELETE /properties/3', ({ properties }) => properties.delete(3)],
  ['GET /properties/3/units/5', ({ units }) => units.get(3, 5)],
  ['DELETE /properties/3/units/5', ({ units }) => units.delete(3, 5)],
  ['GET /agreements/7', ({ agreements }) => agreements.get(7)],
  ['DELETE /agreements/7', ({ agreements }) => agreements.delete(7)],
  ['GET /agreements/7/signatures', ({ agreements }) => agreements.signatures(7)],
  ['GET /agreements/7/timeline', ({ agreements }) => agreements.timeline(7)],
  ['GET /agreements/7/certificate', ({ agreements }) => agreements.certificate(7)],
  ['GET /agreements/7/schedule', ({ charges }) => charges.schedule(7)],
  ['GET /charges/31', ({ charges }) => charges.get(31)],
  ['GET /payments/12', ({ payments }) => payments.get(12)],
  ['GET /payments/12/receipt', ({ payments }) => payments.receipt(12)],
  ['GET /agreements/7/deposit', ({ deposits }) => deposits.get(7)],
  ['GET /agreements/7/deposit/settlement/pdf', ({ deposits }) => deposits.settlementPdf(7)],
  ['GET /books/arrears', ({ books }) => books.arrears()],
  ['GET /operations/jobs', ({ operations }) => operations.jobs()],
  ['DELETE /operations/invitations/3', ({ operations }) => operations.cancelInvitation(3)],
  ['GET /sandbox/control', ({ sandbox }) => sandbox.state()],
  ['DELETE /sandbox/control/faults/f', ({ sandbox }) => sandbox.removeFault('f')],
  ['DELETE /sandbox/control/faults', ({ sandbox }) => sandbox.clearFaults()],
]

test.each(plain)('%s has no body', async (address, call) => {
  using server = createStubServer(emptyPage)
  await call(createClients({ baseUrl: server.url }), undefined as never)
  const [{ method, path, body, idempotencyKey }] = server.requests as [(typeof server.requests)[0]]
  expect([`${method} ${path}`, body ?? null, idempotencyKey]).toEqual([address, null, null])
})

/** What the server does once for an idempotency key. */
const once: [address: string, call: Call][] = [
  ['POST /properties', ({ properties }, body) => properties.create(body)],
  ['POST /properties/3/units', ({ units }, body) => units.create(3, body)],
  ['POST /agreements', ({ agreements }, body) => agreements.create(body)],
  ['POST /agreements/7/revise', ({ agreements }, body) => agreements.revise(7, body)],
  ['POST /agreements/7/renew', ({ agreements }, body) => agreements.renew(7, body)],
  ['POST /agreements/7/sign', ({ agreements }, body) => agreements.sign(7, body)],
  ['POST /agreements/7/decline', ({ agreements }, body) => agreements.decline(7, body)],
  ['POST /agreements/7/terminate', ({ agreements }, body) => agreements.terminate(7, body)],
  ['POST /agreements/7/charges', ({ charges }, body) => charges.create(7, body)],
  ['POST /charges/31/credits', ({ charges }, body) => charges.credit(31, body)],
  ['POST /agreements/7/payments', ({ payments }, body) => payments.create(7, body)],
  ['POST /payments/12/confirm', ({ payments }, body) => payments.confirm(12, body)],
  ['POST /payments/12/reject', ({ payments }, body) => payments.reject(12, body)],
  ['POST /payments/12/clear', ({ payments }, body) => payments.clear(12, body)],
  ['POST /payments/12/bounce', ({ payments }, body) => payments.bounce(12, body)],
  ['POST /payments/12/reverse', ({ payments }, body) => payments.reverse(12, body)],
  ['POST /agreements/7/refunds', ({ payments }, body) => payments.refund(7, body)],
  ['POST /agreements/7/deposit/settlement', ({ deposits }, body) => deposits.settle(7, body)],
  ['POST /agreements/7/deposit/settlement/accept', ({ deposits }, body) => deposits.accept(7, body)],
  ['POST /agreements/7/deposit/settlement/dispute', ({ deposits }, body) => deposits.dispute(7, body)],
  ['POST /agreements/7/deposit/settlement/post', ({ deposits }, body) => deposits.post(7, body)],
  ['POST /agreements/7/rent-revisions', ({ rentRevisions }, body) => rentRevisions.propose(7, body)],
]
const bare: [address: string, call: Call][] = [
  ['POST /profile/ekyc', ({ profile }) => profile.startKyc()],
  ['POST /properties/3/units/5/resign', ({ units }) => units.resign(3, 5)],
  ['POST /agreements/7/complete', ({ agreements }) => agreements.complete(7)],
  ['POST /agreements/7/signatures/9/cancel', ({ agreements }) => agreements.cancelSignature(7, 9)],
  ['POST /agreements/7/rent-revisions/3/accept', ({ rentRevisions }) => rentRevisions.accept(7, 3)],
  ['POST /agreements/7/rent-revisions/3/decline', ({ rentRevisions }) => rentRevisions.decline(7, 3)],
  ['POST /agreements/7/rent-revisions/3/withdraw', ({ rentRevisions }) => rentRevisions.withdraw(7, 3)],
]
const others: [address: string, call: Call][] = [
  ['PATCH /properties/3', ({ properties }, body) => properties.update(3, body)],
  ['PATCH /properties/3/units/5', ({ units }, body) => units.update(3, 5, body)],
  ['PATCH /agreements/7', ({ agreements }, body) => agreements.update(7, body)],
  ['PATCH /payments/12', ({ payments }, body) => payments.update(12, body)],
  ['PUT /payments/12/allocations', ({ payments }, body) => payments.allocate(12, body)],
  ['POST /auth/logout', ({ auth }, body) => auth.logout(body)],
  ['POST /operations/invitations', ({ operations }, body) => operations.invite(body)],
  ['POST /sandbox/control/faults', ({ sandbox }, body) => sandbox.addFault(body)],
  ['POST /sandbox/control/clock', ({ sandbox }, body) => sandbox.moveClock(body)],
]

describe('a change', () => {
  const send = async (call: Call) => {
    using server = createStubServer(emptyPage)
    await call(createClients({ baseUrl: server.url }), { note: 'n' } as never)
    const [{ method, path, body, idempotencyKey }] = server.requests as [(typeof server.requests)[0]]
    return [`${method} ${path}`, body, idempotencyKey]
  }

  test.each(once)('%s sends its body, with an idempotency key', async (address, call) => {
    expect(await send(call)).toEqual([address, { note: 'n' }, expect.stringMatching(/^[\da-f-]{36}$/)])
  })

  test.each(bare)('%s has nothing to say, but an idempotency key', async (address, call) => {
    const [sentTo, , key] = await send(call)
    expect([sentTo, key]).toEqual([address, expect.stringMatching(/^[\da-f-]{36}$/)])
  })

  test.each(others)('%s sends its body without one', async (address, call) => {
    expect(await send(call)).toEqual([address, { note: 'n' }, null])
  })
})
