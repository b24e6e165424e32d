import type { Language, Statement, StatementDays } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { compareDays, toIndianDate } from '../../domain/dates'
import { parseFiscalYear } from '../../domain/fiscal-year'
import { toPaise, toRupees } from '../../domain/money'
import type { RecordId } from '../../http/record-id'
import { refuseFields } from '../../errors'
import type { Reader } from '../../http/reads/reader'
import { MAX_ROWS } from '../../documents/rows'
import { chargeWords } from '../charges/descriptions'
import { describeLine, type StatementEntry } from './line-descriptions'
import { loadParties } from './parties'
import { selectStatement, type Days } from './queries'

type Asked = { query: StatementDays; today: string; language: Language }

/**
 * Loads the tenants' account under an agreement. Without days it is the whole account, also what is posted ahead.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function loadStatement(
  reader: Reader,
  id: RecordId,
  { query, today, language }: Asked,
): Promise<Statement> {
  const days = getDays(query)
  const given = { id, days, words: chargeWords[language] }
  const stored = await reader.row(selectStatement, given, 'agreement_not_found')
  const { agreement_id, agreement_number, opening_balance, entries, deposit, settlement, starts_on } = stored
  const account = toAccount(entries, opening_balance, language)
  const period = fillDays(days, entries, starts_on, today)
  const settled = settlement && { settlement }
  return { agreement_id, agreement_number, ...period, opening_balance, ...account, deposit, ...settled }
}

/** Gives each entry the balance after it. */
function toAccount(entries: StatementEntry[], opening: number, language: Language) {
  let balance = toPaise(opening)
  let [debits, credits] = [0, 0]
  const lines = entries.map(entry => {
    const { effective_on, kind, charge_id, payment_id } = entry
    const [debit, credit] = [toPaise(Math.max(entry.amount, 0)), toPaise(Math.max(-entry.amount, 0))]
    balance += debit - credit
    debits += debit
    credits += credit
    const amounts = { debit: toRupees(debit), credit: toRupees(credit), balance: toRupees(balance) }
    const description = describeLine(entry, language)
    return { date: effective_on, kind, description, charge_id, payment_id, ...amounts }
  })
  return {
    lines,
    total_debit: toRupees(debits),
    total_credit: toRupees(credits),
    closing_balance: toRupees(balance),
  }
}

/** The days that were left open: from the start of the books or the first entry, to today or the last entry. */
function fillDays({ from, to }: Days, entries: StatementEntry[], starts_on: string, today: string) {
  const first = from ?? sortDays(starts_on, entries[0]?.effective_on, to)[0]!
  return { from: first, to: to ?? sortDays(first, today, entries.at(-1)?.effective_on).at(-1)! }
}

const sortDays = (...days: (string | undefined)[]) =>
  days.filter(day => day !== undefined).toSorted(compareDays)

/** @throws VALIDATION_ERROR The year is given with days, or the days end before they begin. */
function getDays({ year, from, to }: StatementDays): Days {
  if (year === undefined) {
    if (from && to && to < from) throw refuseFields('to_before_from', 'to', { from })
    return { from, to }
  }
  if (from ?? to) throw refuseFields('year_and_dates', 'year')
  return parseFiscalYear(year)!
}

/**
 * Loads the same account for a document.
 * @throws VALIDATION_ERROR It has too many lines.
 */
export async function loadStatementDocument(
  deps: Deps,
  reader: Reader,
  id: RecordId,
  { query, language }: { query: StatementDays; language: Language },
) {
  const today = toIndianDate(deps.now())
  const statement = await loadStatement(reader, id, { query, today, language })
  if (statement.lines.length > MAX_ROWS) throw refuseFields('statement_too_long', 'from', { max: MAX_ROWS })
  const parties = await loadParties(deps, statement.agreement_id, language)
  const { agreement_number, from, to } = statement
  const fileName = `${agreement_number} statement ${from} to ${to}`
  return { fileName, name: 'statement', data: { ...statement, parties } } as const
}
