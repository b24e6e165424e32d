import type { Statement, StatementLine } from '@kiraya/sdk/contract'
import { formatAmount, formatDate, formatRupees } from '../../pdf/formats'
import { CONTENT_WIDTH, PdfLayout } from '../../pdf/layout'
import {
  addDescriptionList,
  addHeading,
  addNote,
  addTable,
  addTitle,
  finishDocument,
  type TableColumn,
} from '../../pdf/sections'
import { describeLease, describeParties } from './descriptions'
import type { LeaseParties } from './parties'

const AMOUNT_WIDTH = 78
const toAmountColumn = (title: string, place: number): TableColumn => ({
  title,
  x: CONTENT_WIDTH - place * AMOUNT_WIDTH + 6,
  width: AMOUNT_WIDTH - 6,
  align: 'right',
})

const columns: TableColumn[] = [
  { title: 'Date', x: 0, width: 58 },
  { title: 'Entry', x: 62, width: CONTENT_WIDTH - 62 - 3 * AMOUNT_WIDTH },
  toAmountColumn('Due (₹)', 3),
  toAmountColumn('Paid (₹)', 2),
  toAmountColumn('Balance (₹)', 1),
]

/** A statement of account as a PDF; the same data gives the same bytes. */
export async function renderStatement(statement: Statement, parties: LeaseParties): Promise<Uint8Array> {
  const { agreement_number, from, to, lines } = statement
  const period = `${formatDate(from)} to ${formatDate(to)}`
  const page = new PdfLayout({
    title: `Statement of agreement ${agreement_number}, ${period}`,
    createdAt: new Date(`${to}T00:00:00Z`),
  })
  addTitle(page, 'Statement of account', period)
  addDescriptionList(page, [...describeParties(parties), ...describeLease(parties)])
  addHeading(page, 'The account')
  addTable(page, columns, [toOpening(statement), ...lines.map(toRow)], [toClosing(statement)])
  page.addSpace(8)
  addNote(page, 'A balance is what the tenant owes; one marked Cr is an advance of the tenant.')
  addDeposit(page, statement)
  return finishDocument(page, `Statement by Kiraya · Agreement ${agreement_number} · ${period}`)
}

const toOpening = ({ from, opening_balance }: Statement) => [
  formatDate(from),
  'Opening balance',
  '',
  '',
  formatBalance(opening_balance),
]

const toRow = ({ date, description, debit, credit, balance }: StatementLine) => [
  formatDate(date),
  description,
  debit ? formatAmount(debit) : '',
  credit ? formatAmount(credit) : '',
  formatBalance(balance),
]

const toClosing = ({ to, total_debit, total_credit, closing_balance }: Statement) => [
  formatDate(to),
  'Closing balance',
  formatAmount(total_debit),
  formatAmount(total_credit),
  formatBalance(closing_balance),
]

const formatBalance = (rupees: number) => (rupees < 0 ? `${formatAmount(-rupees)} Cr` : formatAmount(rupees))

function addDeposit(page: PdfLayout, { deposit, to }: Statement) {
  addHeading(page, `The deposit on ${formatDate(to)}`)
  addDescriptionList(page, [
    ['Agreed', formatRupees(deposit.agreed)],
    ['Paid', formatRupees(deposit.paid)],
    ['Held', formatRupees(deposit.held)],
  ])
}
