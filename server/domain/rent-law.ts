/**
 * What law and custom say of rent in India, as far as it could be looked up: rates, thresholds in rupees, days of
 * effect and numbers of forms. Nothing else in the code knows them. A wrong row is corrected here; a change of law is
 * a further row. Each row names its source and how far it was checked: "read" means against published pages that
 * quote the source, never against the gazette. None of it is advice: people check with an accountant.
 *
 * The Income-tax Act 1961 with the Rules of 1962 is followed, from 1 April 2026, by the Income-tax Act 2025 with
 * the Rules of 2026.
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
 * last month of the year or of the tenancy. Not verified: whether a year with some months above the threshold is
 * taxed as a whole; we suggest the whole.
 */
export const TDS_ON_RENT: TdsOnRent[] = [
  {
    // Finance Act 2017; without PAN sections 206AA and 194-IB(4) of the Act of 1961 (read)
    from: '2017-06-01',
    rate_percent: 5,
    rate_without_pan_percent: 20,
    monthly_threshold: 50_000,
    section: '194-IB',
  },
  {
    // Finance (No. 2) Act 2024, section 59: two percent for five (read)
    from: '2024-10-01',
    rate_percent: 2,
    rate_without_pan_percent: 20,
    monthly_threshold: 50_000,
    section: '194-IB',
  },
  {
    // Act of 2025, section 393(1), table, number 2(i), and section 397(2) without PAN (read)
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

/** Numbers of forms by the day of the statement. */
export const TAX_FORMS: TaxForms[] = [
  {
    // Rules of 1962 (read)
    from: '1900-01-01',
    rent_claim: '12BB',
    tds_statement: '26QC',
    tds_certificate: '16C',
  },
  {
    // Rules of 2026: 124 for 12BB, one 141 for 26QB to 26QE, one 132 for 16B to 16E (tables of forms,
    // read)
    from: '2026-04-01',
    rent_claim: '124',
    tds_statement: '141',
    tds_certificate: '132',
  },
]

type Threshold = Dated & { rupees: number }

/** Rent of a year above which an employee's claim for the house rent allowance names the landlord's PAN. */
export const HRA_PAN_THRESHOLD: Threshold[] = [
  {
    // CBDT circular 8/2013 of 10 October 2013, for the fiscal year 2013-14 on; Form 12BB (read)
    from: '2013-04-01',
    rupees: 1_00_000,
  },
  {
    // Form 124, which takes the place of 12BB (published descriptions alone, not verified)
    from: '2026-04-01',
    rupees: 1_00_000,
  },
]

/** Cash above which a receipt commonly bears a revenue stamp. */
export const REVENUE_STAMP_THRESHOLD: Threshold[] = [
  {
    // Indian Stamp Act 1899, schedule I, article 53, as raised from 500 by the Finance Act 2004 (read);
    // no stamp for payments that are not in cash is practice, and a state may have another duty (not
    // verified)
    from: '2004-09-10',
    rupees: 5_000,
  },
]

/** Percent a year above which a late fee is unusual. Source: custom, no statute; courts may cut down a penalty. */
export const CUSTOMARY_LATE_FEE_PERCENT = 24

/**
 * A deposit of two months' rent for a residence and six for another unit, three months' notice of a revised rent.
 * Source: Model Tenancy Act 2021, where a state has adopted it, sections 11, 9 and 17; the amounts were read, the numbers of
 * the sections are not verified.
 */
export const MODEL_TENANCY = {
  deposit_months: { residential: 2, other: 6 },
  revision_notice_months: 3,
  entry_notice_hours: 24,
} as const

/** Finds the row in force on a day; undefined before the first. */
export function findInForce<Row extends Dated>(rows: Row[], day: string) {
  return rows.findLast(({ from }) => from <= day)
}

/** Whether rupees are above the threshold that holds on a day; before the first there is none. */
export function isAbove(thresholds: Threshold[], rupees: number, day: string) {
  const threshold = findInForce(thresholds, day)
  return threshold !== undefined && rupees > threshold.rupees
}
