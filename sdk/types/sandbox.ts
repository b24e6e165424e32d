/** The providers that the sandbox simulates. */
export type SandboxProvider = 'esign' | 'ekyc' | 'messages'

/** The calls to a provider and its webhooks; `any` stands for all to which the behaviour applies. */
export type SandboxCall = 'any' | 'create' | 'upload' | 'status' | 'cancel' | 'pdf' | 'webhook'

/**
 * What a fault rule does.
 *
 * - To a call: `error` (HTTP 500 or `status`), `timeout` (no response until the caller gives up), `slow`
 *   (responds after `delay_ms`), `garbage` (neither JSON nor PDF), `malformed` (JSON of another shape),
 *   `lost` (takes effect, but the connection ends before the response), `link` (responds with a one-time
 *   address instead of the PDF).
 * - To a webhook: `late` (after `delay_ms`), `twice`, `forged` (only with a wrong signature), `never`.
 * - To a new signature: `succeed`, `decline`, `fail-otp`, `expire`. To a new identity check: `succeed`,
 *   `fail`. These happen without a person.
 */
export type SandboxBehavior =
  | 'error'
  | 'timeout'
  | 'slow'
  | 'garbage'
  | 'malformed'
  | 'lost'
  | 'link'
  | 'late'
  | 'twice'
  | 'forged'
  | 'never'
  | 'succeed'
  | 'decline'
  | 'fail-otp'
  | 'expire'
  | 'fail'

/** A fault rule to add. */
export interface NewSandboxFault {
  /** Whose calls it changes. */
  provider: SandboxProvider
  /** Which of the calls. Default `any`. */
  on?: SandboxCall | null
  /** What it does. */
  behaviour: SandboxBehavior
  /** How often it applies, up to 1,000,000. Default 1. */
  times?: number | null
  /** Milliseconds, at most 30 days. */
  delay_ms?: number | null
  /** An HTTP status from 400 to 599. Default 500. */
  status?: number | null
  /** Seconds, at most 3600. */
  retry_after_s?: number | null
  /** Limits the rule to one request, document or phone number. */
  match?: string | null
}

/** A fault rule. */
export interface SandboxFault {
  /** The rule's id. */
  id: string
  /** Whose calls it changes. */
  provider: SandboxProvider
  /** Which of the calls. */
  on: SandboxCall
  /** What it does. */
  behaviour: SandboxBehavior
  /** How often it still applies. */
  times: number
  /** Milliseconds. */
  delay_ms: number | null
  /** An HTTP status. */
  status: number | null
  /** Seconds. */
  retry_after_s: number | null
  /** The one request, document or phone number to which it applies. */
  match: string | null
}

/**
 * Exactly one of the three fields. Moving the clock on delivers late webhooks, expires requests and posts what falls
 * due. Outside of production the whole server goes by it, so that sessions end too.
 */
export interface SandboxClockChange {
  /** Milliseconds, at most ten years; negative to move it back. */
  advance_ms?: number | null
  /** A timestamp with its zone, such as 2027-01-01T00:00:00Z. */
  at?: string | null
  /** Sets it to the machine's clock. */
  reset?: true | null
}

/** The sandbox's clock. */
export interface SandboxClock {
  /** An ISO 8601 timestamp. */
  now: string
  /** Milliseconds ahead of the machine's clock. */
  offset_ms: number
}

/** How identity checks end. */
export interface SandboxEkyc {
  /** Whether identity checks succeed when they are completed, or wait for a person. */
  mode: 'auto' | 'manual'
}

/** What a signer does on the signing page. */
export type SigningOutcome = 'sign' | 'decline' | 'fail-otp' | 'expire'

/** What a person does on the page of the identity check. */
export type CheckOutcome = 'approve' | 'fail'

/** One signer of a request. */
export interface SandboxSignature {
  /** The last part of `url`. */
  id: string
  /** The provider's id of the signing request. */
  request_id: string
  /** The signature's UUID. */
  document_id: string
  /** The signer's 10 digits. */
  phone: string
  /** The signer's name. */
  name: string
  /** Whether the person can still sign, or why not. */
  status: 'pending' | 'in_progress' | 'signed' | 'declined' | 'cancelled' | 'expired'
  /** The provider's word for the last failure. */
  error: string | null
  /** The signing page. */
  url: string
  /** An ISO 8601 timestamp. */
  valid_until: string
}

/** An identity check. */
export interface SandboxCheck {
  /** The last part of `url`. */
  id: string
  /** The provider's word for the state. */
  status: string
  /** The page of the check. */
  url: string
}

/** The fault rules, and what waits for a person: the newest 50 of each. */
export interface SandboxState {
  /** The clock. */
  clock: SandboxClock
  /** How identity checks end. */
  ekyc: SandboxEkyc
  /** The fault rules. */
  faults: SandboxFault[]
  /** How many webhooks are late. */
  held_webhooks: number
  /** Signatures that wait for a person. */
  signatures: SandboxSignature[]
  /** Identity checks that wait for a person. */
  checks: SandboxCheck[]
}

/** A message that the sandbox did not send. */
export interface SandboxMessage {
  /** The message's id. */
  id: string
  /** The 10 digits of the receiver's number. */
  phone: string
  /** Null unless the message carries a one-time password. */
  otp: string | null
  /** The whole text. */
  text: string
  /** An ISO 8601 timestamp. */
  sent_at: string
}

/** Which messages to return. */
export interface SandboxMessageQuery {
  /** Only those to this number. */
  phone?: string | undefined
}
