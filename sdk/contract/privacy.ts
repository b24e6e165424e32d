import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { Agreement } from './agreements.ts'
import { User } from './auth.ts'
import { Activity } from './dashboard.ts'
import { Nullable, Timestamp } from './common.ts'
import { exportedBooks } from './exported-books.ts'
import { Property } from './properties.ts'
import { Signature } from './signing.ts'
import { Unit } from './units.ts'

const ArrayOf = <T extends TProperties>(fields: T) => Type.Array(Type.Object(fields))
const NullableText = Nullable(Type.String())
const NullableTimestamp = Nullable(Timestamp)

/**
 * All stored data about one user. Of passwords, tokens and one-time passwords it says only that they exist,
 * so an export cannot be used to sign in.
 */
export const PersonalData = Type.Object({
  exported_at: Timestamp,
  user: Type.Object({
    ...User.properties,
    /** Masked, as in all answers. */
    pan: Nullable(Type.String()),
    has_password: Type.Boolean(),
    last_login_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  one_time_passwords: ArrayOf({ asked_at: Timestamp, expires_at: Timestamp, wrong_tries: Type.Integer() }),
  sessions: ArrayOf({ signed_in_at: Timestamp, token_expires_at: Timestamp, is_active: Type.Boolean() }),
  /** Networks from which the user signed in. Of each, only a keyed hash is stored. */
  known_networks: ArrayOf({ last_seen_at: Timestamp }),
  /** Rate limit counters of the phone number, in full or as a keyed hash. */
  counters: ArrayOf({ key: Type.String(), count: Type.Integer(), resets_at: Timestamp }),
  repeatable_requests: ArrayOf({ key: Type.String(), created_at: Timestamp, answer: Type.Any() }),
  identity_checks: ArrayOf({
    kyc_request_id: Type.String(),
    provider: Type.String(),
    provider_request_id: NullableText,
    verification_url: NullableText,
    status: Type.String(),
    error_code: NullableText,
    error_message: NullableText,
    name: NullableText,
    masked_aadhaar: NullableText,
    expires_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  /** Properties that the user created, and units that the user owns or manages, including deleted ones. */
  properties: Type.Array(Property),
  property_units: Type.Array(Unit),
  /** Agreements that the user is a party to or manages, including deleted drafts. */
  agreements: Type.Array(
    Type.Object({
      ...Agreement.properties,
      signatures: ArrayOf({
        ...Signature.properties,
        signed_at: NullableTimestamp,
        provider: Type.String(),
        provider_request_id: NullableText,
        provider_signature_id: NullableText,
        signing_url: NullableText,
        viewed_at: NullableTimestamp,
        reminders: Type.Integer(),
        next_reminder_at: NullableTimestamp,
      }),
      documents: ArrayOf({ sha256: Type.String(), size: Type.Integer(), stored_at: Timestamp }),
      timeline: ArrayOf({
        position: Type.Integer(),
        type: Type.String(),
        actor_id: Nullable(Type.Integer()),
        details: Type.Any(),
        occurred_at: Timestamp,
        hash: Type.String(),
      }),
      ...exportedBooks,
    }),
  ),
  activities: Type.Array(Activity),
  /** People that the user named, and names that others gave the user. */
  named_people: ArrayOf({
    id: Type.Integer(),
    phone: NullableText,
    first_name: NullableText,
    last_name: NullableText,
  }),
  names_given_by_others: ArrayOf({ first_name: NullableText, last_name: NullableText }),
  /** What operators said of the user when they invited them. */
  invitations: ArrayOf({
    first_name: Type.String(),
    last_name: Type.String(),
    email: Type.String(),
    sent_at: NullableTimestamp,
    expires_at: Timestamp,
    created_at: Timestamp,
  }),
  /** The e-signing provider's webhooks about the user; `payload` is redacted of data about others. */
  webhooks: ArrayOf({
    provider: Type.String(),
    request_id: NullableText,
    outcome: NullableText,
    created_at: Timestamp,
    payload: Type.Any(),
  }),
})
export type PersonalData = Static<typeof PersonalData>

/** An erasure needs a fresh one-time password; a token or a password is not enough. */
export const EraseInput = Type.Object({
  otp: Type.String({ pattern: '^[0-9]{6}$', description: 'exactly 6 digits' }),
})
export type EraseInput = Static<typeof EraseInput>
