import type { AnnualBooks, Language } from '@kiraya/sdk/contract'
import { selectUserView } from '../accounts/auth/queries'
import { maskPhone } from '../domain/formats'
import { MAX_ROWS } from '../documents/rows'
import { toAmountInWords } from '../domain/amount-in-words'
import { parseFiscalYear } from '../domain/fiscal-year'
import { toPaise } from '../domain/money'
import { refuseFields } from '../errors'
import type { Reader } from '../http/reads/reader'

/**
 * Loads what the annual summary of the reader states. Its deposits are those that are held on a day, YYYY-MM-DD.
 * @throws VALIDATION_ERROR It has too many units.
 */
export async function loadAnnualDocument(
  reader: Reader,
  annual: AnnualBooks,
  { held_on, language }: { held_on: string; language: Language },
) {
  if (annual.rows.length > MAX_ROWS) throw refuseFields('annual_too_long', 'format', { max: MAX_ROWS })
  const { first_name, last_name, phone } = await reader.row(selectUserView, {}, 'user_not_found')
  const data = {
    ...annual,
    ...parseFiscalYear(annual.year)!,
    reader_name: [first_name, last_name].filter(Boolean).join(' ') || maskPhone(phone),
    held_on,
    amount_in_words: toAmountInWords(toPaise(annual.received) + toPaise(annual.tds), language),
  }
  return { fileName: `Annual summary ${annual.year}`, name: 'annual', data } as const
}
