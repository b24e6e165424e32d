import type {
  Agreement,
  AgreementStatus,
  AnnualBooks,
  DepositSettlement,
  LeaseTemplate,
  PropertyType,
  Statement,
  Unit,
} from '@kiraya/sdk/contract'

// What the documents state, a type for each template: dates as YYYY-MM-DD, instants as ISO timestamps, rupees. Words of
// ours are in the document's language. Null is unknown, or did not happen.

export type Documents = Record<LeaseTemplate, LeaseData> & {
  annual: AnnualData
  certificate: CertificateData
  receipt: ReceiptData
  rentProof: RentProofData
  sampleLease: Record<string, never>
  settlement: SettlementData
  signatures: SignaturesData
  statement: StatementData
}
export type DocumentName = keyof Documents

/** Whom and what the documents of a lease name. */
export type LeaseNames = {
  agreement_number: string
  landlord: string
  tenants: { name: string }[]
  unit_name: string
  address: string
}

/** One that may have been signed on paper, as the landlord recorded. */
export type RecordableLease = LeaseNames & {
  recorded: { signed_on: string; recorded_on: string; voided_on: string | null } | null
  objections: ObjectionData[]
}
/** What a tenant objects to in what was recorded. */
type ObjectionData = { name: string; reason: string; objected_at: string }

type Period = { period_start: string | null; period_end: string | null }

export type ReceiptData = {
  payment_id: string
  receipt_number: string
  parties: LeaseNames
  payer: string
  /** Only if the year's rent needs it. */
  landlord_pan: string | null
  is_cancelled: boolean
  reversed_on: string | null
  reversed_at: string | null
  reversal_reason: string | null
  posted_at: string
  amount: number
  amount_in_words: string
  tds_amount: number
  tds_certificate_number: string | null
  /** The fiscal year of the tax that was withheld, and what the law of that year calls it. */
  tax: { year: string; section: string | null; certificate_form: string } | null
  method: string
  reference: string | null
  paid_on: string
  cheque_date: string | null
  settled: (Period & { description: string; due_date: string; amount: number })[]
  /** What else it settles, beyond the rows that a document has. */
  further: { count: number; amount: number }
  advance: number
  refunded_amount: number
  /** Amount and tax together. */
  total: number
  /** What the tenants owe after the payment; below zero an advance. */
  balance: number
  /** Whether a revenue stamp has to be affixed. */
  needs_stamp: boolean
  /** The page that says whether the receipt is valid, and its QR code as SVG. */
  url: string
  qr_code: string
}

/** The terms that a lease states as they are. */
export const leaseTerms = [
  'agreement_start_date',
  'agreement_end_date',
  'tenure_in_months',
  'auto_renew',
  'rent_amount',
  'deposit_amount',
  'rent_due_day',
  'rent_in',
  'billing_cycle',
  'notice_period_days',
  'amenities',
  'pets_allowed',
  'non_veg_allowed',
  'smoking_allowed',
  'bachelor_allowed',
  'additional_policies',
  'improvements',
  'payment_terms',
  'late_fee',
  'late_fee_kind',
  'late_fee_percent',
  'late_fee_grace_days',
  'late_fee_cap',
  'escalation_percent',
  'escalation_every_months',
] as const satisfies (keyof Agreement)[]

/** What is to pay for a period, or as the deposit, which has none. */
export type LeasePayment = Period & { due_date: string; rent: number; others: number; total: number }

type Furnished = 'unit_name' | 'room_type' | 'furnishing_type' | 'furniture_included' | 'area_sqft'

export type LeaseData = {
  agreement_number: string
  /** That of the templates. */
  version: number
  drawn_at: string
  entry_notice_hours: number
  /** Names are null if none was given. */
  landlord: string | null
  tenants: (string | null)[]
  premises: Pick<Unit, Furnished | 'floor_number' | 'unit_amenities'> & {
    address: string
    city: string
    state: string
    property_type: PropertyType
  }
  terms: Pick<Agreement, (typeof leaseTerms)[number]> & {
    rent_in_words: string
    deposit_in_words: string | null
  }
  recurring: { description: string; amount: number }[]
  /** The landlord's own. */
  clauses: string[]
  payments: LeasePayment[]
  /** Other payments, beyond the rows that a lease has. */
  further: { count: number; rent: number; others: number; total: number }
  total: number
}

