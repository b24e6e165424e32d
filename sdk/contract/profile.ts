import { Type, type Static } from '@sinclair/typebox'
import { Password, User } from './auth'
import { Clearable, Text } from './common'

export const CompleteProfile = Type.Object({
  first_name: Text(255),
  last_name: Text(255),
  email: Type.String({
    format: 'mailbox',
    maxLength: 255,
    description: 'a valid e-mail address of at most 255 characters',
  }),
  password: Clearable(Password),
})
export type CompleteProfile = Static<typeof CompleteProfile>

export const ProfileAnswer = Type.Object({ message: Type.String(), user: User })
export type ProfileAnswer = Static<typeof ProfileAnswer>

export const KycStarted = Type.Object({
  message: Type.String(),
  verification_id: Type.String(),
  verification_url: Type.String(),
  status: Type.Literal('initiated'),
})
export type KycStarted = Static<typeof KycStarted>

export const CompleteKyc = Type.Object({ verification_id: Text(255) })
export type CompleteKyc = Static<typeof CompleteKyc>
