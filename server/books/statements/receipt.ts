import type { Language } from '@kiraya/sdk/contract'
import { renderQrCode } from '../../documents/qr-code'
import { splitRows } from '../../documents/rows'
import { toAmountInWords } from '../../domain/amount-in-words'
import { getFiscalYear, parseFiscalYear } from '../../domain/fiscal-year'
import { sumPaise, sumRupees, toPaise, toRupees } from '../../domain/money'
import type { RecordId } from '../../http/record-id'
import { isAbove, REVENUE_STAMP_THRESHOLD } from '../../domain/rent-law'
import type { Deps } from '../../deps'
import { refuse } from '../../errors'
import type { Reader } from '../../http/reads/reader'
import { getWords } from '../../messages'
import { methodLabels } from '../../messages/payments'
import { translateText } from '../../messages/results'
import { chargeWords } from '../charges/descriptions'
import { getTaxNames } from '../payments/tds'
import { findLandlordPan } from './landlord-pan'
import { loadParties } from './parties'
import { selectReceipt, type StoredReceipt } from './receipt-queries'

/**
 * Loads the receipt of a payment; one that was reversed is marked as cancelled.
 * @throws NOT_FOUND The payment is not visible to the reader, or was never posted.
 */
export async function loadReceipt(deps: Deps, reader: Reader, key: RecordId, language: Language) {
  const given = { key, words: chargeWords[language] }
  const stored = (await reader.row(selectReceipt, given, 'payment_not_found')) as StoredReceipt
  const { receipt_number, reversal_reason } = stored
  if (!receipt_number) throw refuse('receipt_not_found')

  const parties = await loadParties(deps, stored.agreement_id, language)
  const [settled, further] = splitRows(stored.settled)
  const url = `${deps.publicUrl()}/receipts/${stored.payment_id}`
  const hasRent = stored.settled.some(({ type }) => type === 'rent')
  const data = {
    ...stored,
    ...splitTotal(stored),
    settled,
    further: { count: further.length, amount: sumRupees(further.map(({ amount }) => amount)) },
    receipt_number,
    parties,
    payer: parties.tenants.find(({ id }) => id === stored.payer_id)!.name,
    landlord_pan: (hasRent && (await findLandlordPan(deps, stored.agreement_id, stored.paid_on))) || null,
    is_cancelled: stored.status === 'reversed',
    reversal_reason: reversal_reason && translateText(reversal_reason, language),
    amount_in_words: toAmountInWords(toPaise(stored.amount), language),
    method: getWords(methodLabels[stored.method], language),
    balance: stored.balance ?? 0,
    tax: findTax(stored),
    needs_stamp: stored.method === 'cash' && isAbove(REVENUE_STAMP_THRESHOLD, stored.amount, stored.paid_on),
    url,
    qr_code: renderQrCode(url),
  }
  return { fileName: receipt_number, name: 'receipt', data } as const
}

/** What names the tax that was withheld with a payment that stands. */
function findTax({ status, tds_amount, tax_day }: StoredReceipt) {
  if (tds_amount === 0 || status === 'reversed') return null
  const year = getFiscalYear(tax_day)
  const { section, certificate_form } = getTaxNames(parseFiscalYear(year)!.to)
  return { year, section, certificate_form }
}

/** What was received, and what of it is an advance: neither settles a charge nor was paid back. */
function splitTotal({ amount, tds_amount, refunded_amount, settled }: StoredReceipt) {
  const total = toPaise(amount) + toPaise(tds_amount)
  const used = sumPaise(settled.map(charge => toPaise(charge.amount))) + toPaise(refunded_amount)
  return { total: toRupees(total), advance: toRupees(total - used) }
}
