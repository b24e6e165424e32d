import { operation, row, to, type OperationRows } from './row'

const proposed = { payment: 'posted', deposit: 'proposed' } as const
const accepted = { payment: 'posted', deposit: 'accepted' } as const

export const deposits: OperationRows = {
  'GET /agreements/:id/deposit': operation(
    [row(to.parties), row(to.parties, proposed)],
    'none deposits.get',
    { example: { id: '$accepted' } },
  ),
  'GET /agreements/:id/deposit/settlement/pdf': operation(
    [row(to.parties, proposed), row(to.parties, accepted)],
    'none deposits.settlementPdf',
    { example: { id: '$accepted' } },
  ),
  'POST /agreements/:id/deposit/settlement': operation(to.landlordSideCreates, 'once deposits.settle', {
    payment: 'posted',
    deposit: 'held',
    body: {
      deductions: [
        { type: 'electricity', description: 'Electricity of the last month', amount: 1430 },
        { type: 'damage', description: 'Painting', amount: 12000 },
      ],
      refund_method: 'bank_transfer',
    },
    example: { id: '$ended' },
  }),
  'POST /agreements/:id/deposit/settlement/dispute': operation(to.tenantOnly, 'once deposits.dispute', {
    ...proposed,
    sender: 'tenant',
    body: { settlement_id: '$proposal', reason: 'The walls were not painted when I moved in' },
    example: { id: '$rentedEnded' },
  }),
  'POST /agreements/:id/deposit/settlement/accept': operation(to.tenantOnly, 'once deposits.accept', {
    ...proposed,
    sender: 'tenant',
    body: { settlement_id: '$proposal' },
    example: { id: '$rentedEnded' },
  }),
  'POST /agreements/:id/deposit/settlement/post': operation(to.landlordSide, 'once deposits.post', {
    ...accepted,
    body: { reference: '432156789123' },
    example: { id: '$accepted' },
  }),
}
