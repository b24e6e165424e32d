import type { AnnualBooks } from '@kiraya/sdk/contract'
import { selectUserView } from '../auth/queries'
import type { SessionReader } from '../http/authentication'
import { maskPhone } from '../pdf/formats'

/** Creates the annual summary of the reader. Its deposits are those that are held on a day, YYYY-MM-DD. */
export async function createAnnualPdf(reader: SessionReader, annual: AnnualBooks, held_on: string) {
  const { first_name, last_name, phone } = await reader.row('user_not_found', selectUserView, {})
  const reader_name = [first_name, last_name].filter(Boolean).join(' ') || maskPhone(phone)
  const { renderAnnualBooks } = await import('./annual-pdf')
  const content = await renderAnnualBooks({ annual, reader_name, held_on })
  return { name: `Annual summary ${annual.year}`, content }
}
