import type { PaymentMethod, StatementLineKind, Language } from '@kiraya/sdk/contract'
import { getWords } from '../../messages'
import { creditLabels } from '../../messages/charges'
import { methodLabels } from '../../messages/payments'
import { translateText } from '../../messages/results'
import { statementLines } from '../../messages/statement-lines'
import { formatDate, formatRupees } from '../../domain/formats'

/** A posting that changes what the tenants owe, and what it is about. Amounts are rupees. */
export type StatementEntry = {
  effective_on: string
  kind: StatementLineKind
  /** Above 0 what became due. */
  amount: number
  charge_id: number | null
  payment_id: number | null
  description: string | null
  period_start: string | null
  period_end: string | null
  credit_reason: keyof typeof creditLabels | null
  method: PaymentMethod | null
  reference: string | null
  receipt_number: string | null
  tds_amount: number | null
  reversal_reason: string | null
}

/** Says what a line of a statement is. */
export function describeLine(entry: StatementEntry, language: Language) {
  const { credit_reason, method, tds_amount } = entry
  return statementLines[language][getLineName(entry)]({
    charge: describeCharge(entry, language),
    reason: credit_reason && getWords(creditLabels[credit_reason], language),
    method: method && getWords(methodLabels[method], language),
    reference: entry.reference,
    receipt: entry.receipt_number,
    tax: tds_amount ? formatRupees(tds_amount) : null,
    reversal: entry.reversal_reason && translateText(entry.reversal_reason, language),
  })
}

function getLineName({ kind, amount, tds_amount, charge_id, payment_id }: StatementEntry) {
  // A credit that is taken back makes its charge due again.
  if (kind === 'reversal' && charge_id && !payment_id) return 'charge'
  if (kind === 'transfer') return amount > 0 ? 'moved_out' : 'moved_in'
  if (kind === 'reversal') return amount > 0 ? 'payment_reversal' : 'refund_reversal'
  return kind === 'payment' && tds_amount === -amount ? 'tax' : kind
}

/** A charge with its period, if it has one, as `Rent, 15 Dec 2026 – 31 Dec 2026`. */
function describeCharge({ description, period_start, period_end }: StatementEntry, language: Language) {
  if (!period_start || !period_end) return description
  return `${description}, ${formatDate(period_start, language)} – ${formatDate(period_end, language)}`
}
