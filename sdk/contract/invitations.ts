import { Type, type Static } from '@sinclair/typebox'
import { Nullable, PageMetadata, PageQuery, PhoneNumber, StringEnum, Timestamp } from './common.ts'
import { CompleteProfileInput } from './profile.ts'

// What is invited is what completes a profile, so it obeys the same rules.
const { first_name, last_name, email } = CompleteProfileInput.properties

export const NewInvitation = Type.Object({ phone_number: PhoneNumber, first_name, last_name, email })
export type NewInvitation = Static<typeof NewInvitation>

/** `accepted` once the person has completed a profile, else `open` until it expires. */
export const InvitationStatus = StringEnum('open', 'accepted', 'expired')
export type InvitationStatus = Static<typeof InvitationStatus>

/** An operator's invitation of a landlord. `sent_at` is null while no message was sent. */
export const Invitation = Type.Object({
  id: Type.Integer(),
  phone_number: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  status: InvitationStatus,
  sent_at: Nullable(Timestamp),
  expires_at: Timestamp,
  created_at: Timestamp,
})
export type Invitation = Static<typeof Invitation>

export const InvitationQuery = Type.Object({
  ...PageQuery(['id', 'expires_at']),
  status: Type.Optional(InvitationStatus),
  phone_number: Type.Optional(PhoneNumber),
})
export type InvitationQuery = Static<typeof InvitationQuery>
export const InvitationPage = Type.Object({ data: Type.Array(Invitation), metadata: PageMetadata })
