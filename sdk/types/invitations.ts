import type { PageQuery } from './common.ts'

/** The body of `operations.invite`. */
export interface NewInvitation {
  /** 10 digits, the first of them 6 to 9. */
  phone_number: string
  /** At most 255 characters. */
  first_name: string
  /** At most 255 characters. */
  last_name: string
  /** A valid address of at most 255 characters. */
  email: string
}

/** `accepted` once the person has completed a profile, else `open` until it expires. */
export type InvitationStatus = 'open' | 'accepted' | 'expired'

/** An operator's invitation of a landlord. */
export interface Invitation {
  /** The invitation's number. */
  id: number
  /** The 10 digits of the mobile number. */
  phone_number: string
  /** The first name that the operator gave. */
  first_name: string
  /** The last name that the operator gave. */
  last_name: string
  /** The e-mail address that the operator gave. */
  email: string
  /** Whether the person has completed a profile. */
  status: InvitationStatus
  /** When the message was sent, an ISO 8601 timestamp; null if it could not be sent. */
  sent_at: string | null
  /** Until when the person finds the invitation, an ISO 8601 timestamp. */
  expires_at: string
  /** An ISO 8601 timestamp. */
  created_at: string
}

/** Which invitations to list. */
export interface InvitationQuery extends PageQuery<'id' | 'expires_at'> {
  /** Only those with this status. */
  status?: InvitationStatus
  /** Only that of this number. */
  phone_number?: string
}
