import { executeCompiled } from '../../../db/compiled-queries'
import type { Deps } from '../../deps'
import { isUuid } from '../../domain/record-id'
import { paragraph } from '../../pages/elements'
import { page } from '../../pages/layout'
import { selectReceiptStatus } from './receipt-queries'

/** Says whether a receipt is valid. Its address is public, so the page has no names and no amounts. */
export async function renderReceiptPage({ db }: Deps, paymentId: string) {
  const [receipt] = isUuid(paymentId) ? await executeCompiled(db, selectReceiptStatus, { paymentId }) : []
  if (!receipt) return page('No such receipt', paragraph('No receipt has this address.'), { status: 404 })
  const { receipt_number, status } = receipt
  if (status === 'posted')
    return page(`Receipt ${receipt_number} is valid`, paragraph('The landlord recorded this payment.'))
  return page(
    `Receipt ${receipt_number} was cancelled`,
    paragraph('The payment was taken back, so this receipt is no longer valid.'),
  )
}
