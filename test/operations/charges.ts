import { operation, page, to, type OperationRows } from './row'

export const charges: OperationRows = {
  'GET /agreements/:id/schedule': operation(to.parties, 'none charges.schedule', { example: { id: '$let' } }),
  'GET /charges': operation(to.signedIn(200), 'query charges.list', {
    example: { query: { ...page, type: 'rent', pending: true, sort: 'due_date' } },
    shows: ({ charge }) => charge.charge_id,
    reads: ['', '?type=rent&pending=true'],
  }),
  'GET /charges/:id': operation(to.parties, 'none charges.get', { payment: 'posted' }),
  'POST /agreements/:id/charges': operation(to.landlordSideCreates, 'once charges.create', {
    payment: 'posted',
    isRepeatable: true,
    body: {
      type: 'electricity',
      amount: 1430,
      due_date: '$dueDate',
      description: 'Electricity of this month',
      period_start: '$monthStart',
      period_end: '$monthEnd',
    },
    example: { id: '$let' },
  }),
  'POST /charges/:id/credits': operation(to.landlordSideCreates, 'once charges.credit', {
    payment: 'posted',
    isRepeatable: true,
    body: { amount: 500, reason: 'waiver' },
  }),
}
