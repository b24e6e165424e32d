import type { DeductionType, DepositSettlement, SettlementStatus } from '@kiraya/sdk/contract'
import { toIndianDate } from '../../domain/dates'
import { toPaise } from '../../domain/money'
import { formatAmount, formatCount, formatDate, formatRupees, splitFitting } from '../../pdf/formats'
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
import { methodLabels } from '../../messages/labels'
import { describeLease, describeParties } from '../statements/descriptions'
import type { LeaseParties } from '../statements/parties'
import type { SettlementStep } from './settlement-sheet'

/** What was done with the settlement, at an ISO timestamp. */
export type SettlementEvent = {
  type: SettlementStep
  occurred_at: string
  by: string
  /** Why it was disputed. */
  reason: string | null
}

/** The content of a settlement sheet. The events are from the first to the last. */
export interface SettlementData {
  settlement: DepositSettlement
  parties: LeaseParties
  events: SettlementEvent[]
}

const statusLabels: Record<SettlementStatus, string> = {
  proposed: 'Proposal of the landlord; a tenant accepts or disputes it',
  accepted: 'Accepted by a tenant, not yet posted',
  disputed: 'Disputed by a tenant, not yet posted',
  posted: 'Settled',
}

/** The word across the pages of one that may still change. */
const stamps: Partial<Record<SettlementStatus, string>> = { proposed: 'PROPOSAL', disputed: 'DISPUTED' }

/** The settlement of a deposit as a PDF; the same data gives the same bytes. */
export async function renderSettlement(data: SettlementData): Promise<Uint8Array> {
  const { settlement, parties, events } = data
  const { status, created_at, settlement_id } = settlement
  const page = new PdfLayout({
    title: `Deposit settlement of agreement ${parties.agreement_number}`,
    createdAt: new Date(events.at(-1)?.occurred_at ?? created_at),
  })
  const stamp = stamps[status]
  if (stamp) page.setStamp(stamp)
  addTitle(page, 'Deposit settlement', statusLabels[status])
  addDescriptionList(page, [...describeParties(parties), ...describeLease(parties)])
  addAccount(page, settlement)
  addRefund(page, settlement)
  addEvents(page, events)
  page.addSpace(14)
  addNote(page, `From the books that ${parties.landlord} keeps with Kiraya.`)
  return finishDocument(page, `Deposit settlement by Kiraya · Settlement ${settlement_id}`)
}

const deductionLabels: Record<DeductionType, string> = {
  damage: 'Damage',
  electricity: 'Electricity',
  water: 'Water',
  maintenance: 'Maintenance',
  other: 'Other',
}

const accountColumns: TableColumn[] = [
  { title: 'Item', x: 0, width: 112 },
  { title: 'Description', x: 120, width: 270 },
  { title: 'Amount (₹)', x: 398, width: CONTENT_WIDTH - 398, align: 'right' },
]

function addAccount(page: PdfLayout, settlement: DepositSettlement) {
  const { held_amount, open_rent, deductions, advance_amount, refund_amount, owed_amount } = settlement
  const rows = [
    ['Deposit held', '', formatAmount(held_amount)],
    ['Open rent and charges', 'What is outstanding, less what was paid in advance', formatLess(open_rent)],
    ...deductions.map(({ type, description, amount }) => [
      deductionLabels[type],
      description,
      formatLess(amount),
    ]),
    ...(advance_amount > 0
      ? [['Advance', 'Paid before, used for deductions', formatAmount(advance_amount)]]
      : []),
  ]
  const result =
    owed_amount > 0
      ? ['Owed by the tenant', 'Beyond the deposit', formatAmount(owed_amount)]
      : ['Refund', 'To the tenant', formatAmount(refund_amount)]
  addHeading(page, 'The account')
  addTable(page, accountColumns, rows, [result])
}

const formatLess = (rupees: number) => (rupees > 0 ? `− ${formatAmount(rupees)}` : formatAmount(0))

function addRefund(page: PdfLayout, settlement: DepositSettlement) {
  const { refund_amount, owed_amount, deducted_amount, refund_method, reference, status } = settlement
  const amount = owed_amount > 0 ? owed_amount : refund_amount
  const method = refund_amount > 0 && refund_method ? capitalize(methodLabels[refund_method][0]) : null
  addHeading(page, owed_amount > 0 ? 'What stays owed' : 'The refund')
  addDescriptionList(page, [
    ['Deductions', formatRupees(deducted_amount)],
    [owed_amount > 0 ? 'Owed' : 'Refund', formatRupees(amount)],
    ['In words', toAmountInWords(toPaise(amount))],
    [status === 'posted' ? 'Refunded by' : 'To be refunded by', method],
    ['Reference', method && reference],
  ])
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const stepLabels: Record<SettlementStep, string> = {
  deposit_proposed: 'Proposed',
  deposit_accepted: 'Accepted',
  deposit_disputed: 'Disputed',
  deposit_settled: 'Posted',
}

const eventColumns: TableColumn[] = [
  { title: 'Day', x: 0, width: 84 },
  { title: 'Step', x: 92, width: 84 },
  { title: 'By', x: 184, width: CONTENT_WIDTH - 184 },
]

const formatDay = (instant: string) => formatDate(toIndianDate(new Date(instant)))

/** A reason may be as long as a page, so it stands below the table. */
function addEvents(page: PdfLayout, events: SettlementEvent[]) {
  addHeading(page, 'How it came about')
  const [fitting, earlier] = splitFitting(events.toReversed(), ({ by, reason }) => `${by}${reason ?? ''}`)
  const latest = fitting.toReversed()
  if (earlier.length > 0) addNote(page, `The ${formatCount(earlier.length)} steps before these are left out.`)
  const rows = latest.map(({ type, occurred_at, by }) => [formatDay(occurred_at), stepLabels[type], by])
  addTable(page, eventColumns, rows)
  page.addSpace(8)
  addDescriptionList(
    page,
    latest.map(({ occurred_at, reason }) => [`Reason, ${formatDay(occurred_at)}`, reason]),
  )
}
