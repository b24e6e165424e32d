import type { AnnualBooks, BookSummary, ExpiringLease, RentRollRow } from '@kiraya/sdk'
import {
  AnnualBooksQuery,
  BookSummaryQuery,
  ExpiringLeasesQuery,
  RentRollQuery,
  yearlySums,
} from '@kiraya/sdk/contract/books'
import { toFieldFlags } from '../input/flags'
import { readQuery } from '../input/values'
import { saveFile } from '../output/files'
import type { Context } from '../runtime/context'
import { createVerb, read, type Verbs } from '../runtime/verbs'

const monthColumns = ['month', 'charged', 'credited', 'paid', 'outstanding', 'received']
const rollColumns = ['unit', 'tenants', 'rent', 'charged', 'paid', 'outstanding', 'agreement_number']
const ages = ['total', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90']
const arrearsColumns = ['unit', 'tenants', ...ages, 'agreement_number']
const expiringColumns = ['agreement_end_date', 'unit', 'tenants', 'rent', 'renewal', 'agreement_number']
const annualColumns = ['unit', ...Object.keys(yearlySums)]
const changeColumns = ['changed_on', 'kind', 'amount', 'tds_amount', 'unit', 'counts_on', 'receipt_number']

const annualFields = toFieldFlags(AnnualBooksQuery)

export const verbs: Verbs = {
  summary: read({
    summary: 'Sum up what fell due and was received, month by month, and what is open now',
    input: BookSummaryQuery,
    examples: ['kiraya books summary --from 2026-04-01 --to 2027-03-31'],
    call: client => client.books.summary,
    show: showSummary,
  }),
  'rent-roll': read({
    summary: 'List the units with their tenants, rents and payments of a month',
    input: RentRollQuery,
    examples: ['kiraya books rent-roll --month 2026-12'],
    call: client => client.books.rentRoll,
    show: (context, roll) => context.show(toNamedRows(roll), rollColumns),
  }),
  arrears: read({
    summary: 'List what is due and outstanding, by the days since it fell due',
    call: client => client.books.arrears,
    show: (context, arrears) => context.show(toNamedRows(arrears), arrearsColumns),
  }),
  expiring: read({
    summary:
      'List the leases that end soon, and whether they renew themselves or are drawn up for another term',
    input: ExpiringLeasesQuery,
    examples: ['kiraya books expiring --days 90'],
    call: client => client.books.expiring,
    show: (context, { rows }) => context.show(rows.map(addRenewal), expiringColumns),
  }),
  annual: createVerb(
    {
      summary: 'Sum up the rent that was due and received from April to March, by unit, and deposits apart',
      fields: annualFields,
      addFlags: command => command.option('--out <file>', 'save it as a PDF in this file'),
      examples: ['kiraya books annual --year 2026-27'],
    },
    async (context, _, options: { out?: string }) => {
      const query = await readQuery<AnnualBooksQuery>(context, annualFields, options)
      const { books } = await context.client()
      if (options.out) return saveFile(context, options.out, await books.annualPdf(query))
      const annual = await books.annual(query)
      if (context.isJsonOutput) context.show(annual)
      else showAnnual(context, annual)
    },
  ),
}

function showAnnual(context: Context, { changes, ...annual }: AnnualBooks) {
  context.show(toNamedRows(annual), annualColumns)
  if (changes.length === 0) return
  context.terminal.out('\nChanged since the year ended:')
  context.show(changes.map(addNames), changeColumns)
}

function showSummary(context: Context, { months, balances, ...sums }: BookSummary) {
  context.show(addTotal(months, { ...sums, month: 'Total' }), monthColumns)
  context.terminal.out('')
  context.show(balances)
}

/** A row of a report: the books of a year name no tenants, a vacant unit has no agreement. */
type ReportRow = Pick<RentRollRow, 'property_name' | 'unit_name'> & Partial<RentRollRow>

/** Returns rows as people read them: units and tenants by name, and the sums in a last row. */
function toNamedRows({ rows, ...sums }: { rows: ReportRow[] }) {
  return addTotal(rows.map(addNames), { ...sums, unit: 'Total' })
}

const addNames = <Row extends ReportRow>(row: Row) => ({
  ...row,
  unit: `${row.property_name}/${row.unit_name}`,
  tenants: row.agreement_id === null ? 'vacant' : row.tenants?.map(({ id, name }) => name ?? id).join(', '),
})

/** Names what follows a lease: itself, or the agreement that is drawn up. */
function addRenewal(row: ExpiringLease) {
  const { auto_renew, renewal_id, renewal_status } = row
  const drawnUp = renewal_id && `${renewal_id}, ${renewal_status}`
  return { ...addNames(row), renewal: drawnUp ?? (auto_renew ? 'by itself' : null) }
}

/** A table without rows stays empty. */
const addTotal = (rows: object[], total: object) => (rows.length > 0 ? [...rows, total] : [])
