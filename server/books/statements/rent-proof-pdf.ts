import { findInForce, HRA_PAN_THRESHOLD, TAX_FORMS } from '../../domain/rent-law'
import { sumPaise, sumRupees, toPaise, toRupees } from '../../domain/money'
import {
  formatAmount,
  formatCount,
  formatDate,
  formatList,
  formatRupees,
  splitFitting,
} from '../../pdf/formats'
import { CONTENT_WIDTH, PdfLayout } from '../../pdf/layout'
import {
  addDescriptionList,
  addHeading,
  addNote,
  addTable,
  addTitle,
  finishDocument,
  type TableColumn,
} from '../../pdf/sections'
import { toAmountInWords } from '../../domain/amount-in-words'
import { describeLease, formatPeriod } from './descriptions'
import type { LeaseParties } from './parties'
import type { PaidRent } from './rent-proof-queries'

/** The content of a rent proof: days as YYYY-MM-DD, rupees. */
export interface RentProofData {
  /** Such as 2026-27. */
  year: string
  days: { from: string; to: string }
  payer: string
  parties: LeaseParties
  /** Absent where the rent needs none, null where it is not stored. */
  landlord_pan: string | null | undefined
  rents: PaidRent[]
}

const columns: TableColumn[] = [
  { title: 'Rent of', x: 0, width: 140 },
  { title: 'Paid on', x: 148, width: 82 },
  { title: 'Receipts', x: 238, width: 106 },
  { title: 'Rent (₹)', x: 352, width: 66, align: 'right' },
  { title: 'Paid (₹)', x: 426, width: CONTENT_WIDTH - 426, align: 'right' },
]

/** What a tenant shows the employer of the rent of a year, as a PDF; the same data gives the same bytes. */
export async function renderRentProof(data: RentProofData): Promise<Uint8Array> {
  const { year, days, payer, parties, rents } = data
  const form = findInForce(TAX_FORMS, days.from)!.rent_claim
  const total = sumPaise(rents.map(({ paid }) => toPaise(paid)))
  const page = new PdfLayout({
    title: `Rent of ${year} paid by ${payer}`,
    createdAt: new Date(
      `${
        rents
          .flatMap(({ paid_on }) => paid_on)
          .toSorted()
          .at(-1) ?? days.from
      }T00:00:00Z`,
    ),
  })
  addTitle(page, 'Proof of rent paid', `${formatDate(days.from)} to ${formatDate(days.to)}`)
  addDescriptionList(page, [
    ['Tenant', payer],
    ['Landlord', parties.landlord],
    ["Landlord's PAN", describePan(data)],
    ...describeLease(parties),
  ])
  addRents(page, rents, total)
  page.addSpace(14)
  addNote(
    page,
    `For the employer, with the claim of house rent, commonly in Form ${form}, for the year ${year}.`,
  )
  return finishDocument(page, `Rent proof by Kiraya · Agreement ${parties.agreement_number} · ${year}`)
}

function describePan({ landlord_pan, days }: RentProofData) {
  if (landlord_pan !== null) return landlord_pan
  const { rupees } = findInForce(HRA_PAN_THRESHOLD, days.from)!
  return `Not recorded; claims of more than ${formatRupees(rupees)} a year commonly need it`
}

function addRents(page: PdfLayout, rents: PaidRent[], total: number) {
  addHeading(page, 'The rent')
  const [fitting, further] = splitFitting(rents, ({ receipts }) => formatList(receipts))
  const rows = fitting.map(({ description, due_date, rent, paid, paid_on, receipts, ...period }) => [
    formatPeriod(period) || `${description}, due ${formatDate(due_date)}`,
    formatList(paid_on.map(day => formatDate(day))),
    formatList(receipts),
    formatAmount(rent),
    formatAmount(paid),
  ])
  if (further.length > 0) rows.push(toFurtherRow(further))
  addTable(page, columns, rows, [['Total', '', '', '', formatAmount(toRupees(total))]])
  page.addSpace(8)
  addDescriptionList(page, [
    ["Paid for the year's rent", formatRupees(toRupees(total))],
    ['In words', toAmountInWords(total)],
  ])
}

function toFurtherRow(rents: PaidRent[]) {
  const label = `${formatCount(rents.length)} further rents`
  const [rent, paid] = [rents.map(({ rent }) => rent), rents.map(({ paid }) => paid)]
  return [label, '', '', formatAmount(sumRupees(rent)), formatAmount(sumRupees(paid))]
}
