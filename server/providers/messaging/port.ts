import { ApiError } from '../../errors'

/** A message that a channel may have refused because of its recipient: this counts against the limits. */
export class RecipientError extends ApiError {}

export type Message =
  | { kind: 'otp'; otp: string; lifetimeMs: number }
  /** Reminds a signer to sign. */
  | { kind: 'reminder'; agreement_number: string; signing_url: string }
  /** Invites a landlord to sign in at `url`. */
  | { kind: 'invitation'; url: string }
  /** Tells a tenant that their lease was recorded, or how many days there are to answer a settlement of its deposit. */
  | { kind: 'lease_recorded' | 'settlement'; agreement_number: string; url: string; days?: string }
export type MessageKind = Message['kind']

/** What people would take for another message if it came twice: the next channel is tried only if one refused it. */
export const SENT_ONCE: ReadonlySet<MessageKind> = new Set(['lease_recorded', 'settlement'])

/**
 * Sends a message to a 10-digit Indian mobile number, and returns the provider's id of it, if it gives one. Throws SERVICE_UNAVAILABLE, or BAD_REQUEST if no channel
 * reaches the number.
 */
export type SendMessage = (phone: string, message: Message) => Promise<string | void>

export type Channel = {
  name: string
  /** The approved template of each kind; a channel sends no kind without one. */
  templates: Partial<Record<MessageKind, string>>
  send: (phone: string, message: Message, template: string) => Promise<string | void>
}
