import { operation, row, to, type OperationRows } from './row'

const ofYear = { query: { year: '$financialYear' } }
const statement = { example: { id: '$let', ...ofYear } }
const beforeAndSinceSigning = [row(to.parties), row(to.parties, { state: 'ACTIVE' })]

export const books: OperationRows = {
  'GET /agreements/:id/statement': operation(beforeAndSinceSigning, 'query statements.get', statement),
  'GET /agreements/:id/statement/pdf': operation(beforeAndSinceSigning, 'query statements.pdf', statement),
  'GET /agreements/:id/rent-proof': operation(beforeAndSinceSigning, 'query statements.rentProof', statement),
  'GET /receipts/:id': operation(to.everyone(404)),
  'GET /books/summary': operation(to.signedIn(200), 'query books.summary', {
    example: { query: { from: '$lastMonth', to: '$nextMonthEnd' } },
  }),
  'GET /books/rent-roll': operation(to.signedIn(200), 'query books.rentRoll', {
    example: { query: { month: '$month' } },
  }),
  'GET /books/arrears': operation(to.signedIn(200), 'none books.arrears'),
  'GET /books/expiring': operation(to.signedIn(200), 'query books.expiring', {
    example: { query: { days: 366 } },
    whole: ['days', 'renewal_id'],
  }),
  'GET /books/annual': operation(
    to.signedIn(200),
    ['query books.annual', 'other books.annualPdf ?format=pdf'],
    {
      takes: [{}],
      example: ofYear,
    },
  ),
}
