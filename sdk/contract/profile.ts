import { Type, type Static } from '@sinclair/typebox'
import { warnings } from './agreements.ts'
import { AnyPassword, Otp, Password, Profile } from './auth.ts'
import { described, field, formattedText, Message, optional, text } from './common.ts'

/** India's permanent account number. Which kinds of holder its fourth letter may name is not judged. */
export const Pan = Type.String({
  pattern: '^[A-Za-z]{5}[0-9]{4}[A-Za-z]$',
  description: 'a PAN such as ABCPE1234F: five letters, then four digits and a letter',
  'x-rule': 'pan',
})
const Mailbox = formattedText(
  'mailbox',
  { maxLength: 255 },
  'a valid e-mail address of at most 255 characters',
)

export const personFields = {
  first_name: field(text(255), 'The first name'),
  last_name: field(text(255), 'The last name'),
  email: field(Mailbox, 'The e-mail address'),
}

export const CompleteProfileInput = described(
  'To replace a password, `password` needs `current_password` or `otp` beside it; the first one needs neither. ' +
    "A verified user's name stays.",
  {
    ...personFields,
    password: optional(Password, 'A new password. The SDK sends its hash'),
    current_password: optional(AnyPassword, 'The password to be replaced. The SDK sends its hash'),
    otp: optional(
      Otp,
      'The 6 digits of a one-time password that was just sent, instead of the current password',
    ),
    pan: optional(
      Pan,
      'The PAN, such as `ABCPE1234F`. It stays as it is unless it is given; null removes it',
    ),
  },
)
export type CompleteProfileInput = Static<typeof CompleteProfileInput>

export const ProfileResponse = described('A profile after a change.', {
  ...Message.properties,
  user: field(Profile, 'The user after the change'),
  warnings,
})
export type ProfileResponse = Static<typeof ProfileResponse>

export const StartKycResponse = described('An identity check that waits for the user.', {
  ...Message.properties,
  verification_id: field(Type.String(), "The check's id, which completes it"),
  verification_url: field(
    Type.String(),
    "The address of the provider's page, where the user completes the check",
  ),
  status: field(Type.Literal('initiated'), 'The check has begun'),
})
export type StartKycResponse = Static<typeof StartKycResponse>

export const CompleteKycInput = described('Which identity check to complete.', {
  verification_id: field(text(255), "The check's id, which its start returned"),
})
export type CompleteKycInput = Static<typeof CompleteKycInput>
