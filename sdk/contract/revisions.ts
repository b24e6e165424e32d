import { Type, type Static } from '@sinclair/typebox'
import { Warning } from './agreements.ts'
import {
  CalendarDate,
  Nullable,
  PageMetadata,
  PageQuery,
  PositiveRupees,
  StringEnum,
  Timestamp,
} from './common.ts'

export const RevisionStatus = StringEnum('proposed', 'accepted', 'declined', 'withdrawn')
export type RevisionStatus = Static<typeof RevisionStatus>
export const RevisionSource = StringEnum('escalation', 'landlord')
export type RevisionSource = Static<typeof RevisionSource>

export const NewRentRevision = Type.Object({
  rent_amount: PositiveRupees,
  /** The first day of the new rent, within the lease and not past. */
  effective_on: CalendarDate,
})
export type NewRentRevision = Static<typeof NewRentRevision>

/** A rent, in rupees a month, from a day on: by the agreed escalation, or as the landlord's side proposed it. */
export const RentRevision = Type.Object({
  id: Type.Integer(),
  revision_id: Type.String(),
  agreement_id: Type.Integer(),
  rent_amount: Type.Number(),
  effective_on: Type.String(),
  source: RevisionSource,
  status: RevisionStatus,
  /** The tenant who accepted or declined it, or who withdrew it. */
  decided_by_id: Nullable(Type.Integer()),
  decided_at: Nullable(Timestamp),
  created_at: Timestamp,
})
export type RentRevision = Static<typeof RentRevision>
export const RentRevisionResponse = Type.Object({
  message: Type.String(),
  data: RentRevision,
  /** Absent when there are none. */
  warnings: Type.Optional(Type.Array(Warning)),
})

export const RentRevisionQuery = Type.Object({ ...PageQuery(['id', 'effective_on']) })
export type RentRevisionQuery = Static<typeof RentRevisionQuery>
export const RentRevisionPage = Type.Object({
  message: Type.String(),
  data: Type.Array(RentRevision),
  metadata: PageMetadata,
})
