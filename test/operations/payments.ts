import type { Fixture } from './fixture'
import { byUuid, operation, page, row, to, type OperationRows } from './row'

const refundIn = async ({ owner, agreement }: Fixture) =>
  (await owner.post(`/agreements/${agreement.id}/refunds`, { amount: 10, method: 'upi' })).data

export const payments: OperationRows = {
  'GET /payments': operation(to.signedIn(200), 'query payments.list', {
    example: { query: { ...page, status: 'posted', sort: '-paid_on' } },
    shows: ({ payment }) => payment.payment_id,
  }),
  'GET /payments/:id': operation(to.parties, 'none payments.get', { payment: 'reported' }),
  'GET /payments/:id/receipt': operation(
    [row(to.parties, { payment: 'posted' }), row(to.nobody, { payment: 'reported' })],
    'none payments.receipt',
  ),
  'PATCH /payments/:id': operation(to.landlordSide, 'body payments.update', {
    payment: 'posted',
    body: {},
    example: { id: '$taxed', body: { tds_certificate_number: 'ABCD1234E' } },
  }),
  'PUT /payments/:id/allocations': operation(to.landlordSide, 'body payments.allocate', {
    payment: 'posted',
    body: { allocations: [{ charge_id: '$charge', amount: 4000 }] },
  }),
  'POST /agreements/:id/payments': operation(to.partiesCreate, 'once payments.create', {
    payment: 'posted',
    isRepeatable: true,
    body: { amount: 500, method: 'cash', paid_on: '2026-01-01' },
    example: { id: '$let', body: { amount: 25000, method: 'upi', reference: '432156789099' } },
  }),
  'POST /payments/:id/confirm': operation([row(to.landlordSide, byUuid)], 'once payments.confirm', {
    payment: 'reported',
    body: {},
    example: { id: '$reported' },
  }),
  'POST /payments/:id/reject': operation(to.landlordSide, 'once payments.reject', {
    payment: 'reported',
    body: { reason: 'It did not arrive' },
    example: { id: '$doubtful' },
  }),
  'POST /payments/:id/clear': operation(to.landlordSide, 'once payments.clear', {
    payment: 'pending',
    body: {},
    example: { id: '$cheque' },
  }),
  'POST /payments/:id/bounce': operation(to.landlordSide, 'once payments.bounce', {
    payment: 'pending',
    body: { reason: 'Insufficient funds', charge_amount: 500 },
    example: { id: '$badCheque' },
  }),
  'POST /payments/:id/reverse': operation(to.landlordSide, 'once payments.reverse', {
    payment: 'posted',
    body: { reason: 'Entered for the wrong lease' },
    example: { id: '$mistaken' },
  }),
  'POST /agreements/:id/refunds': operation(to.landlordSideCreates, 'once payments.refund', {
    payment: 'posted',
    isRepeatable: true,
    body: { amount: 1000, method: 'upi', reference: '432156789100' },
    example: { id: '$let' },
  }),
  'GET /agreements/:id/refunds': operation(to.parties, 'query payments.refunds', {
    payment: 'posted',
    example: { id: '$let', query: { ...page, status: 'posted' } },
    shows: async fixture => (await refundIn(fixture)).refund_id,
  }),
  'POST /refunds/:id/reverse': operation(to.landlordSide, 'once payments.reverseRefund', {
    payment: 'posted',
    prepare: async fixture => ({ refund: await refundIn(fixture) }),
    body: { reason: 'Entered for the wrong lease' },
    example: { id: '$refund' },
  }),
  'GET /agreements/:id/tds': operation(to.parties, 'query payments.tds', {
    example: { id: '$let', query: { year: '$financialYear' } },
  }),
}
