/** The days of a statement: a year, or a first and a last day. Without them it is the whole account. */
export interface StatementQuery {
  /** YYYY-MM-DD, the first day. */
  from?: string
  /** YYYY-MM-DD, the last day. */
  to?: string
  /** From April to March, such as `2026-27`, instead of days. */
  year?: string
}

/** What an entry of an account is; a `reversal` takes another one back. */
export type StatementLineKind = 'charge' | 'credit' | 'payment' | 'refund' | 'settlement' | 'reversal'

/** An entry of an account. */
export interface StatementLine {
  /** YYYY-MM-DD. */
  date: string
  /** What it is. */
  kind: StatementLineKind
  /** What it is for, in English. */
  description: string
  /** The charge's number, if it is about one. */
  charge_id: number | null
  /** The payment's number, if it is about one. */
  payment_id: number | null
  /** Indian rupees that became due. */
  debit: number
  /** Indian rupees that were paid or credited. */
  credit: number
  /** Indian rupees that the tenants owe after it; below zero an advance. */
  balance: number
}

/** The tenants' account under an agreement. */
export interface Statement {
  /** The agreement's number in the API. */
  agreement_id: number
  /** The number of the agreement by which its parties know it. */
  agreement_number: string
  /** YYYY-MM-DD, the first day. */
  from: string
  /** YYYY-MM-DD, the last day. */
  to: string
  /** Indian rupees that the tenants owed before the first day; below zero an advance. */
  opening_balance: number
  /** The entries in their order. */
  lines: StatementLine[]
  /** Indian rupees that became due. */
  total_debit: number
  /** Indian rupees that were paid or credited. */
  total_credit: number
  /** Indian rupees that the tenants owe at the end; below zero an advance. */
  closing_balance: number
  /** The deposit at the end, in Indian rupees. */
  deposit: { agreed: number; paid: number; held: number }
}

/** Whose rent of which year a proof is of. */
export interface RentProofQuery {
  /** From April to March, such as `2026-27`; the present year by default. */
  year?: string
  /** The tenant's user number; the landlord's side needs it if there are several tenants. */
  payer_id?: number
}
