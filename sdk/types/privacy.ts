import type { Agreement } from './agreements.ts'
import type { User } from './auth.ts'
import type { Activity } from './dashboard.ts'
import type { ExportedBooks } from './exported-books.ts'
import type { Property } from './properties.ts'
import type { Signature } from './signing.ts'
import type { Unit } from './units.ts'

/** A user in an export. */
export interface ExportedUser extends User {
  /** The PAN, masked but for its last four characters. */
  pan: string | null
  /** Whether a password is set; the export does not contain it. */
  has_password: boolean
  /** An ISO 8601 timestamp. */
  last_login_at: string | null
  /** An ISO 8601 timestamp. */
  created_at: string
  /** An ISO 8601 timestamp. */
  updated_at: string
}

/** A one-time password in an export, without its digits. */
export interface ExportedOtp {
  /** An ISO 8601 timestamp. */
  asked_at: string
  /** An ISO 8601 timestamp. */
  expires_at: string
  /** How often a wrong one was sent. */
  wrong_tries: number
}

/** A session in an export, without its token. */
export interface ExportedSession {
  /** An ISO 8601 timestamp. */
  signed_in_at: string
  /** An ISO 8601 timestamp. */
  token_expires_at: string
  /** False after a logout. */
  is_active: boolean
}

/** A network from which the user signed in. Of its address only a keyed hash is stored. */
export interface ExportedNetwork {
  /** The last sign-in from there, an ISO 8601 timestamp. */
  last_seen_at: string
}

/** A counter of a rate limit in an export. */
export interface ExportedCounter {
  /** What is counted, with the phone number or the user id. */
  key: string
  /** How often it happened. */
  count: number
  /** An ISO 8601 timestamp. */
  resets_at: string
}

/** A stored response to a request with an idempotency key. */
export interface ExportedRequest {
  /** The idempotency key. */
  key: string
  /** An ISO 8601 timestamp. */
  created_at: string
  /** The response. */
  answer: any
}

/** An identity check in an export. */
export interface ExportedIdentityCheck {
  /** The check's UUID. */
  kyc_request_id: string
  /** Who checks. */
  provider: string
  /** The provider's id of the check. */
  provider_request_id: string | null
  /** The provider's page. */
  verification_url: string | null
  /** The state of the check. */
  status: string
  /** The provider's word for the failure. */
  error_code: string | null
  /** The provider's sentence about the failure. */
  error_message: string | null
  /** The name that the provider found. */
  name: string | null
  /** The Aadhaar number, but for its last four digits hidden. */
  masked_aadhaar: string | null
  /** An ISO 8601 timestamp. */
  expires_at: string
  /** An ISO 8601 timestamp. */
  created_at: string
  /** An ISO 8601 timestamp. */
  updated_at: string
}

/** A signature in an export. */
export interface ExportedSignature extends Omit<Signature, 'signed_at'> {
  /** An ISO 8601 timestamp. */
  signed_at: string | null
  /** Who runs the signing page. */
  provider: string
  /** The provider's id of the request. */
  provider_request_id: string | null
  /** The provider's id of the signature. */
  provider_signature_id: string | null
  /** The signing page. */
  signing_url: string | null
  /** When the page was first opened, an ISO 8601 timestamp. */
  viewed_at: string | null
  /** How many reminders were sent. */
  reminders: number
  /** An ISO 8601 timestamp. */
  next_reminder_at: string | null
}

/** A signed document in an export. */
export interface ExportedDocument {
  /** The hash of the PDF, in hex. */
  sha256: string
  /** Bytes. */
  size: number
  /** An ISO 8601 timestamp. */
  stored_at: string
}

/** An event of an agreement in an export. */
export interface ExportedEvent {
  /** From 1, without gaps. */
  position: number
  /** What happened. */
  type: string
  /** Who did it; null for the system. */
  actor_id: number | null
  /** What belongs to the event, such as the fields of a change. */
  details: any
  /** An ISO 8601 timestamp. */
  occurred_at: string
  /** A SHA-256 in hex, of the event and the previous event's hash. */
  hash: string
}

/** An agreement in an export. */
export interface ExportedAgreement extends Agreement, ExportedBooks {
  /** Every signature. */
  signatures: ExportedSignature[]
  /** The signed documents. */
  documents: ExportedDocument[]
  /** The events in order. */
  timeline: ExportedEvent[]
}

/** Names of a person in an export. */
export interface ExportedNames {
  /** As it was given. */
  first_name: string | null
  /** As it was given. */
  last_name: string | null
}

/** A person whom the user named. */
export interface ExportedPerson extends ExportedNames {
  /** The person's user number. */
  id: number
  /** The 10 digits of the mobile number. */
  phone: string | null
}

/** An invitation by an operator, with what they said of the user. */
export interface ExportedInvitation {
  /** As the operator gave it. */
  first_name: string
  /** As the operator gave it. */
  last_name: string
  /** As the operator gave it. */
  email: string
  /** When the message was sent, an ISO 8601 timestamp; null if it could not be sent. */
  sent_at: string | null
  /** An ISO 8601 timestamp. */
  expires_at: string
  /** An ISO 8601 timestamp. */
  created_at: string
}

/**
 * All stored data about one user. Of passwords, tokens and one-time passwords it says only that they exist,
 * so an export cannot be used to sign in.
 */
export interface PersonalData {
  /** An ISO 8601 timestamp. */
  exported_at: string
  /** The user. */
  user: ExportedUser
  /** One-time passwords, without their digits. */
  one_time_passwords: ExportedOtp[]
  /** Sessions, without their tokens. */
  sessions: ExportedSession[]
  /** Networks from which the user signed in. */
  known_networks: ExportedNetwork[]
  /** Rate limit counters of the phone number or the user id. */
  counters: ExportedCounter[]
  /** Stored responses to requests with an idempotency key. */
  repeatable_requests: ExportedRequest[]
  /** Identity checks. */
  identity_checks: ExportedIdentityCheck[]
  /** Properties that the user created, including deleted ones. */
  properties: Property[]
  /** Units that the user owns or manages, including deleted ones. */
  property_units: Unit[]
  /** Agreements that the user is a party to or manages, including deleted drafts. */
  agreements: ExportedAgreement[]
  /** What the dashboard showed. */
  activities: Activity[]
  /** People that the user named. */
  named_people: ExportedPerson[]
  /** Names that others gave the user. */
  names_given_by_others: ExportedNames[]
  /** What operators said of the user when they invited them. */
  invitations: ExportedInvitation[]
}
