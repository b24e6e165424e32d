import type { SignatureStatus } from './agreements.ts'

/** Where the signature goes on a page, in the provider's units. */
export interface SignaturePosition {
  /** From 1. */
  page_number: number
  /** From 0 to 100,000. */
  x: number
  /** From 0 to 100,000. */
  y: number
  /** From 0 to 100,000. */
  width: number
  /** From 0 to 100,000. */
  height: number
}

/** Passed to the signing provider for documents made from a template. */
export interface FlexiOptions {
  /** The provider's id of the template. */
  template_id?: string
  /** Where the signature goes. */
  signature_position?: SignaturePosition
  /** At most 100 texts of the template, by name. */
  template_variables?: Record<string, string>
}

/** Who signs. */
export interface SignInput {
  /** The party's user number. */
  signer_id: number
  /** For documents made from a template. */
  flexi_options?: FlexiOptions | null
}

/** A signature that waits for its party. */
export interface StartedSigning {
  /** The signature's UUID. */
  signature_id: string
  /** The address of the page where the party signs. */
  signing_url: string
  /** When the page closes, an ISO 8601 timestamp. */
  expires_at: string
  /** The state of the signature. */
  status: SignatureStatus
}

/** The latest signature of one party; one that is declined may never have been sent. */
export interface Signature {
  /** The signature's number. */
  id: number
  /** The signature's UUID. */
  signature_id: string
  /** The party's user number. */
  signer_id: number
  /** The party's part in the agreement. */
  signer_role: 'landlord' | 'manager' | 'tenant'
  /** The state of the signature. */
  status: SignatureStatus
  /** An ISO 8601 timestamp, once it is signed. */
  signed_at?: string
  /** An ISO 8601 timestamp. */
  expires_at: string
  /** Why the party declined. */
  decline_reason: string | null
}

/** The signatures of an agreement. */
export interface Signatures {
  /** The latest signature of each party. */
  signatures: Signature[]
  /** True once every required party has signed. */
  allSigned: boolean
}

/** A cancelled signature; the party can be asked again. */
export interface CancelledSignature {
  /** The signature's UUID. */
  signature_id: string
  /** The state of the signature. */
  status: SignatureStatus
}

/** A refusal to sign. */
export interface DeclineInput {
  /** At most 5000 characters; the other parties see it. */
  reason?: string | null
}

/** The refusal of a party who has not signed. */
export interface DeclinedSignature {
  /** The signature's UUID. */
  signature_id: string
  /** The state of the signature. */
  status: SignatureStatus
  /** Why the party declined. */
  decline_reason: string | null
}

/** What happened to an agreement. */
export type TimelineEventType =
  | 'created'
  | 'changed'
  | 'deleted'
  | 'sent'
  | 'reissued'
  | 'viewed'
  | 'signed'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'reminded'
  | 'activated'
  | 'document_stored'
  | 'renewed'
  | 'ended'
  | 'terminated'
  | 'revised'
  | 'completed'
  | 'deposit_proposed'
  | 'deposit_accepted'
  | 'deposit_disputed'
  | 'deposit_settled'
  | 'rent_proposed'
  | 'rent_accepted'
  | 'rent_declined'
  | 'rent_withdrawn'
  | 'renewal_drafted'

/** One event of an agreement. */
export interface TimelineEvent {
  /** From 1, without gaps. */
  position: number
  /** What happened. */
  type: TimelineEventType
  /** Who did it; null for the system. */
  actor_id: number | null
  /**
   * The actor's own name if the actor is the landlord, the caller or has signed, else the name that the caller
   * gave.
   */
  actor_name: string | null
  /**
   * The `fields` of a change, the `signer_id` and `signature_id` of a signature, the `reason` of a refusal or
   * termination, or the `snapshot_sha256` of what the event fixed: the lease as it was sent, the name of who
   * signed.
   */
  details: Record<string, unknown>
  /** An ISO 8601 timestamp. */
  occurred_at: string
  /** A SHA-256 in hex, of the event and the previous event's hash. */
  hash: string
}

/** The events of an agreement. */
export interface Timeline {
  /** The events in order. */
  events: TimelineEvent[]
  /** False if an event or what it fixed was changed, or an event removed. */
  intact: boolean
}