export type StatementData = Statement & { parties: RecordableLease }

type PaidRent = Period & {
  description: string
  due_date: string
  rent: number
  paid: number
  paid_on: string[]
  receipts: string[]
  /** Whether a part was settled from the deposit, without a receipt. */
  is_from_deposit: boolean
}

export type RentProofData = {
  /** Such as 2026-27, with its days. */
  year: string
  from: string
  to: string
  payer: string
  parties: LeaseNames
  landlord_pan: string | null
  needs_pan: boolean
  /** Rupees a year above which claims need a PAN. */
  pan_threshold: number
  /** The form of the employer. */
  form: string
  /** The day whose books it certifies. */
  as_of: string
  rents: PaidRent[]
  /** Other rents, beyond the rows that a document has. */
  further: { count: number; rent: number; paid: number }
  total: number
  amount_in_words: string
}

export type SettlementData = {
  settlement: Omit<DepositSettlement, 'deductions' | 'refund_method'>
  deductions: { item: string; description: string; amount: number }[]
  parties: RecordableLease
  refund_method: string | null
  /** What is refunded or stays owed. */
  amount_in_words: string
  changed_at: string
  /** The latest ones, from the first to the last, with the reason of a dispute. */
  steps: { type: SettlementStep; occurred_at: string; by: string; reason: string | null }[]
  earlier_count: number
}
export type SettlementStep =
  `deposit_${'proposed' | 'accepted' | 'disputed' | 'accepted_on_paper' | 'unanswered' | 'settled'}`

export type AnnualData = AnnualBooks & {
  from: string
  to: string
  /** The landlord, or the manager of the units. */
  reader_name: string
  /** The deposits are those that are held on this day. */
  held_on: string
  /** How many changes there are beyond the rows that a document has. */
  further_changes: number
}

/** In English. */
export type CertificateData = {
  agreement: {
    agreement_id: string
    agreement_number: string
    status: AgreementStatus
    /** The day on which the agreement got this status. */
    status_date: string | null
    unit_name: string
    address: string
    term: string
    /** The present end of a lease that was renewed. */
    extended_to: string | null
    rent_amount: number
    deposit_amount: number | null
    /** If the landlord recorded it as signed on paper. */
    recorded: {
      signed_on: string
      recorded_on: string
      voided_on: string | null
      registration_number: string | null
      stamp_number: string | null
      objections: ObjectionData[]
    } | null
    /** The stored lease that was sent; null if it was at an address. */
    document: { sha256: string; template: LeaseTemplate | null; version: number | null } | null
  }
  /** Those who signed: the landlord's side first, then the tenants. */
  parties: {
    name: string
    /** Its last four digits; null if the landlord does not know it. */
    phone: string | null
    role: string
    signature_id: string
    provider: string
    provider_request_id: string | null
    provider_signature_id: string | null
    asked_at: string
    viewed_at: string | null
    signed_at: string | null
    /** When a tenant accepted what was recorded. */
    accepted_at: string | null
  }[]
  /** Of each request to sign; one is missing if the provider did not return it. */
  documents: {
    signed_by: string | null
    signature_id: string
    stored: { sha256: string; size: number; created_at: string } | null
  }[]
  /** The latest ones, in the order of their positions. */
  entries: { position: number; label: string; occurred_at: string; actor: string; hash: string }[]
  generated_at: string
}

/** In English. */
export type SignaturesData = {
  request_id: string
  changed_at: string
  is_complete: boolean
  /** Why the document does not precede the page; null if it does. */
  problem: string | null
  /** The size in bytes. */
  document: { id: string; name: string | null; size: number | null; sha256: string | null }
  signers: {
    id: string
    name: string
    role: string
    phone: string | null
    signed_at: string | null
    has_declined: boolean
  }[]
}
