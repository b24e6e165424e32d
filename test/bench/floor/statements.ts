import { requireRow, type Incoming, type Row } from './http'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const getYear = (request: Incoming) => Number(/year=(\d{4})/.exec(request.url)![1])
export const getFirstDay = (request: Incoming) => `${getYear(request)}-04-01`
export const getLastDay = (request: Incoming) => `${getYear(request) + 1}-03-31`

export function toStatement(row: Row, request: Incoming) {
  const { agreement_id, agreement_number, opening, entries, deposit } = requireRow(row)
  let balance = toPaise(opening)
  let [debits, credits] = [0, 0]
  const lines = entries.map((entry: Row) => {
    const amount = toPaise(entry.amount)
    balance += amount
    if (amount > 0) debits += amount
    else credits -= amount
    return {
      date: entry.effective_on,
      kind: entry.kind,
      description: describe(entry),
      charge_id: entry.charge_id,
      payment_id: entry.payment_id,
      debit: Math.max(amount, 0) / 100,
      credit: Math.max(-amount, 0) / 100,
      balance: balance / 100,
    }
  })
  const data = {
    agreement_id,
    agreement_number,
    from: getFirstDay(request),
    to: getLastDay(request),
    opening_balance: opening,
    lines,
    total_debit: debits / 100,
    total_credit: credits / 100,
    closing_balance: balance / 100,
    deposit,
  }
  return { success: true, message: 'Statement', data }
}

const toPaise = (rupees: number) => Math.round(rupees * 100)

function describe({ kind, description, period_start, period_end, reference, receipt_number }: Row) {
  if (kind === 'payment') return `Payment by UPI ${reference}, receipt ${receipt_number}`
  return period_start ? `${description}, ${toDay(period_start)} – ${toDay(period_end)}` : description
}

function toDay(date: string) {
  const [year, month, day] = date.split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`
}
