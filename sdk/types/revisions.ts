import type { PageQuery } from './common.ts'

/** A tenant accepts or declines what is `proposed`, unless the landlord's side withdraws it. */
export type RevisionStatus = 'proposed' | 'accepted' | 'declined' | 'withdrawn'

/** Another rent. */
export interface NewRentRevision {
  /** Indian rupees a month. */
  rent_amount: number
  /** Its first day, YYYY-MM-DD, within the lease and not past. */
  effective_on: string
}

/** A rent from a day on. */
export interface RentRevision {
  /** The revision's number. */
  id: number
  /** The revision's UUID. */
  revision_id: string
  /** The agreement's number in the API. */
  agreement_id: number
  /** Indian rupees a month. */
  rent_amount: number
  /** Its first day, YYYY-MM-DD. */
  effective_on: string
  /** Where it stands. */
  status: RevisionStatus
  /** The tenant who accepted or declined it, or who withdrew it. */
  decided_by_id: number | null
  /** ISO 8601. */
  decided_at: string | null
  /** ISO 8601. */
  created_at: string
}

/** A page of the revisions of an agreement. */
export interface RentRevisionQuery extends PageQuery<'id' | 'effective_on'> {}
