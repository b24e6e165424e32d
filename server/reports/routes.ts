import { Elysia } from 'elysia'
import {
  AnnualBooksFormQuery,
  AnnualBooksResponse,
  ArrearsResponse,
  BookSummaryQuery,
  BookSummaryResponse,
  ExpiringLeasesQuery,
  ExpiringLeasesResponse,
  RentRollQuery,
  RentRollResponse,
  type AnnualBooks,
} from '@kiraya/sdk/contract'
import type { Given } from '../../db/compiled-queries'
import type { Deps } from '../deps'
import { toIndianDate } from '../domain/dates'
import { getFiscalYear, parseFiscalYear } from '../domain/fiscal-year'
import { readerRoutes } from '../http/routes'
import { sendDocument } from '../http/reads/file-response'
import { rawJson } from '../http/reads/raw-json'
import type { Reader, Select } from '../http/reads/reader'
import { results, toResult } from '../messages/results'
import { selectAnnualBooks } from './annual'
import { loadAnnualDocument } from './annual-document'
import { selectArrears } from './arrears'
import { loadExpiringLeases } from './expiring'
import { loadRentRoll } from './rent-roll'
import { getPeriod, selectSummary } from './summary'
import examples from './examples.json'

export const reportRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/books', tags: ['Books'], detail: { examples } })
    .use(monthlyReports(deps))
    .use(currentReports(deps))
    .use(annualReport(deps))

const monthlyReports = (deps: Deps) =>
  readerRoutes(deps)
    .get(
      '/summary',
      ({ reader, query }) => {
        const given = getPeriod(query, toIndianDate(deps.now()))
        return toResult(results.book_summary, loadReport(reader, selectSummary, given))
      },
      {
        query: BookSummaryQuery,
        response: { 200: rawJson(BookSummaryResponse) },
        detail: {
          operationId: 'getBookSummary',
          summary: 'Sum up the books of the landlord’s side',
          description:
            'Sums up the books of the leases that the caller lets or manages: what fell due and was ' +
            'received in a period, month by month, and what the ledgers hold now. The period is the ' +
            'present month unless it is given.',
          reasons: ['to_before_from'],
        },
      },
    )
    .get(
      '/rent-roll',
      ({ reader, query }) => {
        const month = query.month ?? toIndianDate(deps.now()).slice(0, 7)
        return toResult(results.rent_roll, loadRentRoll(reader, month))
      },
      {
        query: RentRollQuery,
        response: { 200: rawJson(RentRollResponse) },
        detail: {
          operationId: 'getRentRoll',
          summary: 'List the units with their rents of a month',
          description:
            'Lists the units that the caller lets or manages, each with its lease of the month, its ' +
            'tenants, and what was charged and paid; deposits are left out. A unit with two leases in the ' +
            'month has two rows.',
        },
      },
    )

const currentReports = (deps: Deps) =>
  readerRoutes(deps)
    .get(
      '/arrears',
      ({ reader }) =>
        toResult(results.arrears, loadReport(reader, selectArrears, { today: toIndianDate(deps.now()) })),
      {
        response: { 200: rawJson(ArrearsResponse) },
        detail: {
          operationId: 'getArrears',
          summary: 'List what is overdue, by lease and age',
          description:
            'Lists the leases with something outstanding that is due, in four ages: 0 to 30, 31 to 60, 61 ' +
            'to 90 and more days after the due date.',
        },
      },
    )
    .get(
      '/expiring',
      ({ reader, query }) => {
        // The query has a default.
        const leases = loadExpiringLeases(reader, toIndianDate(deps.now()), query.days!)
        return toResult(results.expiring_leases, leases)
      },
      {
        query: ExpiringLeasesQuery,
        response: { 200: rawJson(ExpiringLeasesResponse) },
        detail: {
          operationId: 'getExpiringLeases',
          summary: 'List the leases that end soon',
          description:
            'Lists the ACTIVE leases that the caller lets or manages and that end within some days, the soonest ' +
            'first, each with its rent, and whether it renews itself or its next term is drawn up.',
        },
      },
    )

const annualReport = (deps: Deps) =>
  readerRoutes(deps).get(
    '/annual',
    async ({ reader, query }) => {
      const today = toIndianDate(deps.now())
      const year = query.year ?? getFiscalYear(today)
      const days = parseFiscalYear(year)!
      const given = { year, ...days, today, heldOn: days.to < today ? days.to : today }
      const data = await loadReport(reader, selectAnnualBooks, given)
      if (query.format !== 'pdf') return { message: results.annual_books, data }
      const annual: AnnualBooks = JSON.parse(data.text)
      const document = sendDocument(deps, { reader, query }, () =>
        loadAnnualDocument(reader, annual, given.heldOn),
      )
      // Elysia sends a Response as it is, but its types know the declared result alone.
      return document as never
    },
    {
      query: AnnualBooksFormQuery,
      response: { 200: rawJson(AnnualBooksResponse) },
      detail: {
        operationId: 'getAnnualBooks',
        summary: 'Sum up what was due and received in a fiscal year, by unit',
        description:
          'Sums up, for each unit, the rent that was due and that was received in a year from April to March, ' +
          'the tax that was withheld, and apart from these deposits and what moved between leases. It says ' +
          'what is known today: a payment that was taken back is in no year, and `changes` lists what people ' +
          'changed since the year ended. The year is the present one unless it is given; `format=pdf` ' +
          'downloads it, with at most 500 units.',
        reasons: ['annual_too_long'],
      },
    },
  )

/** Who manages nothing has sums of 0: there is always a row. */
function loadReport<V extends Given, O>(reader: Reader, select: Select<V, O>, given: V) {
  return reader.one(select, given, 'user_not_found')
}
