import { Type } from '@sinclair/typebox'
import { Charge } from './charges.ts'
import { field, nullable } from './common.ts'
import { Payment } from './payments.ts'

const { status: _, ...chargeFields } = Charge.properties

const decision = {
  decided_by_id: field(nullable(Type.Integer()), 'Who decided it; null before that'),
  decided_at: field(nullable(Type.String()), 'When it was decided; null before that'),
}

const JournalLine = Type.Object({
  account: field(Type.String(), 'Such as `receivable`, `advance`, `bank` or `income:rent`'),
  debit: field(Type.Number(), 'Indian rupees; 0 of a credit'),
  credit: field(Type.Number(), 'Indian rupees; 0 of a debit'),
})
const Journal = Type.Object({
  id: field(Type.Integer(), "The posting's number, by which a reversal names it"),
  position: field(Type.Integer(), 'From 1, without gaps'),
  kind: field(Type.String(), 'What was posted, such as `charge` or `payment`'),
  effective_on: field(Type.String(), 'The day on which it counts, YYYY-MM-DD'),
  posted_at: field(Type.String(), 'When it was posted'),
  actor_id: field(nullable(Type.Integer()), 'Who posted it; null for the system'),
  charge_id: field(nullable(Type.Integer()), 'The number of its charge; null without one'),
  payment_id: field(nullable(Type.Integer()), 'The number of its payment; null without one'),
  reverses_id: field(
    nullable(Type.Integer()),
    'The number of the posting that it reverses; null if it is none',
  ),
  reason: field(nullable(Type.String()), 'Why it was posted; null without a reason'),
  reference: field(nullable(Type.String()), 'The UTR of a refund, or the number of its cheque; else null'),
  hash: field(Type.String(), "A SHA-256 in hex, of the posting and the previous posting's hash"),
  lines: field(Type.Array(JournalLine), 'Their debits equal their credits'),
})
const Revision = Type.Object({
  revision_id: field(Type.String(), 'Its UUID'),
  rent_amount: field(Type.Number(), 'Indian rupees a month'),
  effective_on: field(Type.String(), 'The first day of the new rent, YYYY-MM-DD'),
  source: field(Type.String(), 'Where it comes from, such as `escalation`'),
  status: field(Type.String(), 'Where it stands'),
  ...decision,
  created_at: field(Type.String(), 'When it was created'),
})
const Settlement = Type.Object({
  settlement_id: field(Type.String(), 'Its UUID'),
  deductions: field(
    Type.Any(),
    'What was kept of the deposit: type, description and amount of each deduction',
  ),
  held_amount: field(Type.Number(), 'Indian rupees that were held'),
  open_rent: field(Type.Number(), 'Indian rupees of open rent that it pays'),
  advance_amount: field(Type.Number(), 'Indian rupees of an advance that pay deductions'),
  refund_amount: field(Type.Number(), 'Indian rupees that go back to the tenants'),
  refund_method: field(nullable(Type.String()), 'How they go back; null before that'),
  reference: field(nullable(Type.String()), 'The UTR of a transfer or the number of a cheque'),
  status: field(Type.String(), 'Where it stands'),
  dispute_reason: field(nullable(Type.String()), 'Why a tenant disputes it; null if none does'),
  ...decision,
  posted_at: field(nullable(Type.String()), 'When it was posted; null before that'),
  created_at: field(Type.String(), 'When it was proposed'),
})

/** The books of an agreement as the export of personal data has them; amounts are rupees. */
export const exportedBooks = {
  charges: field(Type.Array(Type.Object(chargeFields)), 'What is owed'),
  payments: field(Type.Array(Payment), 'What was paid'),
  journals: field(Type.Array(Journal), 'Every posting, in order'),
  rent_revisions: field(Type.Array(Revision), 'Changes of the rent'),
  deposit_settlements: field(Type.Array(Settlement), 'Settlements of the deposit'),
}
