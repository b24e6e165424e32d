import type { PaymentMethod } from './payments.ts'

/** What the landlord keeps a part of the deposit for. */
export type DeductionType = 'damage' | 'electricity' | 'water' | 'maintenance' | 'other'

/** A tenant accepts or disputes what is `proposed`; the landlord's side posts either. */
export type SettlementStatus = 'proposed' | 'accepted' | 'disputed' | 'posted'

/** A part of the deposit that the landlord keeps. */
export interface Deduction {
  /** What it is for. */
  type: DeductionType
  /** At most 255 characters. */
  description: string
  /** Indian rupees. */
  amount: number
}

/** How to settle a deposit. */
export interface NewSettlement {
  /** At most 50. An empty list refunds all that open charges leave. */
  deductions: Deduction[]
  /** How the rest is refunded: required if there is any, here or with the posting. */
  refund_method?: PaymentMethod | null
  /** The UTR or cheque number of the refund; it may be given with the posting. */
  reference?: string | null
}

/** Replaces what the proposal says of the refund. */
export interface SettlementPosting {
  /** How the rest is refunded. */
  refund_method?: PaymentMethod | null
  /** The UTR or cheque number of the refund. */
  reference?: string | null
}

/** Which proposal a tenant accepts. */
export interface AcceptInput {
  /** The proposal's UUID; required once the landlord has replaced a proposal. */
  settlement_id?: string
}

/** Why a tenant disputes a settlement. */
export interface DisputeInput extends AcceptInput {
  /** At most 5,000 characters. */
  reason: string
}

/** How the deposit of an ended lease is settled; amounts are Indian rupees. */
export interface DepositSettlement {
  /** The settlement's number. */
  id: number
  /** The UUID of the proposal; a new one has another. */
  settlement_id: string
  /** The agreement's number in the API. */
  agreement_id: number
  /** Where it stands. */
  status: SettlementStatus
  /** What the landlord keeps. */
  deductions: Deduction[]
  /** What was held at the proposal. */
  held_amount: number
  /** What was owed apart from the deductions, less an advance. */
  open_rent: number
  /** The sum of the deductions. */
  deducted_amount: number
  /** What an advance pays of the deductions beyond the deposit; what is left of it stays an advance. */
  advance_amount: number
  /** What is held, less `open_rent` and the deductions. */
  refund_amount: number
  /** What stays owed where these are more, less `advance_amount`. */
  owed_amount: number
  /** How the rest is refunded. */
  refund_method: PaymentMethod | null
  /** The UTR or cheque number of the refund. */
  reference: string | null
  /** Why a tenant disputed it; it stays once the settlement is posted. */
  dispute_reason: string | null
  /** The tenant who accepted or disputed it last. */
  decided_by_id: number | null
  /** ISO 8601. */
  decided_at: string | null
  /** ISO 8601. */
  posted_at: string | null
  /** ISO 8601. */
  created_at: string
}

/** The deposit of an agreement; amounts are Indian rupees. */
export interface Deposit {
  /** The agreement's number in the API. */
  agreement_id: number
  /** What the lease says. */
  agreed: number
  /** What the landlord holds now. */
  held: number
  /** What of it settled charges. */
  deducted: number
  /** What went back to the tenants. */
  refunded: number
  /** What the lease before held, of which this one is the next term. */
  from_previous: number
  /** What moved to the next term. */
  to_next: number
  /** Null until one is proposed. */
  settlement: DepositSettlement | null
}
