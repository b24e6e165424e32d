import { isAbove, REVENUE_STAMP_THRESHOLD } from '../../domain/rent-law'
import { sumRupees, toPaise } from '../../domain/money'
import { formatAmount, formatCount, formatDate, formatRupees, splitFitting } from '../../pdf/formats'
import { CONTENT_WIDTH, PdfLayout, type Figure } from '../../pdf/layout'
import { createQrCode } from '../../pdf/qr-code'
import {
  addDescriptionList,
  addHeading,
  addTable,
  addTitle,
  createCell,
  finishDocument,
  styles,
  type TableColumn,
} from '../../pdf/sections'
import { toAmountInWords } from '../../domain/amount-in-words'
import { methodLabels } from '../../messages/labels'
import { describeLease, formatPeriod } from './descriptions'
import type { LeaseParties } from './parties'
import type { StoredReceipt } from './receipt-queries'

/** The content of a receipt: dates as YYYY-MM-DD, rupees; null is unknown or did not happen. */
export interface ReceiptData extends Omit<StoredReceipt, 'agreement_id' | 'payer_id' | 'status'> {
  receipt_number: string
  parties: LeaseParties
  payer: string
  /** Only where the year's rent needs it. */
  landlord_pan: string | null
  isCancelled: boolean
  /** Amount and tax together. */
  total: number
  advance: number
  /** The page that says whether the receipt is valid. */
  url: string
}

const QR_SIZE = 92
const STAMP_BOX = { x: CONTENT_WIDTH - 112, width: 112, height: 84 }

/** A receipt as a PDF; the same data gives the same bytes. */
export async function renderReceipt(data: ReceiptData): Promise<Uint8Array> {
  const { receipt_number, reversed_at, posted_at, isCancelled } = data
  const page = new PdfLayout({
    title: `Receipt ${receipt_number}`,
    createdAt: new Date(reversed_at ?? posted_at),
  })
  if (isCancelled) page.setStamp('CANCELLED')
  addTitle(page, 'Receipt', receipt_number)
  addPayment(page, data)
  addLease(page, data)
  addSettled(page, data)
  addCheck(page, data)
  return finishDocument(page, `Receipt ${receipt_number} by Kiraya · Payment ${data.payment_id}`)
}

function addPayment(page: PdfLayout, data: ReceiptData) {
  addHeading(page, data.isCancelled ? 'Cancelled payment' : 'Received')
  addDescriptionList(page, [
    ['Cancelled', data.isCancelled ? describeCancellation(data) : null],
    ['Amount', formatRupees(data.amount)],
    ['In words', toAmountInWords(toPaise(data.amount))],
    ['Tax deducted', data.tds_amount > 0 ? describeTds(data) : null],
    ['Received from', data.payer],
    ['Received by', `${data.parties.landlord}, landlord`],
    ["Landlord's PAN", data.landlord_pan],
    ['Paid on', formatDate(data.paid_on)],
    // What was withheld as tax was paid by no method.
    ['Paid by', data.amount > 0 ? describeMethod(data) : null],
  ])
}

function describeCancellation({ reversed_on, reversal_reason }: ReceiptData) {
  const on = reversed_on ? `On ${formatDate(reversed_on)}` : 'Yes'
  return reversal_reason ? `${on}: ${reversal_reason}` : on
}

function describeTds({ tds_amount, tds_certificate_number, total }: ReceiptData) {
  const certificate = tds_certificate_number ? `, certificate ${tds_certificate_number}` : ''
  return `${formatRupees(tds_amount)} (TDS${certificate}); with it ${formatRupees(total)} are settled`
}

function describeMethod({ method, reference, cheque_date }: ReceiptData) {
  const label = methodLabels[method][0]
  const named = label.charAt(0).toUpperCase() + label.slice(1)
  const dated = cheque_date && `dated ${formatDate(cheque_date)}`
  return [named, reference, dated].filter(Boolean).join(', ')
}

function addLease(page: PdfLayout, { parties }: ReceiptData) {
  addHeading(page, 'For')
  addDescriptionList(page, describeLease(parties))
}

const columns: TableColumn[] = [
  { title: 'Charge', x: 0, width: 168 },
  { title: 'Period', x: 176, width: 132 },
  { title: 'Due on', x: 316, width: 70 },
  { title: 'Paid (₹)', x: 394, width: CONTENT_WIDTH - 394, align: 'right' },
]

function addSettled(page: PdfLayout, data: ReceiptData) {
  const { settled, advance, refunded_amount, total, balance } = data
  const [fitting, further] = splitFitting(settled, ({ description }) => description)
  const charges = fitting.map(({ description, due_date, amount, ...period }) => [
    description,
    formatPeriod(period),
    formatDate(due_date),
    formatAmount(amount),
  ])
  const others = [
    [`${formatCount(further.length)} further charges`, sumRupees(further.map(({ amount }) => amount))],
    ['Advance for later charges', advance],
    ['Paid back', refunded_amount],
  ] as const
  const rest = others.flatMap(([label, amount]) =>
    amount > 0 ? [[label, '', '', formatAmount(amount)]] : [],
  )
  addHeading(page, 'What it pays')
  addTable(page, columns, [...charges, ...rest], [['Total', '', '', formatAmount(total)]])
  page.addSpace(8)
  addDescriptionList(page, [['What remains', describeBalance(balance ?? 0)]])
}

/** It is that of the posting, so it stays when later charges are posted. */
function describeBalance(balance: number) {
  if (balance > 0) return `${formatRupees(balance)} to pay after this payment`
  if (balance < 0) return `Nothing; ${formatRupees(-balance)} are in advance after this payment`
  return 'Nothing after this payment'
}

function addCheck(page: PdfLayout, data: ReceiptData) {
  const { method, amount, paid_on, url, receipt_number, parties } = data
  const hasStamp = method === 'cash' && isAbove(REVENUE_STAMP_THRESHOLD, amount, paid_on)
  const alt = `QR code of ${url}`
  const figures = [createQrCode(url, { x: 0, size: QR_SIZE, alt }), ...(hasStamp ? [stampBox] : [])]
  const width = STAMP_BOX.x - QR_SIZE - 40
  const cell = (text: string) => createCell(text, { style: styles.label, x: QR_SIZE + 16, width })
  page.addSpace(22)
  page.addFigures(figures, () => {
    page.addSpace(6)
    const stamp = createCell('Affix a revenue stamp', {
      style: styles.label,
      x: STAMP_BOX.x + 8,
      width: STAMP_BOX.width - 16,
    })
    const check = cell(`Scan to see whether receipt ${receipt_number} stands; the page shows nothing else.`)
    page.addRow(hasStamp ? [check, stamp] : [check])
    page.addSpace(4)
    page.addRow([cell(url)])
    page.addSpace(4)
    page.addRow([cell(`From the books that ${parties.landlord} keeps with Kiraya.`)])
  })
}

const stampBox: Figure = {
  ...STAMP_BOX,
  alt: 'Place of the revenue stamp',
  paint: doc =>
    doc.rect(0, 0, STAMP_BOX.width, STAMP_BOX.height).lineWidth(0.7).dash(3, {}).stroke('#5d6875'),
}
