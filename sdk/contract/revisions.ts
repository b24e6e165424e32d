import { Type, type Static } from '@sinclair/typebox'
import { warnedResponse } from './agreements.ts'
import {
  CalendarDate,
  described,
  field,
  identity,
  nullable,
  paper_accepted_on,
  pageQuery,
  pageResponse,
  PositiveRupees,
  stringEnum,
  Timestamp,
  view,
} from './common.ts'

export const RevisionStatus = field(
  stringEnum('proposed', 'accepted', 'declined', 'withdrawn'),
  "A tenant accepts or declines what is `proposed`, unless the landlord's side withdraws it.",
)
export type RevisionStatus = Static<typeof RevisionStatus>

const fields = {
  rent_amount: field(PositiveRupees, 'Indian rupees a month'),
  effective_on: field(CalendarDate, 'Its first day, YYYY-MM-DD, within the lease'),
}
export const NewRentRevision = described('Another rent, from a day on that is not past.', fields)
export type NewRentRevision = Static<typeof NewRentRevision>

export const RentRevision = described(
  "A rent, in rupees a month, from a day on, as the landlord's side proposed it.",
  {
    ...identity('revision_id'),
    agreement_id: field(Type.Integer(), "The agreement's number"),
    ...view(fields),
    status: field(RevisionStatus, 'Where it stands'),
    decided_by_id: field(
      nullable(Type.Integer()),
      'Who accepted, declined or withdrew it, or entered what was accepted on paper; null before that',
    ),
    paper_accepted_on,
    decided_at: field(nullable(Timestamp), 'When it was decided; null before that'),
    created_at: field(Timestamp, 'When it was created'),
  },
)
export type RentRevision = Static<typeof RentRevision>
export const RentRevisionResponse = warnedResponse(RentRevision)

export const RentRevisionQuery = described(
  'Which revisions of the rent to list.',
  pageQuery(['id', 'effective_on'], '-id'),
)
export type RentRevisionQuery = Static<typeof RentRevisionQuery>
export const RentRevisionPage = pageResponse(RentRevision)
