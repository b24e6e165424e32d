/** What a user is called; rights follow from relations to records, not from the role. */
export type Role = 'landlord' | 'tenant' | 'manager' | 'admin'

/** The next step of the onboarding. */
export type SignInStatus = 'NEEDS_PROFILE_COMPLETION' | 'NEEDS_VERIFICATION' | 'LOGIN_SUCCESSFUL'

/** A signed-in user. */
export interface User {
  /** The user's number, which agreements and units name. */
  id: number
  /** The user's UUID; Variant A has none. */
  user_id: string
  /** The 10 digits of the mobile number. */
  phone: string
  /** Null until the profile is complete. */
  first_name: string | null
  /** Null until the profile is complete. */
  last_name: string | null
  /** Null until the profile is complete. */
  email: string | null
  /** What the user is called. */
  role: Role
  /** Whether the name and the e-mail address are known. */
  has_completed_profile: boolean
  /** Whether an identity check has succeeded. */
  has_verified_profile: boolean
}

/** A user with what only they themselves see. */
export interface Profile extends User {
  /** The PAN, masked but for its last four characters: `••••••234F`. Absent without one. */
  pan?: string
}

/** The body of `auth.sendOtp`. */
export interface SendOtpInput {
  /** 10 digits, the first of them 6 to 9. */
  phone_number: string
}

/** What a server discloses about the owner of a phone number. */
export interface KnownUser {
  /** The user's UUID. */
  user_id: string
  /** Whole, or its first letter if the server masks accounts. */
  first_name: string | null
  /** Whole, or its first letter if the server masks accounts. */
  last_name: string | null
  /** Whole, or its first letter if the server masks accounts. */
  email: string | null
  /** The 10 digits of the mobile number. */
  phone_number: string
}

/** The response of `auth.sendOtp`. */
export interface SendOtpResponse {
  /** A sentence for people. */
  message: string
  /** True after the user's first sign-in; absent in Variant A, or if the server hides accounts. */
  is_existing_user?: boolean
  /** Null for an unknown number, or if the server hides accounts; absent in Variant A. */
  user?: KnownUser | null
}

/** The body of `auth.verify`. */
export interface VerifyOtpInput {
  /** 10 digits, the first of them 6 to 9. */
  phone_number: string
  /** The 6 digits of the one-time password. */
  otp: string
}

/** The body of `auth.login`. */
export interface LoginInput {
  /** 10 digits, the first of them 6 to 9. */
  phone_number: string
  /** The hash of the password. */
  password: string
}

/** The response of a sign-in. */
export interface SignInResponse {
  /** The token of the session, valid for 7 days. */
  access_token: string
  /** Who has signed in. */
  user: User
  /** The next step of the onboarding. */
  status: SignInStatus
}

/** The options of `auth.logout`. */
export interface LogoutInput {
  /** Ends the user's other sessions too. */
  all?: boolean
}

/** What an operator said of a person whom they invited. */
export interface InvitedProfile {
  /** The first name, to be confirmed by the person. */
  first_name: string
  /** The last name, to be confirmed by the person. */
  last_name: string
  /** The e-mail address, to be confirmed by the person. */
  email: string
}

/** The response of `auth.me`. */
export interface CurrentUser {
  /** Who has signed in. */
  user: Profile
  /** The next step of the onboarding. */
  status: SignInStatus
  /** For the form of the profile; absent once the profile is complete, or without an open invitation. */
  invitation?: InvitedProfile
}

/** The body of `auth.eraseMyData`. */
export interface EraseInput {
  /** The 6 digits of a one-time password that was just sent. */
  otp: string
}
