import { Statement, type StatementQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import { parseFiscalYear } from '../../domain/fiscal-year'
import { parseRecordId } from '../../domain/record-id'
import { refuseFields } from '../../faults'
import type { Reader } from '../../http/reads/reader'
import { countLines, MAX_PDF_LINES } from '../../pdf/formats'
import { loadParties } from './parties'
import { selectStatement, type StatementDays } from './queries'

/** Books of so many postings take a few milliseconds to read. */
const MAX_SHORT_LENGTH = 1000
const ANY_LENGTH = 2 ** 31 - 1

type Asked = { query: StatementQuery; today: string }

/**
 * Loads the tenants' account under an agreement. Without days it is the whole account, also what is posted ahead.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function loadStatement(reader: Reader, agreementId: string, asked: Asked) {
  const given = toGiven(agreementId, asked, MAX_SHORT_LENGTH)
  const short = await reader.findOne(selectStatement, given)
  return short ?? loadAnyStatement(reader, agreementId, asked)
}

function loadAnyStatement(reader: Reader, agreementId: string, asked: Asked) {
  const given = toGiven(agreementId, asked, ANY_LENGTH)
  return reader.one(selectStatement, given, 'agreement_not_found')
}

function toGiven(agreementId: string, { query, today }: Asked, maxLength: number) {
  return { id: parseRecordId(agreementId, 'agreement_not_found'), days: getDays(query), today, maxLength }
}

/** @throws VALIDATION_ERROR The year is given with days, or the days end before they begin. */
function getDays({ year, from, to }: StatementQuery): StatementDays {
  if (year === undefined) {
    if (from && to && to < from) throw refuseFields('to_before_from', 'to', { from })
    return { from, to }
  }
  if (from ?? to) throw refuseFields('year_and_dates', 'year')
  return parseFiscalYear(year)!
}

/**
 * Creates the same account as a PDF.
 * @throws VALIDATION_ERROR The account has too many lines for a PDF.
 */
export async function createStatementPdf(
  deps: Deps,
  reader: Reader,
  agreementId: string,
  query: StatementQuery,
) {
  const today = toIndianDate(deps.now())
  const { text } = await loadStatement(reader, agreementId, { query, today })
  const statement: Statement = JSON.parse(text)
  if (countLines(statement.lines.map(({ description }) => description)) > MAX_PDF_LINES)
    throw refuseFields('statement_too_long', 'from', { max: MAX_PDF_LINES })
  const parties = await loadParties(deps, statement.agreement_id)
  const { renderStatement } = await import('./statement-pdf')
  const { agreement_number, from, to } = statement
  return {
    name: `${agreement_number} statement ${from} to ${to}`,
    content: await renderStatement(statement, parties),
  }
}
