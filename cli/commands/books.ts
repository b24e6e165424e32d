import type { AnnualBooksQuery, BookSummaryQuery, RentRollQuery } from '@kiraya/sdk'
import { toAnnualView, toArrearsView, toMonthsView, toRentRollView } from '../output/book-reports'
import type { CliCommand } from '../runtime/command'
import type { FieldFlags } from '../input/flags'
import { saveFile } from '../output/files'
import { readQuery } from '../input/values'

const summaryFields: FieldFlags<BookSummaryQuery> = {
  from: { kind: 'text', description: 'YYYY-MM-DD, the first day; default: that of this month' },
  to: { kind: 'text', description: 'YYYY-MM-DD, the last day; default: that of this month' },
}
const rentRollFields: FieldFlags<RentRollQuery> = {
  month: { kind: 'text', description: 'YYYY-MM; default: the present one' },
}
const annualFields: FieldFlags<AnnualBooksQuery> = {
  year: { kind: 'text', description: 'April to March, such as 2026-27; default: the present one' },
}

const sums = ['charged', 'credited', 'paid', 'outstanding', 'received']
const rollColumns = ['unit', 'tenants', 'rent', 'charged', 'paid', 'outstanding', 'agreement_number']
const ages = ['total', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90']
const arrearsColumns = ['unit', 'tenants', ...ages, 'agreement_number']
const annualColumns = [
  'unit',
  'received',
  'tds',
  'from_deposit',
  'for_rent',
  'for_deposits',
  'for_others',
  'refunded',
  'advances',
  'deposits_held',
]

export function addBookCommands(program: CliCommand) {
  const books = program.command('books').description('The books of all your leases together')
  addMonthlyReports(books)
  addLongTermReports(books)
}

function addMonthlyReports(books: CliCommand) {
  books
    .command('summary')
    .description('Sum up what fell due and was received, month by month, and what is open now')
    .addFieldFlags(summaryFields)
    .addExamples('kiraya books summary --from 2026-04-01 --to 2027-03-31')
    .run(async (context, options: object) => {
      const query = await readQuery<BookSummaryQuery>(context, summaryFields, options)
      const client = await context.client()
      const summary = await client.books.summary(query)
      if (context.isJsonOutput) return context.show(summary)
      context.show(toMonthsView(summary), ['month', ...sums])
      context.terminal.out('')
      context.show(summary.balances)
    })

  books
    .command('rent-roll')
    .description('List the units with their tenants, rents and payments of a month')
    .addFieldFlags(rentRollFields)
    .addExamples('kiraya books rent-roll --month 2026-12')
    .run(async (context, options: object) => {
      const query = await readQuery<RentRollQuery>(context, rentRollFields, options)
      const client = await context.client()
      const roll = await client.books.rentRoll(query)
      if (context.isJsonOutput) return context.show(roll)
      context.show(toRentRollView(roll), rollColumns)
    })
}

function addLongTermReports(books: CliCommand) {
  books
    .command('arrears')
    .description('List what is due and outstanding, by the days since it fell due')
    .run(async context => {
      const client = await context.client()
      const arrears = await client.books.arrears()
      if (context.isJsonOutput) return context.show(arrears)
      context.show(toArrearsView(arrears), arrearsColumns)
    })

  books
    .command('annual')
    .description('Sum up what each unit brought in from April to March')
    .addFieldFlags(annualFields)
    .option('--out <file>', 'save it as a PDF in this file')
    .addExamples('kiraya books annual --year 2026-27')
    .run(async (context, options: { out?: string }) => {
      const query = await readQuery<AnnualBooksQuery>(context, annualFields, options)
      const client = await context.client()
      if (options.out) return saveFile(context, options.out, await client.books.annualPdf(query))
      const annual = await client.books.annual(query)
      if (context.isJsonOutput) return context.show(annual)
      context.show(toAnnualView(annual), annualColumns)
    })
}
