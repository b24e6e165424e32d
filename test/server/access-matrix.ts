import type { AgreementFixture } from '../support/agreement-fixture'
import { settlementInput } from '../support/books/deposit-fixture'
import { newRequest, PDF } from '../support/maintenance-fixture'
import { agreementTerms, freshPhone } from '../support/users'
import { everyone, row, signedIn, type Row, type Users } from './access-callers'

const empty = { body: () => ({}) }
const raise = { body: (_: Users, { unit }: AgreementFixture) => newRequest(unit.id) }
const comment = { body: () => ({ text: 'On Tuesday' }) }
const file = { body: () => PDF }
const answerProposal: Row['body'] = (_, { settlement_id }) => ({ settlement_id, reason: 'Too much' })
const byUuid = { byUuid: true } as const
const landlordSide = [401, 404, 200, 200, 403, 404]
const landlordSideCreates = [401, 404, 201, 201, 403, 404]
const parties = [401, 404, 200, 200, 200, 404]
const posted = { payment: 'posted' } as const
const repeatable = { isRepeatable: true } as const
const repeatablyPosted = { ...posted, ...repeatable }
const tenantOnly = [401, 404, 403, 403, 200, 404]
const partiesCreate = [401, 404, 201, 201, 201, 404]
const current = { request: 'current' } as const
const former = { request: 'former' } as const

