/** The year of a suggestion; the present one unless it is given. */
export interface TdsQuery {
  /** From April to March, such as `2026-27`. */
  year?: string
  /** Whether the tenant knows the landlord's PAN; without it the rate is higher. Default: whether the landlord's profile has a PAN. */
  landlord_pan?: boolean
}

/** The rent of a month, from which the tax is deducted. */
export interface TaxedRent {
  /** YYYY-MM-DD. */
  period_start: string
  /** YYYY-MM-DD. */
  due_date: string
  /** Indian rupees. */
  amount: number
}

/** The tax that a tenant is to deduct from the rent of a year: a suggestion, 0 below the threshold. */
export interface Tds {
  /** The agreement's number in the API. */
  agreement_id: number
  /** From April to March, such as `2026-27`. */
  year: string
  /** Indian rupees. */
  amount: number
  /** Indian rupees that payments of the year deducted. */
  recorded: number
  /** Whether the rate is that with the landlord's PAN. */
  landlord_pan: boolean
  /** Null if nothing is due. */
  rate_percent: number | null
  /** True if the tax was capped at the last month's rent, as it is without a PAN. */
  is_limited: boolean
  /** Indian rupees; 0 if nothing is due. */
  total_rent: number
  /** Indian rupees a month. */
  monthly_threshold: number | null
  /** The last rent of the year or of the tenancy. */
  deduct_from: TaxedRent | null
  /** The section of the Income-tax Act. */
  section: string | null
  /** The number of the tenant's statement. */
  statement_form: string | null
  /** The number of the certificate for the landlord. */
  certificate_form: string | null
}
