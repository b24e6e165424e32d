import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { Agreement } from './agreements.ts'
import { Otp, User } from './auth.ts'
import { computed, field, nullable, Timestamp } from './common.ts'
import { Activity } from './dashboard.ts'
import { exportedBooks } from './exported-books.ts'
import { Property } from './properties.ts'
import { Signature } from './signing.ts'
import { Unit } from './units.ts'

const list = <P extends TProperties>(text: string, fields: P) => field(Type.Array(Type.Object(fields)), text)
const NullableText = nullable(Type.String())
const NullableTimestamp = nullable(Timestamp)

const created_at = field(Timestamp, 'When it was created')
const updated_at = field(Timestamp, 'When it was last changed')

const ExportedUser = Type.Object({
  ...User.properties,
  pan: computed(NullableText, 'The PAN, masked but for its last four characters'),
  has_password: field(Type.Boolean(), 'Whether a password is set; the export does not contain it'),
  last_login_at: field(NullableTimestamp, 'The last sign-in'),
  created_at,
  updated_at,
})

const signInRecords = {
  one_time_passwords: list('One-time passwords, without their digits', {
    asked_at: field(Timestamp, 'When it was asked for'),
    expires_at: field(Timestamp, 'Until when it is valid'),
    wrong_tries: field(Type.Integer(), 'How often a wrong one was sent'),
  }),
  sessions: list('Sessions, without their tokens', {
    signed_in_at: field(Timestamp, 'When it began'),
    token_expires_at: field(Timestamp, 'Until when its token is valid'),
    is_active: field(Type.Boolean(), 'False after a logout'),
  }),
  known_networks: list('Networks from which the user signed in. Of each, only a keyed hash is stored', {
    last_seen_at: field(Timestamp, 'The last sign-in from there'),
  }),
  counters: list('Rate limit counters of the phone number, in full or as a keyed hash, or of the user id', {
    key: field(Type.String(), 'What is counted, with the phone number or the user id'),
    count: field(Type.Integer(), 'How often it happened'),
    resets_at: field(Timestamp, 'When the count begins again'),
  }),
  repeatable_requests: list('Stored responses to requests with an idempotency key', {
    key: field(Type.String(), 'The idempotency key'),
    created_at,
    answer: field(Type.Any(), 'The response'),
  }),
  identity_checks: list('Identity checks', {
    kyc_request_id: field(Type.String(), 'Its UUID'),
    provider: field(Type.String(), 'Who checks'),
    provider_request_id: field(NullableText, "The provider's id of the check"),
    verification_url: field(NullableText, "The provider's page"),
    status: field(Type.String(), 'The state of the check'),
    error_code: field(NullableText, "The provider's word for the failure"),
    error_message: field(NullableText, "The provider's sentence about the failure"),
    name: field(NullableText, 'The name that the provider found'),
    masked_aadhaar: field(NullableText, 'The Aadhaar number, but for its last four digits hidden'),
    expires_at: field(Timestamp, 'Until when it can be completed'),
    created_at,
    updated_at,
  }),
}

const ExportedAgreement = Type.Object({
  ...Agreement.properties,
  signatures: list('Every signature', {
    ...Signature.properties,
    signed_at: field(NullableTimestamp, 'When it was signed'),
    provider: field(Type.String(), 'Who runs the signing page'),
    provider_request_id: field(NullableText, "The provider's id of the request"),
    provider_signature_id: field(NullableText, "The provider's id of the signature"),
    signing_url: field(NullableText, 'The signing page'),
    viewed_at: field(NullableTimestamp, 'When the page was first opened'),
    reminders: field(Type.Integer(), 'How many reminders were sent'),
    next_reminder_at: field(NullableTimestamp, 'When the next reminder is sent'),
  }),
  documents: list('The signed documents', {
    sha256: field(Type.String(), 'The hash of the PDF, in hex'),
    size: field(Type.Integer(), 'Bytes'),
    stored_at: field(Timestamp, 'When it was stored'),
  }),
  timeline: list('The events in order', {
    position: field(Type.Integer(), 'From 1, without gaps'),
    type: field(Type.String(), 'What happened'),
    actor_id: field(nullable(Type.Integer()), 'Who did it; null for the system'),
    details: field(Type.Any(), 'What belongs to the event, such as the fields of a change'),
    occurred_at: field(Timestamp, 'When it happened'),
    hash: field(Type.String(), "A SHA-256 in hex, of the event and the previous event's hash"),
  }),
  ...exportedBooks,
})

const givenNames = {
  first_name: field(NullableText, 'As it was given'),
  last_name: field(NullableText, 'As it was given'),
}
const records = {
  properties: field(Type.Array(Property), 'Properties that the user created, including deleted ones'),
  property_units: field(Type.Array(Unit), 'Units that the user owns or manages, including deleted ones'),
  agreements: field(
    Type.Array(ExportedAgreement),
    'Agreements that the user is a party to or manages, including deleted drafts',
  ),
  activities: field(Type.Array(Activity), 'What the dashboard showed'),
  named_people: list('People that the user named', {
    id: field(Type.Integer(), "The person's user number"),
    phone: field(NullableText, 'The 10 digits of the mobile number'),
    ...givenNames,
  }),
  names_given_by_others: list('Names that others gave the user', givenNames),
  invitations: list('What operators said of the user when they invited them', {
    first_name: field(Type.String(), 'As the operator gave it'),
    last_name: field(Type.String(), 'As the operator gave it'),
    email: field(Type.String(), 'As the operator gave it'),
    sent_at: field(NullableTimestamp, 'When the message was sent; null if it could not be sent'),
    expires_at: field(Timestamp, 'Until when the person finds the invitation'),
    created_at,
  }),
}

export const PersonalData = Type.Object(
  {
    exported_at: field(Timestamp, 'When it was exported'),
    user: field(ExportedUser, 'The user'),
    ...signInRecords,
    ...records,
  },
  {
    text:
      'All stored data about one user. Of passwords, tokens and one-time passwords it says only that they exist, so ' +
      'it cannot be used to sign in.',
  },
)
export type PersonalData = Static<typeof PersonalData>

export const EraseInput = Type.Object({
  otp: field(
    Otp,
    'The 6 digits of a one-time password that was just sent; a token or a password is not enough',
  ),
})
export type EraseInput = Static<typeof EraseInput>
