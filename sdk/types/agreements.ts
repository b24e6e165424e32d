import type { BillingTerms, BillingTermsInput } from './billing-terms.ts'
import type { PageQuery } from './common.ts'

/**
 * A DRAFT can be edited, a PENDING one has been sent to be signed, an ACTIVE one is signed by all. A TERMINATED
 * one has ended, and a COMPLETED one is closed for good.
 */
export type AgreementStatus = 'DRAFT' | 'PENDING' | 'ACTIVE' | 'TERMINATED' | 'COMPLETED'

/** The state of one party's signature. */
export type SignatureStatus = 'pending' | 'signed' | 'declined' | 'expired'

/** The optional terms of an agreement. In a creation null means absent, in a change it clears the field. */
export interface AgreementDetails extends BillingTermsInput {
  /** At most 50 letters, digits, spaces, dashes, slashes and dots; without one the server numbers it. */
  agreement_number?: string | null
  /** Indian rupees, with at most two decimals. */
  deposit_amount?: number | null
  /** Extends the lease by the same tenure at its end. */
  auto_renew?: boolean | null
  /** At most 100 texts. */
  amenities?: string[] | null
  /** Whether pets may live in the unit. */
  pets_allowed?: boolean | null
  /** Whether meat may be cooked in the unit. */
  non_veg_allowed?: boolean | null
  /** Whether smoking is allowed. */
  smoking_allowed?: boolean | null
  /** Whether unmarried tenants may live in the unit. */
  bachelor_allowed?: boolean | null
  /** Further rules, at most 5000 characters. */
  additional_policies?: string | null
  /** Improvements that the tenant may make, at most 5000 characters. */
  improvements?: string | null
  /** How the rent is paid, at most 5000 characters. */
  payment_terms?: string | null
  /** Indian rupees, with at most two decimals, for a charge or, of the kind `per_day`, a day. */
  late_fee?: number | null
  /** User numbers of parties in signing order; parties that are not listed may sign at any time. */
  signing_order?: number[] | null
}

/** The terms that every agreement has. */
export interface AgreementTerms {
  /** The unit's number. */
  property_unit_id: number
  /** The http or https address of the lease, a PDF. */
  document_url: string
  /** The first day, YYYY-MM-DD. */
  agreement_start_date: string
  /** Months, from 1 to 600. */
  tenure_in_months: number
  /** Indian rupees a month, with at most two decimals. */
  rent_amount: number
  /** The day of the month, from 1 to 31; the last day in a shorter month. */
  rent_due_day: number
  /** Days, from 0 to 3650. */
  notice_period_days: number
  /** 1 to 100 user numbers, from `tenants.create`. */
  tenant_ids: number[]
}

/** An agreement to create. */
export interface NewAgreement extends AgreementTerms, AgreementDetails {}

/** The terms of an agreement to change. */
export interface AgreementChange extends Partial<AgreementTerms>, AgreementDetails {}

/** What the next term of a lease changes; it begins on the day after the end. */
export interface RenewInput
  extends Partial<Omit<AgreementTerms, 'property_unit_id' | 'agreement_start_date'>>, AgreementDetails {}

/** A lease agreement. */
export interface Agreement extends BillingTerms {
  /** The agreement's number in the API. */
  id: number
  /** The agreement's UUID. */
  agreement_id: string
  /** The number that people read. */
  agreement_number: string
  /** The address of the lease, a PDF. */
  document_url: string
  /** The unit's number. */
  property_unit_id: number
  /** The landlord's user number. */
  landlord_id: number
  /** The tenants' user numbers. */
  tenant_ids: number[]
  /** The first day, YYYY-MM-DD. */
  agreement_start_date: string
  /** The last day, YYYY-MM-DD. A renewal moves it. */
  agreement_end_date: string
  /** Months. */
  tenure_in_months: number
  /** Whether the lease is extended at its end. */
  auto_renew: boolean
  /** Indian rupees a month. */
  rent_amount: number
  /** Indian rupees. */
  deposit_amount: number | null
  /** The day of the month. */
  rent_due_day: number
  /** Days. */
  notice_period_days: number
  /** Where the agreement stands. */
  status: AgreementStatus
  /** What the unit offers. */
  amenities: string[] | null
  /** Whether pets may live in the unit. */
  pets_allowed: boolean
  /** Whether meat may be cooked in the unit. */
  non_veg_allowed: boolean
  /** Whether smoking is allowed. */
  smoking_allowed: boolean
  /** Whether unmarried tenants may live in the unit. */
  bachelor_allowed: boolean
  /** Further rules. */
  additional_policies: string | null
  /** Improvements that the tenant may make. */
  improvements: string | null
  /** The day of the last signature, YYYY-MM-DD. */
  signed_date: string | null
  /** The day on which it ended, YYYY-MM-DD. */
  termination_date: string | null
  /** Why it ended. */
  termination_reason: string | null
  /** How the rent is paid. */
  payment_terms: string | null
  /** Indian rupees for a late charge or, of the kind `per_day`, a day. */
  late_fee: number | null
  /** User numbers of parties in signing order. */
  signing_order: number[] | null
  /** The UUID of the agreement that this one replaces. */
  revises_agreement_id: string | null
  /** The UUID of the agreement whose next term this one is; null without one. */
  renews_agreement_id: string | null
  /** False once it is deleted. */
  is_active: boolean
  /** An ISO 8601 timestamp. */
  created_at: string
  /** An ISO 8601 timestamp. */
  updated_at: string
}

/** What a term breaks: a custom of renting, or what the law of some states allows. */
export type WarningCode = 'deposit_above_custom' | 'late_fee_above_custom' | 'revision_notice_short'

/** A remark about a term; it is never refused. */
export interface Warning {
  /** What the term breaks. */
  code: WarningCode
  /** A sentence for people. */
  message: string
}

/** Which agreements to list. */
export interface AgreementQuery extends PageQuery<
  | 'id'
  | 'agreement_number'
  | 'agreement_start_date'
  | 'agreement_end_date'
  | 'rent_amount'
  | 'status'
  | 'created_at'
  | 'updated_at'
> {
  /** Text of 1 to 100 characters to look for. */
  q?: string | undefined
  /** Only agreements in this state. */
  status?: AgreementStatus | undefined
  /** Only agreements for the unit with this number. */
  property_unit_id?: number | undefined
}

/** Which signed document to return. */
export interface DocumentQuery {
  /** The UUID of the signature; the last one without it. */
  signature_id?: string | undefined
}

/** The end of a lease. */
export interface TerminateInput {
  /** YYYY-MM-DD, today (Asia/Kolkata) or earlier, not before the start. Default today. */
  termination_date?: string | null
  /** At most 5000 characters. */
  reason?: string | null
}
