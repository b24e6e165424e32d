import { Type, type Static } from '@sinclair/typebox'
import { Otp } from './auth.ts'
import { described, field, Timestamp } from './common.ts'

const Row = Type.Record(Type.String(), Type.Unknown())

export const PersonalData = described(
  'All stored data about one user. Secrets are omitted, so it cannot be used to sign in.',
  {
    exported_at: field(Timestamp, 'When it was exported'),
    tables: field(
      Type.Record(Type.String(), Type.Array(Row)),
      "The user's rows of each table, such as `agreements`, by the table's name; each row has its columns",
    ),
  },
)
export type PersonalData = Static<typeof PersonalData>

export const EraseInput = described('The proof that the user erases themselves.', {
  otp: field(
    Otp,
    'The 6 digits of a one-time password that was just sent; a token or a password is not enough',
  ),
})
export type EraseInput = Static<typeof EraseInput>
