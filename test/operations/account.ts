import { operation, row, to, withoutFields, type OperationRows } from './row'

/** What the SDK sends for a password: a hash of the same form. */
export const PASSWORD_HASH = 'f51a3e2cf92d5a9b0bfc4fbc3a4f9fc2f3cbaa6d0b5f5c7b7a64c4fe6ad9e0ab'
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha.rao@example.com' }
const phone = '9876543210'

export const account: OperationRows = {
  'POST /auth': operation(withoutFields(to.everyone(400)), [], { body: { phone_number: '$phone' } }),
  'POST /auth/send-otp': operation(withoutFields(to.everyone(400)), 'other auth.sendOtp', {
    takes: [phone],
    body: { phone_number: '$phone' },
  }),
  'POST /auth/verify': operation(withoutFields(to.everyone(400)), 'other auth.verify', {
    takes: [phone, '123456'],
    body: { phone_number: '$phone', otp: '$otp' },
  }),
  'POST /auth/login': operation(withoutFields(to.everyone(400)), 'other auth.login', {
    takes: [phone, 'correct horse'],
    body: { phone_number: '$phone', password: PASSWORD_HASH },
  }),
  'GET /auth/me': operation(to.signedIn(200), 'none auth.me'),
  'PUT /profile/complete': operation([row(to.signedIn(200), { inactive: 404 })], 'other profile.complete', {
    takes: [profile],
    body: profile,
  }),
  'POST /profile/ekyc': operation(
    [row([401, 200, 400, 200, 200, 200], { inactive: 404 })],
    'bare profile.startKyc',
    { body: {} },
  ),
}

/** The sandbox has approved the check before. */
export const verification: OperationRows = {
  'POST /profile/ekyc/complete': operation(
    [row(to.signedIn(400), { inactive: 404 })],
    'other profile.completeKyc',
    { takes: ['v'], body: { verification_id: '$verification' } },
  ),
  'GET /dashboard': operation([401, 403, 200, 403, 403, 403], 'none dashboard.get', {
    whole: ['maintenance_requests', 'pending_payments', 'total_properties', 'total_tenants', 'vacant_units'],
  }),
}

/** After these there is no account that an example could use. */
export const leaving: OperationRows = {
  'POST /auth/renew': operation(to.signedIn(200), 'none auth.renew', { isRepeatable: true }),
  'GET /auth/me/export': operation(to.signedIn(200), 'none auth.exportMyData'),
  'POST /auth/logout': operation([row(to.signedIn(200), { endsSession: true })], 'body auth.logout', {
    body: { all: false },
  }),
  'DELETE /auth/me': operation(
    [row(to.signedIn(401), { body: { otp: '000000' } })],
    'other auth.eraseMyData',
    {
      takes: ['123456'],
      body: { otp: '$otp' },
    },
  ),
}
