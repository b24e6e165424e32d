/** The texts of the operations of sign-in, profile and dashboard. */
export const accountTexts = {
  'POST /auth': {
    id: 'requestOtp',
    description:
      'Sends a one-time password to the phone, as a message of the first channel that works. It is the address ' +
      'of Variant A for this; in the sandbox the password is always `123456`. Repeat it after the wait that ' +
      '`Retry-After` names.',
  },
  'POST /auth/send-otp': {
    id: 'sendOtp',
    description:
      'Sends a one-time password to the phone and says whether the number has an account, as far as the server ' +
      'discloses it. In the sandbox the password is always `123456`.',
  },
  'POST /auth/verify': {
    id: 'verifyOtp',
    description:
      'Exchanges the one-time password for an access token of seven days, and creates the account with the ' +
      'first sign-in. `status` is the next step of the onboarding. A password works once; five wrong attempts ' +
      'end it.',
  },
  'POST /auth/login': {
    id: 'loginWithPassword',
    description:
      'Exchanges phone and password for an access token. Send what the SDK sends: PBKDF2-HMAC-SHA-256 of the ' +
      'password in 600,000 rounds with the salt `kiraya:` and the phone, as hex. An unknown phone and a wrong ' +
      'password get the same answer.',
  },
  'POST /auth/logout': {
    id: 'logout',
    description:
      'Ends the session of the token at once, on every instance. `all` ends every session of the user.',
  },
  'GET /auth/me': {
    id: 'getCurrentUser',
    description:
      'Returns the user of the token and the next step of the onboarding. Call it when a page loads, to continue ' +
      'where the user stopped. `invitation` fills in the form of the profile, for the user to confirm.',
  },
  'GET /auth/me/export': {
    id: 'exportPersonalData',
    description:
      'Returns everything that is stored about the caller, as a download. Of passwords, tokens and one-time ' +
      'passwords it says only that they exist.',
  },
  'DELETE /auth/me': {
    id: 'eraseUser',
    description:
      'Erases the account and what is personal in its records, for good. Request a one-time password first. ' +
      'Signed agreements stay as evidence, without names. Agreements that are ACTIVE have to be terminated ' +
      'before.',
  },
  'PUT /profile/complete': {
    id: 'completeProfile',
    description:
      'Stores names and e-mail address, and optionally a password. Call it again to change them; after the ' +
      'identity check the names are fixed. Another password also needs `current_password` or `otp`.',
  },
  'POST /profile/ekyc': {
    id: 'startIdentityCheck',
    description:
      'Starts the identity check. Send the user to `verification_url`, then complete the check with its ' +
      '`verification_id`. A check that is still open is returned again. The profile has to be complete.',
  },
  'POST /profile/ekyc/complete': {
    id: 'completeIdentityCheck',
    description:
      'Reads the result of the identity check from the provider and marks the user as verified. 400 until the ' +
      'person has finished it.',
  },
  'GET /dashboard': {
    id: 'getDashboard',
    description:
      'Returns the counts and the twenty newest activities of a landlord. It needs a complete onboarding, else ' +
      '403 with the next step in `details`.',
  },
}
