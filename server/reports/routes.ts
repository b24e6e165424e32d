import { Elysia } from 'elysia'
import {
  AnnualBooks,
  AnnualBooksFormQuery,
  AnnualBooksResponse,
  Arrears,
  ArrearsResponse,
  BookSummary,
  BookSummaryQuery,
  BookSummaryResponse,
  RentRoll,
  RentRollQuery,
  RentRollResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { toDayOfMonth, toIndianDate } from '../domain/dates'
import { getFiscalYear, parseFiscalYear } from '../domain/fiscal-year'
import { refuseFields } from '../faults'
import { withReader } from '../http/authentication'
import { toPdfResponse } from '../http/pdf-response'
import { coerceQuery } from '../http/query-params'
import { RawJson, toRawJsonSchema } from '../http/raw-json'
import { results } from '../messages/results'
import { selectAnnualBooks } from './annual'
import { createAnnualPdf } from './annual-document'
import { selectArrears } from './arrears'
import { selectRentRoll, toRentRoll } from './rent-roll'
import { selectSummary } from './summary'

export const reportRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Books'] }).use(monthlyReports(deps)).use(longTermReports(deps))

const monthlyReports = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '/books/summary',
      async ({ reader, query }) => {
        const given = { ...getPeriod(query, toIndianDate(deps.now())), today: toIndianDate(deps.now()) }
        return {
          message: results.book_summary,
          data: await reader.report(BookSummary, selectSummary, given),
        }
      },
      {
        ...coerceQuery(BookSummaryQuery),
        response: { 200: toRawJsonSchema(BookSummaryResponse) },
        detail: { summary: 'Sum up the books of the landlord’s side' },
      },
    )
    .get(
      '/books/rent-roll',
      async ({ reader, query }) => {
        const month = query.month ?? toIndianDate(deps.now()).slice(0, 7)
        const days = { first: toDayOfMonth(`${month}-01`, 1), last: toDayOfMonth(`${month}-01`, 31) }
        const given = { month, ...days }
        const roll = await reader.inDocumentTurn(async () => {
          const stored = await reader.inTurn(() => reader.findRow(selectRentRoll, given))
          return toRentRoll(stored!, given)
        })
        // Its rows are not checked and copied again, as those of lists are not.
        const data = new RawJson(RentRoll, JSON.stringify(roll))
        return { message: results.rent_roll, data }
      },
      {
        ...coerceQuery(RentRollQuery),
        response: { 200: toRawJsonSchema(RentRollResponse) },
        detail: { summary: 'List the units with their rents of a month' },
      },
    )

const longTermReports = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '/books/arrears',
      async ({ reader }) => {
        const given = { today: toIndianDate(deps.now()) }
        return { message: results.arrears, data: await reader.report(Arrears, selectArrears, given) }
      },
      {
        response: { 200: toRawJsonSchema(ArrearsResponse) },
        detail: { summary: 'List what is overdue, by lease and age' },
      },
    )
    .get(
      '/books/annual',
      async ({ reader, query }) => {
        const today = toIndianDate(deps.now())
        const year = query.year ?? getFiscalYear(today)
        const days = parseFiscalYear(year)!
        const given = { year, ...days, heldOn: days.to < today ? days.to : today }
        const data = await reader.report(AnnualBooks, selectAnnualBooks, given)
        if (query.format !== 'pdf') return { message: results.annual_books, data }
        const annual: AnnualBooks = JSON.parse(data.text)
        const { name, content } = await reader.inDocumentTurn(() =>
          createAnnualPdf(reader, annual, given.heldOn),
        )
        // Elysia sends a Response as it is, but its types know the declared result alone.
        return toPdfResponse(name, content) as never
      },
      {
        ...coerceQuery(AnnualBooksFormQuery),
        response: { 200: toRawJsonSchema(AnnualBooksResponse) },
        detail: { summary: 'Sum up what was received in a fiscal year, by unit' },
      },
    )

/** @throws VALIDATION_ERROR The period ends before it begins. */
function getPeriod({ from, to }: BookSummaryQuery, today: string) {
  const start = from ?? toDayOfMonth(to ?? today, 1)
  const end = to ?? toDayOfMonth(from && from > today ? from : today, 31)
  if (end < start) throw refuseFields('to_before_from', 'to', { from: start })
  return { from: start, to: end }
}
