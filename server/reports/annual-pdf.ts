import type { AnnualBooks, AnnualBooksRow } from '@kiraya/sdk/contract'
import { parseFiscalYear } from '../domain/fiscal-year'
import { toPaise, toRupees } from '../domain/money'
import { formatAmount, formatDate, formatRupees } from '../pdf/formats'
import { CONTENT_WIDTH, PdfLayout } from '../pdf/layout'
import {
  addDescriptionList,
  addHeading,
  addNote,
  addTable,
  addTitle,
  finishDocument,
  type TableColumn,
} from '../pdf/sections'
import { toAmountInWords } from '../domain/amount-in-words'

/** The content of an annual summary: its deposits are those that are held on `held_on`, YYYY-MM-DD. */
export interface AnnualData {
  annual: AnnualBooks
  /** The landlord, or the manager of the units. */
  reader_name: string
  held_on: string
}

type Sums = Omit<AnnualBooksRow, 'property_unit_id' | 'property_name' | 'unit_name'>
type Column = { title: string; sum: (sums: Sums) => number }

const received: Column[] = [
  { title: 'Received (₹)', sum: sums => sums.received },
  { title: 'TDS (₹)', sum: sums => sums.tds },
  { title: 'Together (₹)', sum: sumReceived },
  { title: 'Deposit held (₹)', sum: sums => sums.deposits_held },
]
const uses: Column[] = [
  { title: 'Rent (₹)', sum: sums => sums.for_rent },
  { title: 'Deposits (₹)', sum: sums => sums.for_deposits },
  { title: 'Others (₹)', sum: sums => sums.for_others },
  { title: 'Paid back (₹)', sum: sums => sums.refunded },
  { title: 'Advances (₹)', sum: sums => sums.advances },
]

/** What a year brought in by unit, as a PDF; the same data gives the same bytes. */
export async function renderAnnualBooks({ annual, reader_name, held_on }: AnnualData): Promise<Uint8Array> {
  const days = parseFiscalYear(annual.year)!
  const period = `${formatDate(days.from)} to ${formatDate(days.to)}`
  const page = new PdfLayout({
    title: `Annual summary ${annual.year}`,
    createdAt: new Date(`${held_on}T00:00:00Z`),
  })
  addTitle(page, 'Annual summary', period)
  addTotals(page, { annual, reader_name, held_on })
  if (annual.rows.length > 0) {
    addSums(page, 'Received, by unit', annual, received)
    addSums(page, 'What it was for, by unit', annual, uses)
  }
  page.addSpace(14)
  addNote(
    page,
    'Payments are counted on the day of the payment, whichever month they were for, without those that were taken ' +
      'back. This is a summary of the books and no computation of tax: check with an accountant.',
  )
  return finishDocument(page, `Annual summary by Kiraya · ${annual.year}`)
}

function sumReceived(sums: Sums) {
  return toRupees(toPaise(sums.received) + toPaise(sums.tds))
}

function addTotals(page: PdfLayout, { annual, reader_name, held_on }: AnnualData) {
  const total = sumReceived(annual)
  addDescriptionList(page, [
    ['For', reader_name],
    ['Received', formatRupees(annual.received)],
    ['Tax withheld', `${formatRupees(annual.tds)} (TDS)`],
    ['Together', formatRupees(total)],
    ['In words', toAmountInWords(toPaise(total))],
    ['Deposits held', `${formatRupees(annual.deposits_held)} on ${formatDate(held_on)}`],
  ])
}

const AMOUNT_WIDTH = 74

function addSums(page: PdfLayout, heading: string, annual: AnnualBooks, columns: Column[]) {
  addHeading(page, heading)
  const start = CONTENT_WIDTH - columns.length * AMOUNT_WIDTH
  const tableColumns: TableColumn[] = [
    { title: 'Unit', x: 0, width: start - 6 },
    ...columns.map(({ title }, index): TableColumn => {
      return { title, x: start + index * AMOUNT_WIDTH + 4, width: AMOUNT_WIDTH - 4, align: 'right' }
    }),
  ]
  const toCells = (sums: Sums) => columns.map(({ sum }) => formatAmount(sum(sums)))
  const rows = annual.rows.map(row => [`${row.unit_name}, ${row.property_name}`, ...toCells(row)])
  addTable(page, tableColumns, rows, [['Total', ...toCells(annual)]])
}
