import * as books from './book-records'
import { find, list, page, type Answer, type Asked } from './pages'
import * as reports from './report-records'

const { charges, deposit, payments, revisions } = books

/** Those of the agreement and the status that are asked for. */
const toList =
  <Item extends { id: number; agreement_id: number; status: string }>(items: Item[]) =>
  ({ query }: Asked) => {
    const agreementId = query.get('agreement_id')
    return list(
      items.filter(({ agreement_id }) => !agreementId || String(agreement_id) === agreementId),
      query,
    )
  }

/** What a change makes of a payment. */
const change =
  (changes: object) =>
  ({ id, body }: Asked) => {
    const payment = find(payments, id)
    const { reason } = body
    return payment && { ...payment, ...changes, ...(reason !== undefined && { reversal_reason: reason }) }
  }
const posted = { status: 'posted', receipt_number: 'RCT-2026-27-000003', posted_at: '2026-12-12T06:00:00Z' }

function createCharge({ body }: Asked) {
  const { amount } = body
  const sums = { amount, amount_paid: 0, amount_credited: 0, amount_outstanding: amount }
  return {
    ...charges[4],
    agreement_id: 31,
    property_unit_id: 11,
    description: 'Electricity',
    ...body,
    ...sums,
  }
}
function creditCharge({ id, body }: Asked) {
  const charge = find(charges, id)
  const amount_credited = Number(body.amount)
  return (
    charge && {
      ...charge,
      amount_credited,
      amount_outstanding: charge.amount - charge.amount_paid - amount_credited,
    }
  )
}

const allocate = ({ id, body }: Asked) => {
  const payment = find(payments, id)
  const allocations = body.allocations as { amount: number }[]
  const applied = allocations.reduce((sum, { amount }) => sum + amount, 0)
  return payment && { ...payment, allocations, unapplied_amount: payment.amount - applied }
}

export const bookAnswers: Answer[] = [
  [/^GET \/charges$/, toList(charges)],
  [/^GET \/charges\/([\w-]+)$/, ({ id }) => find(charges, id)],
  [/^POST \/charges\/(\d+)\/credits$/, creditCharge],
  [/^POST \/agreements\/31\/charges$/, createCharge],
  [/^GET \/agreements\/31\/schedule$/, () => books.schedule],
  [/^GET \/agreements\/32\/schedule$/, () => ({ instalments: [], total_rent: 0 })],
  [/^GET \/payments$/, toList(payments)],
  [/^GET \/payments\/([\w-]+)$/, ({ id }) => find(payments, id)],
  [/^POST \/agreements\/31\/payments$/, ({ body }) => ({ ...payments[0], ...body, unapplied_amount: 0 })],
  [/^POST \/payments\/(\d+)\/(?:confirm|clear)$/, change(posted)],
  [/^POST \/payments\/(\d+)\/reject$/, change({ status: 'rejected' })],
  [/^POST \/payments\/(\d+)\/bounce$/, change({ status: 'bounced' })],
  [/^POST \/payments\/(\d+)\/reverse$/, change({ status: 'reversed', allocations: [] })],
  [/^PUT \/payments\/(\d+)\/allocations$/, allocate],
  [/^POST \/agreements\/31\/refunds$/, ({ body }) => ({ ...books.refund, ...body })],
  [/^GET \/agreements\/31\/tds$/, () => books.tds],
  [/^GET \/agreements\/31\/statement$/, () => reports.statement],
  [/^GET \/agreements\/31\/rent-revisions$/, () => page(revisions)],
  [/^GET \/agreements\/32\/rent-revisions$/, () => page([])],
  [/^POST \/agreements\/31\/rent-revisions$/, ({ body }) => ({ ...revisions[0], ...body })],
  [
    /^POST \/agreements\/31\/rent-revisions\/91\/accept$/,
    () => ({ ...revisions[1], id: 91, source: 'landlord' }),
  ],
  [
    /^POST \/agreements\/31\/rent-revisions\/91\/decline$/,
    () => ({ ...revisions[1], id: 91, source: 'landlord', status: 'declined' }),
  ],
  [/^GET \/agreements\/31\/deposit$/, () => deposit],
  [/^GET \/agreements\/32\/deposit$/, () => ({ ...deposit, agreement_id: 32, settlement: null })],
  [/^POST \/agreements\/31\/deposit\/settlement/, () => deposit.settlement],
  [/^GET \/books\/summary$/, () => reports.summary],
  [/^GET \/books\/rent-roll$/, () => reports.rentRoll],
  [/^GET \/books\/arrears$/, () => reports.arrears],
  [/^GET \/books\/annual$/, () => reports.annual],
]
