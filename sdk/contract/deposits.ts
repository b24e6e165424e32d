import { Type, type Static } from '@sinclair/typebox'
import {
  accepted_on_paper,
  computed,
  described,
  field,
  identity,
  list,
  nullable,
  optional,
  paper_accepted_on,
  paragraphs,
  PositiveRupees,
  response,
  stringEnum,
  text,
  Timestamp,
  Uuid,
  view,
} from './common.ts'
import { PaymentMethod } from './payments.ts'

export const DeductionType = field(
  stringEnum('damage', 'electricity', 'water', 'maintenance', 'other'),
  'What the landlord keeps part of the deposit for.',
)
export type DeductionType = Static<typeof DeductionType>
export const SettlementStatus = field(
  stringEnum('proposed', 'accepted', 'disputed', 'posted'),
  "A tenant accepts or disputes what is `proposed`; the landlord's side posts either.",
)
export type SettlementStatus = Static<typeof SettlementStatus>

const deduction = {
  type: field(DeductionType, 'What it is for'),
  description: field(text(255), 'What it is for, in words'),
  amount: field(PositiveRupees, 'Indian rupees'),
}
const Deductions = list(Type.Object(deduction), 50, 'deductions')
const refund = {
  refund_method: optional(PaymentMethod, 'How the rest is refunded'),
  reference: optional(text(100), 'The UTR or cheque number of the refund'),
}

export const NewSettlement = described(
  'An empty list of deductions refunds all that open charges leave. `refund_method` is required if anything is ' +
    'refunded, here or when the settlement is posted.',
  { deductions: field(Deductions, 'What the landlord keeps of the deposit'), ...refund },
)
export type NewSettlement = Static<typeof NewSettlement>

export const SettlementPosting = described('Replaces what the proposal says of the refund.', {
  ...refund,
  accepted_on_paper,
  unanswered: optional(Type.Boolean(), 'Whether no answer is needed, from `unanswered_from` on'),
})
export type SettlementPosting = Static<typeof SettlementPosting>

const settlement_id = field(Uuid, 'The UUID of the proposal that the tenant has read')

export const AcceptInput = described('Which proposal a tenant accepts.', { settlement_id })
export type AcceptInput = Static<typeof AcceptInput>

export const DisputeInput = described('Why a tenant disputes a settlement.', {
  reason: field(paragraphs(5000), 'Why the tenant disputes it'),
  settlement_id,
})
export type DisputeInput = Static<typeof DisputeInput>

export const Deduction = described('Part of the deposit that the landlord keeps.', view(deduction))
export type Deduction = Static<typeof Deduction>

export const DepositSettlement = described('How the deposit of an ended lease is settled, in rupees.', {
  ...identity('settlement_id'),
  settlement_id: field(Type.String(), 'The UUID of the proposal; a new one has another'),
  agreement_id: field(Type.Integer(), "The agreement's number"),
  status: field(SettlementStatus, 'Where it stands'),
  deductions: field(Type.Array(Deduction), 'What the landlord keeps'),
  held_amount: field(Type.Number(), 'What was held at the proposal'),
  open_rent: field(Type.Number(), 'What was owed apart from the deductions, less an advance'),
  deducted_amount: computed(Type.Number(), 'The sum of the deductions'),
  advance_amount: field(
    Type.Number(),
    'What an advance pays of the deductions beyond the deposit; what is left of it stays an advance',
  ),
  refund_amount: field(Type.Number(), 'What is held, less `open_rent` and the deductions'),
  owed_amount: computed(Type.Number(), 'What stays owed if these are more, less `advance_amount`'),
  ...view(refund),
  dispute_reason: field(
    nullable(Type.String()),
    'Why a tenant disputed it; it stays once the settlement is posted',
  ),
  paper_accepted_on,
  unanswered: field(Type.Boolean(), 'Whether it was posted without an answer of a tenant'),
  unanswered_from: computed(nullable(Type.String()), 'Its first day; null until all tenants were told'),
  decided_by_id: field(nullable(Type.Integer()), 'The tenant who accepted or disputed it last'),
  decided_at: field(nullable(Timestamp), 'When a tenant accepted or disputed it last'),
  posted_at: field(nullable(Timestamp), 'When it was posted'),
  created_at: field(Timestamp, 'When it was proposed'),
})
export type DepositSettlement = Static<typeof DepositSettlement>
export const DepositSettlementResponse = response(DepositSettlement)

export const Deposit = described('The deposit of an agreement, in rupees.', {
  agreement_id: field(Type.Integer(), "The agreement's number"),
  agreed: field(Type.Number(), 'What the lease says'),
  held: field(Type.Number(), 'What the landlord holds now'),
  deducted: field(Type.Number(), 'What of it settled charges'),
  refunded: field(Type.Number(), 'What went back to the tenants'),
  from_previous: field(Type.Number(), 'What the lease before held, of which this one is the next term'),
  to_next: field(Type.Number(), 'What moved to the next term'),
  settlement: field(nullable(DepositSettlement), 'Null until one is proposed'),
})
export type Deposit = Static<typeof Deposit>
export const DepositResponse = response(Deposit)
