import type { Charge } from './charges.ts'
import type { Payment } from './payments.ts'

/** A charge in an export; its state follows from its amounts and the day. */
export interface ExportedCharge extends Omit<Charge, 'status'> {}

/** A line of a posting. */
export interface ExportedJournalLine {
  /** Such as `receivable`, `advance`, `bank` or `income:rent`. */
  account: string
  /** Indian rupees; 0 of a credit. */
  debit: number
  /** Indian rupees; 0 of a debit. */
  credit: number
}

/** A posting in an export. */
export interface ExportedJournal {
  /** The posting's number, by which a reversal names it. */
  id: number
  /** From 1, without gaps. */
  position: number
  /** What was posted, such as `charge` or `payment`. */
  kind: string
  /** The day on which it counts, YYYY-MM-DD. */
  effective_on: string
  /** An ISO 8601 timestamp. */
  posted_at: string
  /** Who posted it; null for the system. */
  actor_id: number | null
  /** The number of its charge; null without one. */
  charge_id: number | null
  /** The number of its payment; null without one. */
  payment_id: number | null
  /** The number of the posting whose mirror it is; null if it is none. */
  reverses_id: number | null
  /** Why it was posted; null without a reason. */
  reason: string | null
  /** The UTR of a refund, or the number of its cheque; else null. */
  reference: string | null
  /** A SHA-256 in hex, of the posting and the previous posting's hash. */
  hash: string
  /** Their debits equal their credits. */
  lines: ExportedJournalLine[]
}

/** A change of the rent in an export. */
export interface ExportedRevision {
  /** The revision's UUID. */
  revision_id: string
  /** Indian rupees a month. */
  rent_amount: number
  /** The first day of the new rent, YYYY-MM-DD. */
  effective_on: string
  /** Where it comes from, such as `escalation`. */
  source: string
  /** The state of the revision. */
  status: string
  /** The user who decided it; null for an escalation, and before that. */
  decided_by_id: number | null
  /** An ISO 8601 timestamp; null before it is decided. */
  decided_at: string | null
  /** An ISO 8601 timestamp. */
  created_at: string
}

/** The settlement of a deposit in an export. */
export interface ExportedSettlement {
  /** The settlement's UUID. */
  settlement_id: string
  /** What was kept of the deposit: type, description and amount of each deduction. */
  deductions: any
  /** Indian rupees that were held. */
  held_amount: number
  /** Indian rupees of open rent that it pays. */
  open_rent: number
  /** Indian rupees of an advance that pay deductions. */
  advance_amount: number
  /** Indian rupees that go back to the tenants. */
  refund_amount: number
  /** How they go back; null before that. */
  refund_method: string | null
  /** The UTR of a transfer or the number of a cheque. */
  reference: string | null
  /** The state of the settlement. */
  status: string
  /** Why a tenant disputes it; null if none does. */
  dispute_reason: string | null
  /** The tenant who accepted or disputed it last; null before that. */
  decided_by_id: number | null
  /** An ISO 8601 timestamp; null before that. */
  decided_at: string | null
  /** An ISO 8601 timestamp; null before it is posted. */
  posted_at: string | null
  /** An ISO 8601 timestamp. */
  created_at: string
}

/** The books of an agreement in an export. */
export interface ExportedBooks {
  /** What is owed. */
  charges: ExportedCharge[]
  /** What was paid. */
  payments: Payment[]
  /** Every posting, in order. */
  journals: ExportedJournal[]
  /** Changes of the rent. */
  rent_revisions: ExportedRevision[]
  /** Settlements of the deposit. */
  deposit_settlements: ExportedSettlement[]
}
