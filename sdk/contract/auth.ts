import { Type, type Static } from '@sinclair/typebox'
import {
  computed,
  described,
  field,
  formattedText,
  maybe,
  Message,
  nullable,
  PhoneNumber,
  stringEnum,
  Timestamp,
  Uuid,
} from './common.ts'

export const Role = field(
  stringEnum('landlord', 'tenant', 'manager', 'admin'),
  'What a user is called; rights follow from relations to records, not from the role.',
)
export type Role = Static<typeof Role>

export const userIdentity = {
  id: field(Type.Integer(), "The user's number, which agreements and units name"),
  user_id: field(Type.String(), "The user's UUID; Variant A has none"),
}
export const User = described(
  'A person with a phone number. Who they are follows from units and agreements, not from `role`.',
  {
    ...userIdentity,
    phone: field(Type.String(), 'The 10 digits of the mobile number'),
    first_name: field(nullable(Type.String()), 'Null until the profile is complete'),
    last_name: field(nullable(Type.String()), 'Null until the profile is complete'),
    email: field(nullable(Type.String()), 'Null until the profile is complete'),
    role: computed(Role, 'What the user is called'),
    has_completed_profile: computed(Type.Boolean(), 'Whether the name and the e-mail address are known'),
    has_verified_profile: computed(Type.Boolean(), 'Whether an identity check has succeeded'),
  },
)
export type User = Static<typeof User>

export const Profile = described('A user with what only they themselves see.', {
  ...User.properties,
  pan: Type.Optional(
    computed(
      Type.String(),
      'The PAN, masked but for its last four characters: `••••••234F`. Absent without one',
    ),
  ),
})
export type Profile = Static<typeof Profile>

export const SignInStatus = field(
  stringEnum('NEEDS_PROFILE_COMPLETION', 'NEEDS_VERIFICATION', 'LOGIN_SUCCESSFUL'),
  'The next step of the onboarding; `LOGIN_SUCCESSFUL` is its end.',
)
export type SignInStatus = Static<typeof SignInStatus>

export const SendOtpInput = described('Who gets a one-time password.', { phone_number: PhoneNumber })
export type SendOtpInput = Static<typeof SendOtpInput>

const maskable = field(nullable(Type.String()), 'Whole, or its first letter if the server masks accounts')
export const KnownUser = described('What a server discloses about the owner of a phone number.', {
  user_id: field(Uuid, "The user's UUID"),
  first_name: maskable,
  last_name: maskable,
  email: maskable,
  phone_number: field(Type.String(), 'The 10 digits of the mobile number'),
})
export type KnownUser = Static<typeof KnownUser>
export const SendOtpResponse = described(
  'Whether the number is known, as far as the server discloses accounts.',
  {
    ...Message.properties,
    is_existing_user: maybe(
      Type.Boolean(),
      "True after the user's first sign-in; absent if the server hides accounts",
    ),
    user: maybe(nullable(KnownUser), 'Null for an unknown number; absent if the server hides accounts'),
  },
)
export type SendOtpResponse = Static<typeof SendOtpResponse>

export const Otp = Type.String({ pattern: '^[0-9]{6}$', description: 'exactly 6 digits', 'x-rule': 'otp' })

export const VerifyOtpInput = described('A phone number and its one-time password.', {
  phone_number: PhoneNumber,
  otp: field(Otp, 'The 6 digits of the one-time password'),
})
export type VerifyOtpInput = Static<typeof VerifyOtpInput>

/** The SDK sends a hash, which the server treats as the password. */
export const Password = formattedText(
  'secret',
  { minLength: 8, maxLength: 255 },
  'a password of 8 to 255 characters',
)

/** A password to compare; the rules for new ones may have been others. */
export const AnyPassword = formattedText('secret', { maxLength: 255 }, 'text of 1 to 255 characters')

export const LoginInput = described('A phone number and its password.', {
  phone_number: PhoneNumber,
  password: field(AnyPassword, 'The hash of the password'),
})
export type LoginInput = Static<typeof LoginInput>

const status = field(SignInStatus, 'The next step of the onboarding')

export const SignInResponse = described(
  'An access token of seven days, its user, and the next step of the onboarding.',
  {
    access_token: field(Type.String(), 'The token of the session, valid for 7 days'),
    user: field(User, 'Who has signed in'),
    status,
  },
)
export type SignInResponse = Static<typeof SignInResponse>

export const Session = described('The access token of a session, and its end.', {
  access_token: field(Type.String(), 'The token of the session'),
  expires_at: field(Timestamp, 'When the token expires'),
})
export type Session = Static<typeof Session>

export const LogoutInput = described('Which sessions to end.', {
  all: maybe(Type.Boolean(), "Ends the user's other sessions too"),
})
export type LogoutInput = Static<typeof LogoutInput>

export const InvitedProfile = described('What an operator said of the user, who confirms or corrects it.', {
  first_name: field(Type.String(), 'The first name, to be confirmed by the person'),
  last_name: field(Type.String(), 'The last name, to be confirmed by the person'),
  email: field(Type.String(), 'The e-mail address, to be confirmed by the person'),
})
export type InvitedProfile = Static<typeof InvitedProfile>

export const CurrentUser = described('Who is signed in, and the next step of the onboarding.', {
  user: field(Profile, 'Who has signed in'),
  status,
  invitation: maybe(
    InvitedProfile,
    'For the form of the profile; absent once the profile is complete, or without an open invitation',
  ),
})
export type CurrentUser = Static<typeof CurrentUser>
