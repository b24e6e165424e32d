import type { Statement, StatementLine, StatementQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { toIndianDate } from '../domain/dates'
import { parseFiscalYear } from '../domain/fiscal-year'
import { sumPaise, toPaise, toRupees } from '../domain/money'
import { parseRecordId } from '../domain/record-id'
import { refuseFields } from '../faults'
import type { SessionReader } from '../http/authentication'
import { describeEntry } from './descriptions'
import { loadParties } from './parties'
import { selectStatement, type Entry } from './queries'

/** Already takes seconds to make. */
const MAX_PDF_LINES = 2000

type Days = { from?: string; to?: string }

/**
 * Loads the tenants' account under an agreement. Without days it is the whole account, also what is posted ahead.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function loadStatement(
  reader: SessionReader,
  agreementId: string,
  { query, today }: { query: StatementQuery; today: string },
): Promise<Statement> {
  const days = getDays(query)
  const id = parseRecordId(agreementId, 'agreement_not_found')
  const { from = '-infinity', to = 'infinity' } = days
  const stored = await reader.row('agreement_not_found', selectStatement, { id, from, to })
  const { agreement_id, agreement_number, entries, deposit, starts_on, agreement_start_date } = stored
  const opening = toPaise(stored.opening)
  const lines = toLines(entries, opening)
  const totalDebit = sumSide(lines, 'debit')
  const totalCredit = sumSide(lines, 'credit')
  return {
    agreement_id,
    agreement_number,
    ...fillStatementPeriod(days, entries, { today, start: starts_on ?? agreement_start_date }),
    opening_balance: toRupees(opening),
    lines,
    total_debit: toRupees(totalDebit),
    total_credit: toRupees(totalCredit),
    closing_balance: toRupees(opening + totalDebit - totalCredit),
    deposit,
  }
}

/** @throws VALIDATION_ERROR The year is given with days, or the days end before they begin. */
function getDays({ year, from, to }: StatementQuery): Days {
  if (year === undefined) {
    if (from && to && to < from) throw refuseFields('to_before_from', 'to', { from })
    return { from, to }
  }
  if (from ?? to) throw refuseFields('year_and_dates', 'year')
  return parseFiscalYear(year)!
}

/** The days that were left open: from the start of the books or the first entry, to today or the last entry. */
function fillStatementPeriod(
  days: Days,
  entries: Entry[],
  { today, start }: { today: string; start: string },
) {
  const dates = entries.map(({ effective_on }) => effective_on)
  const [first, last] = [dates[0] ?? start, dates.at(-1) ?? today]
  const from = days.from ?? getEarliest([start, first, days.to ?? start])
  const to = days.to ?? getLatest([today, last, from])
  return { from, to }
}

const getEarliest = (dates: string[]) => dates.toSorted()[0]!
const getLatest = (dates: string[]) => dates.toSorted().at(-1)!

function toLines(entries: Entry[], opening: number): StatementLine[] {
  let balance = opening
  return entries.map(entry => {
    const amount = toPaise(entry.amount)
    balance += amount
    return {
      date: entry.effective_on,
      kind: entry.kind,
      description: describeEntry(entry),
      charge_id: entry.charge_id,
      payment_id: entry.payment_id,
      debit: toRupees(Math.max(amount, 0)),
      credit: toRupees(Math.max(-amount, 0)),
      balance: toRupees(balance),
    }
  })
}

function sumSide(lines: StatementLine[], side: 'debit' | 'credit') {
  return sumPaise(lines.map(line => toPaise(line[side])))
}

/**
 * Creates the same account as a PDF.
 * @throws VALIDATION_ERROR The account has too many lines for a PDF.
 */
export async function createStatementPdf(
  deps: Deps,
  reader: SessionReader,
  agreementId: string,
  query: StatementQuery,
) {
  const today = toIndianDate(deps.now())
  const statement = await loadStatement(reader, agreementId, { query, today })
  if (statement.lines.length > MAX_PDF_LINES)
    throw refuseFields('statement_too_long', 'from', { max: MAX_PDF_LINES })
  const parties = await loadParties(deps, statement.agreement_id)
  const { renderStatement } = await import('./statement-pdf')
  const { agreement_number, from, to } = statement
  return {
    name: `${agreement_number} statement ${from} to ${to}`,
    content: await renderStatement(statement, parties),
  }
}
