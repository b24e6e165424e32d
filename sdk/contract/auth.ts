import { Type, type Static } from '@sinclair/typebox'
import { Nullable, StringEnum, StringOf, PhoneNumber, Uuid } from './common.ts'

export const Role = StringEnum('landlord', 'tenant', 'manager', 'admin')
export type Role = Static<typeof Role>

export const User = Type.Object({
  id: Type.Integer(),
  user_id: Type.String(),
  phone: Type.String(),
  first_name: Nullable(Type.String()),
  last_name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  role: Role,
  has_completed_profile: Type.Boolean(),
  has_verified_profile: Type.Boolean(),
})
export type User = Static<typeof User>

/** A user with what only they themselves see. `pan` is masked but for its last four characters; absent without one. */
export const Profile = Type.Object({ ...User.properties, pan: Type.Optional(Type.String()) })
export type Profile = Static<typeof Profile>

/** The next step of the onboarding. */
export const SignInStatus = StringEnum('NEEDS_PROFILE_COMPLETION', 'NEEDS_VERIFICATION', 'LOGIN_SUCCESSFUL')
export type SignInStatus = Static<typeof SignInStatus>

export const SendOtpInput = Type.Object({ phone_number: PhoneNumber })
export type SendOtpInput = Static<typeof SendOtpInput>

/**
 * `user` is null for an unknown phone number; `is_existing_user` is true after the user's first sign-in. A server
 * that masks accounts shows first letters of names and e-mail; one that hides them has neither.
 */
export const SendOtpResponse = Type.Object({
  message: Type.String(),
  is_existing_user: Type.Optional(Type.Boolean()),
  user: Type.Optional(
    Nullable(
      Type.Object({
        user_id: Uuid,
        first_name: Nullable(Type.String()),
        last_name: Nullable(Type.String()),
        email: Nullable(Type.String()),
        phone_number: Type.String(),
      }),
    ),
  ),
})
export type SendOtpResponse = Static<typeof SendOtpResponse>

export const Otp = Type.String({ pattern: '^[0-9]{6}$', description: 'exactly 6 digits' })

export const VerifyOtpInput = Type.Object({ phone_number: PhoneNumber, otp: Otp })
export type VerifyOtpInput = Static<typeof VerifyOtpInput>

/** The SDK sends a hash, which the server treats as the password. */
export const Password = StringOf({
  format: 'secret',
  minLength: 8,
  maxLength: 255,
  description: 'a password of 8 to 255 characters',
})

/** A password to compare; the rules for new ones may have been others. */
export const AnyPassword = StringOf({
  format: 'secret',
  maxLength: 255,
  description: 'text of 1 to 255 characters',
})

export const LoginInput = Type.Object({ phone_number: PhoneNumber, password: AnyPassword })
export type LoginInput = Static<typeof LoginInput>

export const SignInResponse = Type.Object({ access_token: Type.String(), user: User, status: SignInStatus })
export type SignInResponse = Static<typeof SignInResponse>

/** `all` also ends the user's other sessions. */
export const LogoutInput = Type.Object({ all: Type.Optional(Type.Boolean()) })
export type LogoutInput = Static<typeof LogoutInput>

/** What an operator said of a person whom they invited; only the person makes it their profile. */
export const InvitedProfile = Type.Object({
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
})
export type InvitedProfile = Static<typeof InvitedProfile>

/** `invitation` is absent once the profile is complete, or without an open invitation. */
export const CurrentUser = Type.Object({
  user: Profile,
  status: SignInStatus,
  invitation: Type.Optional(InvitedProfile),
})
export type CurrentUser = Static<typeof CurrentUser>
