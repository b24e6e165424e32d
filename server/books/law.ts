/**
 * What law and custom say of rent in India: rates, thresholds in rupees, days of effect and numbers of forms.
 * Nothing else in the code knows them. A wrong row is corrected here; a change of law is a further row.
 *
 * The Income-tax Act 1961 with the Rules of 1962 is followed, from 1 April 2026, by the Income-tax Act 2025 with
 * the Rules of 2026. "Checked" means against published pages on the law, not against the gazette.
 */

/** A row holds from `from` until the next one. */
type Dated = { from: string }

type TdsOnRent = Dated & {
  /** Percent of the year's rent. */
  rate_percent: number
  /** Percent if the landlord's PAN is not known; the deduction is then at most the last month's rent. */
  rate_without_pan_percent: number
  /** Rupees a month; only rent above it is subject to the deduction. */
  monthly_threshold: number
  section: string
}

/**
 * Tax that individuals and HUFs without tax audit deduct from rent to a resident, once a fiscal year: with the
 * last month of the year or of the tenancy. Checked: Finance (No. 2) Act 2024, section 59 (two percent for five
 * from 1 October 2024); Act of 2025, section 393(1), table, serial number 2(i) (₹50,000, 2 %). Without PAN 20 %,
 * and at most the last month's rent: sections 206AA and 194-IB(4); section 397(2) of the new Act goes on with both.
 * Not verified: whether a year with some months above the threshold is taxed as a whole; we suggest the whole.
 */
export const TDS_ON_RENT: TdsOnRent[] = [
  {
    from: '2017-06-01',
    rate_percent: 5,
    rate_without_pan_percent: 20,
    monthly_threshold: 50_000,
    section: '194-IB',
  },
  {
    from: '2024-10-01',
    rate_percent: 2,
    rate_without_pan_percent: 20,
    monthly_threshold: 50_000,
    section: '194-IB',
  },
  {
    from: '2026-04-01',
    rate_percent: 2,
    rate_without_pan_percent: 20,
    monthly_threshold: 50_000,
    section: '393(1)',
  },
]

type TaxForms = Dated & {
  /** The employee's statement of claims, such as rent for the house rent allowance. */
  rent_claim: string
  /** The tenant's challan and statement of tax deducted from rent. */
  tds_statement: string
  /** The tenant's certificate of that tax for the landlord. */
  tds_certificate: string
}

/**
 * Numbers of forms by the day of the statement. Checked against published tables of the forms of 2026: 12BB is
 * 124, 26QB to 26QE are one Form 141, 16B to 16E are one Form 132.
 */
export const TAX_FORMS: TaxForms[] = [
  { from: '1900-01-01', rent_claim: '12BB', tds_statement: '26QC', tds_certificate: '16C' },
  { from: '2026-04-01', rent_claim: '124', tds_statement: '141', tds_certificate: '132' },
]

/**
 * Rupees of rent a year above which an employee's claim for the house rent allowance names the landlord's PAN.
 * Checked: CBDT's circulars on Form 12BB; Form 124 keeps it.
 */
export const HRA_PAN_THRESHOLD = 1_00_000

/**
 * Rupees in cash above which a receipt bears a revenue stamp. Checked: Indian Stamp Act 1899, schedule I, article
 * 53, as raised from 500 by the Finance Act 2004; no stamp for payments that are not in cash is the practice.
 */
export const REVENUE_STAMP_THRESHOLD = 5_000

/** Percent a year above which a late fee is unusual. Custom, no statute; courts may cut down a penalty. */
export const CUSTOMARY_LATE_FEE_PERCENT = 24

/**
 * What the Model Tenancy Act 2021 allows, where a state has adopted it: a deposit of two months' rent for a
 * residence and six for another unit (section 11), three months' notice of a revised rent (section 9), 24 hours'
 * before a visit (section 17). The amounts are checked; the numbers of the sections are not verified.
 */
export const MODEL_TENANCY = {
  deposit_months: { residential: 2, other: 6 },
  revision_notice_months: 3,
  visit_notice_hours: 24,
} as const

/** Finds the row in force on a day; undefined before the first. */
export function findInForce<Row extends Dated>(rows: Row[], day: string) {
  return rows.findLast(({ from }) => from <= day)
}
