import type { PaymentMethod } from '@kiraya/sdk/contract'
import { formatAddress } from '../agreements/lease-labels'
import { formatDate, formatRupees } from '../pdf/formats'
import type { LeaseParties } from './parties'
import type { Entry } from './queries'

export const methodLabels: Record<PaymentMethod, string> = {
  cash: 'cash',
  upi: 'UPI',
  bank_transfer: 'bank transfer',
  cheque: 'cheque',
  payment_link: 'payment link',
}

const creditLabels: Record<string, string> = {
  proration: 'unused days',
  waiver: 'waived',
  correction: 'correction',
  write_off: 'written off',
  paid_in_time: 'paid in time',
}

type Described = [term: string, value: string]

/** Names both sides of a lease. */
export function describeParties({ landlord, tenants }: LeaseParties): Described[] {
  const names = tenants.map(({ name }) => name).join(', ')
  return [
    ['Landlord', landlord],
    [tenants.length > 1 ? 'Tenants' : 'Tenant', names],
  ]
}

/** Says what is let under which agreement. */
export function describeLease({ premises, agreement_number }: LeaseParties): Described[] {
  return [
    ['Unit', premises.unit_name],
    ['Address', formatAddress(premises)],
    ['Agreement', agreement_number],
  ]
}

type Period = { period_start: string | null; period_end: string | null }

/** A period as `15 Dec 2026 – 31 Dec 2026`; nothing if there is none. */
export function formatPeriod({ period_start, period_end }: Period) {
  return period_start && period_end ? `${formatDate(period_start)} – ${formatDate(period_end)}` : ''
}

/** Says in English what an entry of the account is. */
export function describeEntry(entry: Entry): string {
  return describeByKind[entry.kind](entry)
}

const describeByKind: Record<Entry['kind'], (entry: Entry) => string> = {
  charge: ({ charge }) => describeCharge(charge!),
  credit: ({ charge, reason }) =>
    `Credit, ${creditLabels[reason ?? ''] ?? 'correction'}: ${describeCharge(charge!)}`,
  payment: describePayment,
  refund: describeRefund,
  settlement: ({ charge }) => `Settled from the deposit${charge ? `: ${describeCharge(charge)}` : ''}`,
  reversal: ({ payment }) => describeReversal(payment!),
}

function describeCharge(charge: NonNullable<Entry['charge']>) {
  const days = formatPeriod(charge)
  return days ? `${charge.description}, ${days}` : charge.description
}

function describeRefund({ payment, reference }: Entry) {
  const from = payment && `from ${describeReceipt(payment)}`
  return ['Advance paid back', reference, from].filter(Boolean).join(', ')
}

type PaymentOfEntry = NonNullable<Entry['payment']>

function describePayment({ payment, amount }: Entry) {
  const { method, reference, tds_amount } = payment!
  if (tds_amount === -amount) return `Tax withheld (TDS), ${describeReceipt(payment!)}`
  const by = `Payment by ${methodLabels[method]}${reference ? ` ${reference}` : ''}`
  const tds = tds_amount > 0 ? `, with TDS of ${formatRupees(tds_amount)}` : ''
  return `${by}, ${describeReceipt(payment!)}${tds}`
}

const describeReceipt = ({ receipt_number }: PaymentOfEntry) => `receipt ${receipt_number}`

/** As long as a charge's description, so that the lines of a PDF are bounded. */
const MAX_REASON_LENGTH = 255

function describeReversal(payment: PaymentOfEntry) {
  const reason = payment.reversal_reason ? `: ${payment.reversal_reason.slice(0, MAX_REASON_LENGTH)}` : ''
  return `Payment taken back, ${describeReceipt(payment)}${reason}`
}
