import type { AnnualBooks } from '@kiraya/sdk/contract'
import { selectUserView } from '../accounts/auth/queries'
import { maskPhone } from '../domain/formats'
import { toShownName } from '../documents/names'
import { MAX_UNITS, splitRows } from '../documents/rows'
import { parseFiscalYear } from '../domain/fiscal-year'
import { refuseFields } from '../errors'
import type { Reader } from '../http/reads/reader'

/**
 * Loads what the annual summary of the reader states. Its deposits are those that are held on a day, YYYY-MM-DD.
 * @throws VALIDATION_ERROR It has too many units.
 */
export async function loadAnnualDocument(reader: Reader, annual: AnnualBooks, held_on: string) {
  if (annual.rows.length > MAX_UNITS) throw refuseFields('annual_too_long', 'format', { max: MAX_UNITS })
  const { first_name, last_name, phone } = await reader.row(selectUserView, {}, 'user_not_found')
  const name = [first_name, last_name].filter(Boolean).join(' ')
  const [changes, further] = splitRows(annual.changes)
  const data = {
    ...annual,
    changes,
    further_changes: further.length,
    ...parseFiscalYear(annual.year)!,
    reader_name: name ? toShownName(name, phone, reader.language) : maskPhone(phone),
    held_on,
  }
  return { fileName: `Annual summary ${annual.year}`, name: 'annual', data } as const
}
