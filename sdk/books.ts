import type { HttpClient } from './http-client.ts'
import type { CallOptions } from './options.ts'
import type {
  AnnualBooks,
  AnnualBooksQuery,
  Arrears,
  BookSummary,
  BookSummaryQuery,
  ExpiringLeases,
  ExpiringLeasesQuery,
  RentRoll,
  RentRollQuery,
} from '#types'

/** The books of the units that the user lets or manages. Amounts are Indian rupees. */
export interface BookCalls extends ReturnType<typeof createBooks> {}

export const createBooks = (http: HttpClient) => ({
  /**
   * Sums up what fell due and was received in a period, month by month, and what the ledgers hold now.
   * @throws {ValidationError} The period ends before it begins.
   * @example
   * const { months, balances } = await kiraya.books.summary({ from: '2026-04-01', to: '2027-03-31' })
   */
  summary: (query?: BookSummaryQuery, options?: CallOptions) =>
    http.get<BookSummary>('books/summary', options, query),

  /**
   * Lists the units with their leases of a month, and what was charged and paid.
   * @example
   * const { rows, outstanding } = await kiraya.books.rentRoll({ month: '2026-12' })
   */
  rentRoll: (query?: RentRollQuery, options?: CallOptions) =>
    http.get<RentRoll>('books/rent-roll', options, query),

  /**
   * Lists the leases with something outstanding that is due, by age.
   * @example
   * const { rows, days_over_90 } = await kiraya.books.arrears()
   */
  arrears: (options?: CallOptions) => http.get<Arrears>('books/arrears', options),

  /**
   * Lists the ACTIVE leases that end within some days, 60 by default, the soonest first.
   * @example
   * const { rows } = await kiraya.books.expiring({ days: 90 })
   * const open = rows.filter(({ auto_renew, renewal_id }) => !auto_renew && !renewal_id)
   */
  expiring: (query?: ExpiringLeasesQuery, options?: CallOptions) =>
    http.get<ExpiringLeases>('books/expiring', options, query),

  /**
   * Sums up what each unit brought in from April to March.
   * @example
   * const { rent_due, rent_received, changes } = await kiraya.books.annual({ year: '2026-27' })
   */
  annual: (query?: AnnualBooksQuery, options?: CallOptions) =>
    http.get<AnnualBooks>('books/annual', options, query),

  /**
   * Returns the bytes of the same as a PDF.
   * @example
   * const pdf = await kiraya.books.annualPdf({ year: '2026-27' })
   * const file = new Blob([pdf], { type: 'application/pdf' })
   */
  annualPdf: (query?: AnnualBooksQuery, options?: CallOptions) =>
    http.getFile('books/annual', options, { ...query, format: 'pdf' }),
})