/** The statuses of each route, for the related callers in their order. */
export const matrix: Record<string, Row[]> = {
  'POST /webhooks/esign': [everyone(401, empty)],
  'POST /webhooks/ekyc': [everyone(400, empty)],
  'GET /operations/webhooks': [everyone(404)],
  'POST /operations/webhooks/:id/replay': [everyone(404, empty)],
  'GET /metrics': [everyone(404)],
  'GET /operations/jobs': [everyone(404)],
  'POST /operations/invitations': [everyone(404, empty)],
  'GET /operations/invitations': [everyone(404)],
  'DELETE /operations/invitations/:id': [everyone(404)],
  'GET /health': [everyone(200)],
  'GET /health/live': [everyone(200)],
  'GET /health/ready': [everyone(200)],
  'POST /auth': [everyone(400, empty)],
  'POST /auth/verify': [everyone(400, empty)],
  'POST /auth/send-otp': [everyone(400, empty)],
  'POST /auth/login': [everyone(400, empty)],
  'GET /auth/me': [signedIn(200)],
  'GET /auth/me/export': [signedIn(200)],
  'DELETE /auth/me': [signedIn(401, { body: () => ({ otp: '000000' }) })],
  'POST /auth/logout': [signedIn(200, { endsSession: true })],
  'PUT /profile/complete': [
    signedIn(200, {
      inactive: 404,
      body: () => ({ first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }),
    }),
  ],
  'POST /profile/ekyc': [row([401, 200, 400, 200, 200, 200], { inactive: 404, ...empty })],
  'POST /profile/ekyc/complete': [signedIn(400, { inactive: 404, body: () => ({ verification_id: 'x' }) })],
  'GET /dashboard': [row([401, 403, 200, 403, 403, 403])],
  'GET /properties': [signedIn(200)],
  'GET /properties/search': [signedIn(200, { query: '?name=White%20House&pin_code=560048' })],
  'GET /properties/:id': [
    row([401, 404, 200, 200, 404, 404], { coLandlord: 200 }),
    row([401, 404, 200, 200, 404, 404], { coLandlord: 200, ...byUuid }),
  ],
  'POST /properties': [signedIn(201, { body: () => ({ pin_code: 560048, property_type: 'pg' }) })],
  'PATCH /properties/:id': [row([401, 404, 200, 403, 404, 404], { coLandlord: 403, ...empty })],
  'DELETE /properties/:id': [row([401, 404, 200, 403, 404, 404], { coLandlord: 403 })],
  'GET /properties/:id/units': [row([401, 404, 200, 200, 404, 404], { coLandlord: 200 })],
  'GET /properties/:id/units/:unitId': [
    row([401, 404, 200, 200, 404, 404]),
    row([401, 404, 200, 200, 404, 404], byUuid),
  ],
  'POST /properties/:id/units': [
    row([401, 404, 201, 403, 404, 404], { coLandlord: 201, body: () => ({ unit_name: 'B' }) }),
    signedIn(201, { body: () => ({ unit_name: 'B' }), ...byUuid, ...repeatable }),
  ],
  'PATCH /properties/:id/units/:unitId': [
    row([401, 404, 200, 200, 404, 404], { body: () => ({ unit_notes: 'x' }), ...repeatable }),
    row([401, 404, 200, 403, 404, 404], { body: () => ({ managed_by_id: null }) }),
  ],
  'DELETE /properties/:id/units/:unitId': [row([401, 404, 200, 403, 404, 404])],
  'POST /properties/:id/units/:unitId/resign': [
    row([401, 404, 403, 200, 404, 404], empty),
    row([401, 404, 403, 200, 404, 404], { ...empty, ...byUuid }),
  ],
  'GET /tenants': [signedIn(200)],
  'POST /tenants': [signedIn(201, { body: () => ({ phone_number: freshPhone() }) })],
  'GET /agreements': [signedIn(200)],
  'GET /agreements/:id': [row(parties), row(parties, byUuid)],
  'GET /agreements/:id/signatures': [row(parties), row(parties, byUuid)],
  'GET /agreements/:id/timeline': [row(parties), row(parties, byUuid)],
  'GET /agreements/:id/certificate': [
    row(parties, { state: 'ACTIVE' }),
    row(parties, { state: 'ACTIVE', ...byUuid }),
    row([401, 404, 404, 404, 404, 404]),
  ],
  'GET /agreements/:id/document': [
    row(parties, { state: 'ACTIVE' }),
    row(parties, { state: 'ACTIVE', ...byUuid }),
    row([401, 404, 404, 404, 404, 404]),
  ],
  'POST /agreements': [
    row([401, 404, 201, 201, 404, 404], {
      body: (users, { unit }) => agreementTerms(unit.id, [users['the tenant'].id]),
    }),
  ],
  'PATCH /agreements/:id': [row(landlordSide, { ...empty, ...repeatable })],
  'DELETE /agreements/:id': [row(landlordSide)],
  'POST /agreements/:id/sign': [
    row(parties, { body: users => ({ signer_id: users['the tenant'].id }) }),
    ...(['the landlord', 'the manager'] as const).map(signer =>
      row(landlordSide, { body: users => ({ signer_id: users[signer].id }) }),
    ),
    row([401, 404, 403, 403, 403, 404], { body: users => ({ signer_id: users['another tenant'].id }) }),
  ],
  'POST /agreements/:id/decline': [
    row(parties, empty),
    row([401, 404, 200, 403, 200, 404], { state: 'PENDING', ...byUuid, ...empty }),
    row([401, 404, 403, 403, 400, 404], { state: 'ACTIVE', ...empty }),
  ],
  'POST /agreements/:id/terminate': [row(landlordSide, { state: 'PENDING', ...empty })],
  'POST /agreements/:id/revise': [row([401, 404, 201, 201, 403, 404], { state: 'PENDING', ...empty })],
  'POST /agreements/:id/signatures/:signatureId/cancel': [row(landlordSide, { state: 'PENDING', ...empty })],
  'POST /agreements/:id/complete': [row(landlordSide, { state: 'TERMINATED', ...empty })],
  'GET /agreements/:id/schedule': [row(parties), row(parties, byUuid)],
  'GET /charges': [signedIn(200)],
  'GET /charges/:id': [row(parties, posted), row(parties, { ...posted, ...byUuid })],
  'POST /agreements/:id/charges': [
    row(landlordSideCreates, {
      ...repeatablyPosted,
      body: () => ({ type: 'water', amount: 300, due_date: '2026-12-10' }),
    }),
  ],
  'POST /charges/:id/credits': [
    row(landlordSideCreates, { ...repeatablyPosted, body: () => ({ amount: 1, reason: 'waiver' }) }),
  ],
  'GET /payments': [signedIn(200)],
  'GET /payments/:id': [
    row(parties, { payment: 'reported' }),
    row(parties, { payment: 'reported', ...byUuid }),
  ],
  'GET /payments/:id/receipt': [
    row(parties, posted),
    row(parties, { ...posted, ...byUuid }),
    row([401, 404, 404, 404, 404, 404], { payment: 'reported' }),
  ],
  'GET /agreements/:id/statement': [
    row(parties, { state: 'ACTIVE' }),
    row(parties, { state: 'ACTIVE', ...byUuid }),
    row(parties),
  ],
  'GET /agreements/:id/statement/pdf': [row(parties, { state: 'ACTIVE' }), row(parties, byUuid)],
  'GET /agreements/:id/rent-proof': [row(parties, { state: 'ACTIVE' }), row(parties, byUuid)],
  'GET /receipts/:id': [everyone(404)],
  'POST /agreements/:id/payments': [
    row([401, 404, 201, 201, 201, 404], {
      ...repeatablyPosted,
      body: () => ({ amount: 500, method: 'cash', paid_on: '2026-01-01' }),
    }),
  ],
  'POST /agreements/:id/refunds': [
    row(landlordSideCreates, {
      ...repeatablyPosted,
      body: () => ({ amount: 500, method: 'cash', refunded_on: '2026-01-02' }),
    }),
  ],
  'POST /payments/:id/confirm': [row(landlordSide, { payment: 'reported', ...byUuid })],
  'PATCH /payments/:id': [row(landlordSide, { ...repeatablyPosted, ...empty })],
  'POST /payments/:id/reject': [row(landlordSide, { payment: 'reported', ...empty })],
  'POST /payments/:id/clear': [row(landlordSide, { payment: 'pending', ...empty })],
  'POST /payments/:id/bounce': [row(landlordSide, { payment: 'pending', ...empty })],
  'POST /payments/:id/reverse': [row(landlordSide, { ...posted, body: () => ({ reason: 'A mistake' }) })],
  'PUT /payments/:id/allocations': [row(landlordSide, { ...posted, body: () => ({ allocations: [] }) })],
  'GET /agreements/:id/rent-revisions': [row(parties), row(parties, byUuid)],
  'POST /agreements/:id/rent-revisions': [
    row(landlordSideCreates, {
      ...posted,
      body: () => ({ rent_amount: 26_000, effective_on: '2027-04-01' }),
    }),
  ],
  'POST /agreements/:id/rent-revisions/:revisionId/accept': [
    row([401, 404, 403, 403, 404, 404], { ...posted, ...empty }),
  ],
  'POST /agreements/:id/rent-revisions/:revisionId/decline': [
    row([401, 404, 403, 403, 404, 404], { ...posted, ...empty }),
  ],
  'POST /agreements/:id/rent-revisions/:revisionId/withdraw': [
    row([401, 404, 404, 404, 403, 404], { ...posted, ...empty }),
  ],
  'POST /agreements/:id/renew': [row(landlordSideCreates, { state: 'ACTIVE', ...empty })],
  'GET /agreements/:id/tds': [row(parties), row(parties, byUuid)],
  'GET /books/summary': [signedIn(200)],
  'GET /books/rent-roll': [signedIn(200)],
  'GET /books/arrears': [signedIn(200)],
  'GET /books/annual': [signedIn(200)],
  'GET /agreements/:id/deposit': [row(parties), row(parties, { ...posted, deposit: 'proposed', ...byUuid })],
  'GET /agreements/:id/deposit/settlement/pdf': [
    row(parties, { ...posted, deposit: 'proposed' }),
    row(parties, { ...posted, deposit: 'accepted', ...byUuid }),
  ],
  'POST /agreements/:id/deposit/settlement': [
    row(landlordSideCreates, { ...posted, deposit: 'held', body: () => settlementInput }),
  ],
  'POST /agreements/:id/deposit/settlement/accept': [
    row(tenantOnly, { ...posted, deposit: 'proposed', body: answerProposal }),
  ],
  'POST /agreements/:id/deposit/settlement/dispute': [
    row(tenantOnly, { ...posted, deposit: 'proposed', body: answerProposal }),
  ],
  'POST /agreements/:id/deposit/settlement/post': [
    row(landlordSide, { ...posted, deposit: 'accepted', ...empty }),
  ],
  'GET /maintenance-requests': [signedIn(200)],
  'POST /maintenance-requests': [
    row(partiesCreate, { state: 'ACTIVE', ...raise, ...repeatable }),
    row([401, 404, 201, 201, 404, 404], { ...raise, ...repeatable }),
    row([401, 404, 201, 201, 404, 404], { state: 'TERMINATED', ...raise, ...repeatable }),
  ],
  'GET /maintenance-requests/:id': [
    row(parties, current),
    row(parties, { ...current, ...byUuid }),
    row(parties, former),
  ],
  'PATCH /maintenance-requests/:id': [
    row(landlordSide, { ...current, ...repeatable, body: () => ({ priority: 'high' }) }),
    row(tenantOnly, { ...current, ...byUuid, body: () => ({ title: 'The tap drips' }) }),
    row(landlordSide, { ...former, ...repeatable, ...empty }),
  ],
  'POST /maintenance-requests/:id/status': [
    row(landlordSide, { ...current, body: () => ({ status: 'acknowledged' }) }),
    row(tenantOnly, { ...current, ...byUuid, body: () => ({ status: 'cancelled' }) }),
    row([401, 404, 403, 403, 403, 404], { ...former, body: () => ({ status: 'cancelled' }) }),
  ],
  'GET /maintenance-requests/:id/comments': [
    row(parties, current),
    row(parties, { ...current, ...byUuid }),
    row(parties, former),
  ],
  'POST /maintenance-requests/:id/comments': [
    row(partiesCreate, { ...current, ...repeatable, ...comment }),
    row(landlordSideCreates, { ...current, ...byUuid, body: () => ({ text: 'x', is_internal: true }) }),
    row(landlordSideCreates, { ...former, ...repeatable, ...comment }),
  ],
  'POST /maintenance-requests/:id/attachments': [
    row(partiesCreate, { ...current, ...repeatable, ...file }),
    row(partiesCreate, { ...current, ...byUuid, ...file }),
    row(landlordSideCreates, { ...former, ...repeatable, ...file }),
  ],
  'GET /maintenance-requests/:id/attachments/:attachmentId': [
    row(parties, current),
    row(parties, { ...current, ...byUuid }),
    row(parties, former),
  ],
  'DELETE /maintenance-requests/:id/attachments/:attachmentId': [
    row(tenantOnly, current),
    row(tenantOnly, { ...current, ...byUuid }),
    row(tenantOnly, former),
  ],
  'GET /signed': [everyone(200)],
  'GET /verified': [everyone(200)],
  'POST /sandbox/whatsapp/:phoneNumberId/messages': [everyone(401, empty)],
  'GET /sandbox/messages': [everyone(200)],
  'GET /sandbox/control': [everyone(200)],
  'POST /sandbox/control/faults': [everyone(400, empty)],
  'DELETE /sandbox/control/faults/:id': [everyone(404)],
  'DELETE /sandbox/control/faults': [everyone(200)],
  'POST /sandbox/control/clock': [everyone(400, empty)],
  'POST /sandbox/control/ekyc': [everyone(400, empty)],
  'POST /sandbox/control/signatures/:id': [everyone(404, { body: () => ({ outcome: 'sign' }) })],
  'POST /sandbox/control/checks/:id': [everyone(404, { body: () => ({ outcome: 'approve' }) })],
  'GET /sandbox': [everyone(200)],
  'GET /sandbox/files/:id': [everyone(404)],
  'GET /sandbox/files/sample-lease.pdf': [everyone(200)],
  'POST /sandbox/esign/api/esign': [everyone(401, empty)],
  'GET /sandbox/esign/api/esign/:id': [everyone(401)],
  'GET /sandbox/esign/api/esign/:id/pdf': [everyone(401)],
  'POST /sandbox/esign/api/esign/:id/delete/': [everyone(401, empty)],
  'POST /sandbox/esign/api/documents': [everyone(401)],
  'POST /sandbox/esign/api/signature': [everyone(401, empty)],
  'GET /sandbox/esign/api/signature/:id': [everyone(401)],
  'GET /sandbox/esign/api/signature/:id/download/': [everyone(401)],
  'POST /sandbox/esign/api/signature/:id/delete/': [everyone(401, empty)],
  'GET /sandbox/sign/:id': [everyone(404)],
  'GET /sandbox/sign/:id/document.pdf': [everyone(404)],
  'GET /sandbox/sign/:id/signed.pdf': [everyone(404)],
  'POST /sandbox/sign/:id/:outcome': [everyone(404)],
  'POST /sandbox/ekyc/api/ekyc/': [everyone(401, empty)],
  'GET /sandbox/ekyc/api/ekyc/:id': [everyone(401)],
  'GET /sandbox/verify/:id': [everyone(404)],
  'POST /sandbox/verify/:id/:outcome': [everyone(404)],
  'GET /openapi.json': [everyone(200)],
  'GET /openapi/a.json': [everyone(200)],
  'GET /openapi/b.json': [everyone(200)],
  'GET /': [everyone(200)],
  'GET /docs': [everyone(200)],
  'GET /docs/:guide': [everyone(404)],
  'GET /assets/:file': [everyone(404)],
  'GET /favicon.svg': [everyone(200)],
  'GET /favicon.ico': [everyone(200)],
}
