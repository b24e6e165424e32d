import { Type, type Static } from '@sinclair/typebox'
import { AnyPassword, Otp, Password, Profile } from './auth.ts'
import { OptionalNullable, StringOf, Text } from './common.ts'

/** India's permanent account number. Which kinds of holder its fourth letter may name is not judged. */
export const Pan = Type.String({
  pattern: '^[A-Za-z]{5}[0-9]{4}[A-Za-z]$',
  description: 'a PAN such as ABCPE1234F: five letters, then four digits and a letter',
})

/** To replace a password, `password` needs `current_password` or `otp` beside it; the first one needs neither. */
export const CompleteProfileInput = Type.Object({
  first_name: Text(255),
  last_name: Text(255),
  email: StringOf({
    format: 'mailbox',
    maxLength: 255,
    description: 'a valid e-mail address of at most 255 characters',
  }),
  password: OptionalNullable(Password),
  current_password: OptionalNullable(AnyPassword),
  otp: OptionalNullable(Otp),
  /** Stays as it is if absent; null removes it. */
  pan: OptionalNullable(Pan),
})
export type CompleteProfileInput = Static<typeof CompleteProfileInput>

export const ProfileResponse = Type.Object({ message: Type.String(), user: Profile })
export type ProfileResponse = Static<typeof ProfileResponse>

export const StartKycResponse = Type.Object({
  message: Type.String(),
  verification_id: Type.String(),
  verification_url: Type.String(),
  status: Type.Literal('initiated'),
})
export type StartKycResponse = Static<typeof StartKycResponse>

export const CompleteKycInput = Type.Object({ verification_id: Text(255) })
export type CompleteKycInput = Static<typeof CompleteKycInput>
