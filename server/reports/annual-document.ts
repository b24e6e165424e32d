import type { AnnualBooks } from '@kiraya/sdk/contract'
import { selectUserView } from '../auth/queries'
import type { Reader } from '../http/reads/reader'
import { refuseFields } from '../faults'
import { countLines, maskPhone, MAX_PDF_LINES } from '../pdf/formats'

/**
 * Creates the annual summary of the reader. Its deposits are those that are held on a day, YYYY-MM-DD.
 * @throws VALIDATION_ERROR It has too many units for a PDF.
 */
export async function createAnnualPdf(reader: Reader, annual: AnnualBooks, held_on: string) {
  const names = annual.rows.map(({ unit_name, property_name }) => `${unit_name}, ${property_name}`)
  if (countLines(names) > MAX_PDF_LINES)
    throw refuseFields('annual_too_long', 'format', { max: MAX_PDF_LINES })
  const { first_name, last_name, phone } = await reader.row(selectUserView, {}, 'user_not_found')
  const reader_name = [first_name, last_name].filter(Boolean).join(' ') || maskPhone(phone)
  const { renderAnnualBooks } = await import('./annual-pdf')
  const content = await renderAnnualBooks({ annual, reader_name, held_on })
  return { name: `Annual summary ${annual.year}`, content }
}
