import { sumPaise, toPaise, toRupees } from '../../domain/money'
import { parseRecordId } from '../../domain/record-id'
import type { Deps } from '../../deps'
import { refuse } from '../../faults'
import type { Reader } from '../../http/reads/reader'
import { findLandlordPan } from './landlord-pan'
import { loadParties } from './parties'
import type { ReceiptData } from './receipt-pdf'
import { selectReceipt, type StoredReceipt } from './receipt-queries'

/**
 * Creates the receipt of a payment; one that was reversed is marked as cancelled.
 * @throws NOT_FOUND The payment is not visible to the reader, or was never posted.
 */
export async function createReceiptPdf(deps: Deps, reader: Reader, paymentId: string) {
  const key = parseRecordId(paymentId, 'payment_not_found')
  const stored = (await reader.row(
    selectReceipt,
    { key, language: 'en' },
    'payment_not_found',
  )) as StoredReceipt
  const { receipt_number } = stored
  if (!receipt_number) throw refuse('receipt_not_found')
  const parties = await loadParties(deps, stored.agreement_id)
  const hasRent = stored.settled.some(({ type }) => type === 'rent')
  const data: ReceiptData = {
    ...stored,
    ...splitTotal(stored),
    receipt_number,
    parties,
    payer: parties.tenants.find(({ id }) => id === stored.payer_id)!.name,
    landlord_pan: (hasRent && (await findLandlordPan(deps, stored.agreement_id, stored.paid_on))) || null,
    isCancelled: stored.status === 'reversed',
    url: `${deps.publicUrl()}/receipts/${stored.payment_id}`,
  }
  const { renderReceipt } = await import('./receipt-pdf')
  return { name: receipt_number, content: await renderReceipt(data) }
}

/** What was received, and what of it is an advance: neither settles a charge nor was paid back. */
function splitTotal({ amount, tds_amount, refunded_amount, settled }: StoredReceipt) {
  const total = toPaise(amount) + toPaise(tds_amount)
  const used = sumPaise(settled.map(charge => toPaise(charge.amount))) + toPaise(refunded_amount)
  return { total: toRupees(total), advance: toRupees(total - used) }
}
