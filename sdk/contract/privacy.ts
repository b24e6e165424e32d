import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { Agreement, Signature } from './agreements'
import { User } from './auth'
import { Activity } from './dashboard'
import { Nullable, Timestamp } from './common'
import { Property } from './properties'
import { Unit } from './units'

const Rows = <T extends TProperties>(fields: T) => Type.Array(Type.Object(fields))
const Word = Nullable(Type.String())
const When = Nullable(Timestamp)

/** All that is kept about one user. Nothing in it signs anybody in: of passwords, tokens and one-time passwords it tells that they are there. */
export const PersonalData = Type.Object({
  exported_at: Timestamp,
  user: Type.Object({
    ...User.properties,
    has_password: Type.Boolean(),
    last_login_at: When,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  one_time_passwords: Rows({ asked_at: Timestamp, expires_at: Timestamp, wrong_tries: Type.Integer() }),
  sessions: Rows({ signed_in_at: Timestamp, token_expires_at: Timestamp, is_active: Type.Boolean() }),
  /** How often something was done that is limited, under the phone number or the user's number. */
  counters: Rows({ key: Type.String(), count: Type.Integer(), resets_at: Timestamp }),
  repeatable_requests: Rows({ key: Type.String(), created_at: Timestamp, answer: Type.Any() }),
  identity_checks: Rows({
    kyc_request_id: Type.String(),
    provider: Type.String(),
    provider_request_id: Word,
    verification_url: Word,
    status: Type.String(),
    error_code: Word,
    error_message: Word,
    name: Word,
    masked_aadhaar: Word,
    expires_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  /** Properties that the user created and units that they own or manage, deleted ones too. */
  properties: Type.Array(Property),
  property_units: Type.Array(Unit),
  /** Agreements that the user is a party of or manages, deleted drafts too. */
  agreements: Type.Array(
    Type.Object({
      ...Agreement.properties,
      signatures: Rows({
        ...Signature.properties,
        signed_at: When,
        provider: Type.String(),
        provider_request_id: Word,
        provider_signature_id: Word,
        signing_url: Word,
        viewed_at: When,
        reminders: Type.Integer(),
        next_reminder_at: When,
      }),
      documents: Rows({ sha256: Type.String(), size: Type.Integer(), stored_at: Timestamp }),
      timeline: Rows({
        position: Type.Integer(),
        type: Type.String(),
        actor_id: Nullable(Type.Integer()),
        details: Type.Any(),
        occurred_at: Timestamp,
        hash: Type.String(),
      }),
    }),
  ),
  activities: Type.Array(Activity),
  /** The people whom the user named, and the names that others gave the user. */
  named_people: Rows({ id: Type.Integer(), phone: Word, first_name: Word, last_name: Word }),
  names_given_by_others: Rows({ first_name: Word, last_name: Word }),
  /** What the e-signing provider told of the user's signatures; `payload` without what it tells of others. */
  webhooks: Rows({
    provider: Type.String(),
    request_id: Word,
    outcome: Word,
    created_at: Timestamp,
    payload: Type.Any(),
  }),
})
export type PersonalData = Static<typeof PersonalData>

/** A fresh one-time password, sent to the user's own number: a token alone, or a password, erases nobody. */
export const EraseInput = Type.Object({
  otp: Type.String({ pattern: '^[0-9]{6}$', description: 'exactly 6 digits' }),
})
export type EraseInput = Static<typeof EraseInput>
