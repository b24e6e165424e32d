import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OptionalNullable, PositiveRupees, StringEnum, Text, Timestamp, Uuid } from './common.ts'
import { PaymentMethod } from './payments.ts'

export const DeductionType = StringEnum('damage', 'electricity', 'water', 'maintenance', 'other')
export type DeductionType = Static<typeof DeductionType>
export const SettlementStatus = StringEnum('proposed', 'accepted', 'disputed', 'posted')
export type SettlementStatus = Static<typeof SettlementStatus>

const DeductionInput = Type.Object({ type: DeductionType, description: Text(255), amount: PositiveRupees })

/** What the landlord keeps of the deposit. An empty list refunds all that open charges leave. */
export const NewSettlement = Type.Object({
  deductions: Type.Array(DeductionInput, { maxItems: 50, description: 'an array of at most 50 deductions' }),
  /** How the rest is refunded: required if there is any, here or when the settlement is posted. */
  refund_method: OptionalNullable(PaymentMethod),
  /** The UTR or cheque number of the refund; it may be given when the settlement is posted. */
  reference: OptionalNullable(Text(100)),
})
export type NewSettlement = Static<typeof NewSettlement>

/** Replaces what the proposal says of the refund. */
export const SettlementPosting = Type.Object({
  refund_method: OptionalNullable(PaymentMethod),
  reference: OptionalNullable(Text(100)),
})
export type SettlementPosting = Static<typeof SettlementPosting>

/** Names the proposal that is meant. It is required once a proposal was replaced. */
const named = { settlement_id: Type.Optional(Uuid) }

export const AcceptInput = Type.Object(named)
export type AcceptInput = Static<typeof AcceptInput>

export const DisputeInput = Type.Object({ reason: Text(5000, 'paragraphs'), ...named })
export type DisputeInput = Static<typeof DisputeInput>

export const Deduction = Type.Object({
  type: DeductionType,
  description: Type.String(),
  amount: Type.Number(),
})
export type Deduction = Static<typeof Deduction>

/**
 * How the deposit of an ended lease is settled, in rupees: `refund_amount` is `held_amount` less `open_rent` and
 * `deducted_amount`. Where these are more, the rest of an advance pays `advance_amount` of the deductions, and
 * `owed_amount` stays owed. `open_rent` is what was owed apart from the deductions, less an advance.
 */
export const DepositSettlement = Type.Object({
  id: Type.Integer(),
  /** Changes with each proposal. */
  settlement_id: Type.String(),
  agreement_id: Type.Integer(),
  status: SettlementStatus,
  deductions: Type.Array(Deduction),
  held_amount: Type.Number(),
  open_rent: Type.Number(),
  deducted_amount: Type.Number(),
  advance_amount: Type.Number(),
  refund_amount: Type.Number(),
  owed_amount: Type.Number(),
  refund_method: Nullable(PaymentMethod),
  reference: Nullable(Type.String()),
  /** Why a tenant disputed it; it stays once the settlement is posted. */
  dispute_reason: Nullable(Type.String()),
  /** The tenant who accepted or disputed it last. */
  decided_by_id: Nullable(Type.Integer()),
  decided_at: Nullable(Timestamp),
  posted_at: Nullable(Timestamp),
  created_at: Timestamp,
})
export type DepositSettlement = Static<typeof DepositSettlement>
export const DepositSettlementResponse = Type.Object({ message: Type.String(), data: DepositSettlement })

/**
 * The deposit of an agreement, in rupees. `deducted` is the part that settled charges, `from_previous` what came
 * over from the lease that this one renews, `to_next` what went to its own renewal.
 */
export const Deposit = Type.Object({
  agreement_id: Type.Integer(),
  agreed: Type.Number(),
  held: Type.Number(),
  deducted: Type.Number(),
  refunded: Type.Number(),
  from_previous: Type.Number(),
  to_next: Type.Number(),
  settlement: Nullable(DepositSettlement),
})
export type Deposit = Static<typeof Deposit>
export const DepositResponse = Type.Object({ message: Type.String(), data: Deposit })
