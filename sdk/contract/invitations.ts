import { Type, type Static } from '@sinclair/typebox'
import {
  computed,
  described,
  field,
  maybe,
  nullable,
  page,
  pageQuery,
  PhoneNumber,
  stringEnum,
  Timestamp,
  view,
} from './common.ts'
import { personFields } from './profile.ts'

const fields = {
  phone_number: PhoneNumber,
  // What is invited is what completes a profile, so it obeys the same rules.
  ...personFields,
}
export const NewInvitation = described('A landlord to invite.', fields)
export type NewInvitation = Static<typeof NewInvitation>

export const InvitationStatus = field(
  stringEnum('open', 'accepted', 'expired'),
  '`accepted` once the person has completed a profile, else `open` until it expires.',
)
export type InvitationStatus = Static<typeof InvitationStatus>

export const Invitation = described(
  "An operator's invitation of a landlord. `sent_at` is null if its message could not be sent.",
  {
    id: field(Type.Integer(), 'Its number'),
    ...view(fields),
    status: computed(InvitationStatus, 'Whether the person has completed a profile'),
    sent_at: field(nullable(Timestamp), 'When the message was sent; null if it could not be sent'),
    expires_at: field(Timestamp, 'Until when the person finds the invitation'),
    created_at: field(Timestamp, 'When it was created'),
  },
)
export type Invitation = Static<typeof Invitation>

export const InvitationQuery = described('Which invitations to list.', {
  ...pageQuery(['id', 'expires_at'], '-id'),
  status: maybe(InvitationStatus, 'Only those with this status'),
  phone_number: maybe(PhoneNumber, 'Only that of this number'),
})
export type InvitationQuery = Static<typeof InvitationQuery>
export const InvitationPage = page(Invitation)
