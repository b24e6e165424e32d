import { createClient, type Call, type CallOptions, type ClientOptions, type Kiraya } from '../../sdk'
import { createOperationsClient } from '../../sdk/operations'
import { createSandboxClient } from '../../sdk/sandbox'

export type Clients = ReturnType<typeof createClients>

/** A client of every kind, all with the same options. */
export const createClients = (options: ClientOptions) => ({
  ...createClient(options),
  operations: createOperationsClient(options),
  sandbox: createSandboxClient(options),
})

export const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

/** What a one-time secret or a password proves. A repeated request would find it used up, or count as a guess. */
export const proofs: Record<string, (client: Kiraya, options?: CallOptions) => Promise<unknown>> = {
  'auth.verify': ({ auth }, options) => auth.verify('9876543210', '123456', options),
  'auth.login': ({ auth }, options) => auth.login('9876543210', 'correct horse', options),
  'auth.eraseMyData': ({ auth }, options) => auth.eraseMyData('123456', options),
  'profile.complete with an OTP': (client, options) =>
    client.profile.complete({ ...profile, otp: '123456' }, options),
  'profile.complete with the current password': (client, options) =>
    client.profile.complete(
      { ...profile, password: 'correct horse', current_password: 'wrong horse' },
      options,
    ),
}

/**
 * Every method and its request. It sends a `query` or a `body`; `once` is a body with an idempotency key, `bare` a
 * key alone, `none` neither; `key` and `other` have a body of their own.
 */
export const methods: Record<string, string> = {
  'auth.sendOtp': 'other POST /auth/send-otp',
  'auth.verify': 'other POST /auth/verify',
  'auth.login': 'other POST /auth/login',
  'auth.logout': 'body POST /auth/logout',
  'auth.me': 'none GET /auth/me',
  'auth.exportMyData': 'none GET /auth/me/export',
  'auth.eraseMyData': 'other DELETE /auth/me',
  'profile.complete': 'other PUT /profile/complete',
  'profile.startKyc': 'bare POST /profile/ekyc',
  'profile.completeKyc': 'other POST /profile/ekyc/complete',
  'dashboard.get': 'none GET /dashboard',
  'properties.create': 'once POST /properties',
  'properties.list': 'query GET /properties',
  'properties.get': 'none GET /properties/3',
  'properties.update': 'body PATCH /properties/3',
  'properties.delete': 'none DELETE /properties/3',
  'properties.search': 'query GET /properties/search',
  'units.create': 'once POST /properties/3/units',
  'units.list': 'query GET /properties/3/units',
  'units.get': 'none GET /properties/3/units/5',
  'units.update': 'body PATCH /properties/3/units/5',
  'units.delete': 'none DELETE /properties/3/units/5',
  'units.resign': 'bare POST /properties/3/units/5/resign',
  'tenants.create': 'key POST /tenants',
  'tenants.list': 'query GET /tenants',
  'agreements.create': 'once POST /agreements',
  'agreements.list': 'query GET /agreements',
  'agreements.get': 'none GET /agreements/7',
  'agreements.waitFor': 'other GET /agreements/7',
  'agreements.update': 'body PATCH /agreements/7',
  'agreements.delete': 'none DELETE /agreements/7',
  'agreements.revise': 'once POST /agreements/7/revise',
  'agreements.renew': 'once POST /agreements/7/renew',
  'agreements.sign': 'once POST /agreements/7/sign',
  'agreements.signatures': 'none GET /agreements/7/signatures',
  'agreements.cancelSignature': 'bare POST /agreements/7/signatures/9/cancel',
  'agreements.decline': 'once POST /agreements/7/decline',
  'agreements.timeline': 'none GET /agreements/7/timeline',
  'agreements.document': 'query GET /agreements/7/document',
  'agreements.certificate': 'none GET /agreements/7/certificate',
  'agreements.terminate': 'once POST /agreements/7/terminate',
  'agreements.complete': 'bare POST /agreements/7/complete',
  'charges.list': 'query GET /charges',
  'charges.get': 'none GET /charges/31',
  'charges.create': 'once POST /agreements/7/charges',
  'charges.credit': 'once POST /charges/31/credits',
  'charges.schedule': 'none GET /agreements/7/schedule',
  'deposits.get': 'none GET /agreements/7/deposit',
  'deposits.settle': 'once POST /agreements/7/deposit/settlement',
  'deposits.settlementPdf': 'none GET /agreements/7/deposit/settlement/pdf',
  'deposits.accept': 'once POST /agreements/7/deposit/settlement/accept',
  'deposits.dispute': 'once POST /agreements/7/deposit/settlement/dispute',
  'deposits.post': 'once POST /agreements/7/deposit/settlement/post',
  'rentRevisions.list': 'query GET /agreements/7/rent-revisions',
  'rentRevisions.propose': 'once POST /agreements/7/rent-revisions',
  'rentRevisions.accept': 'bare POST /agreements/7/rent-revisions/3/accept',
  'rentRevisions.decline': 'bare POST /agreements/7/rent-revisions/3/decline',
  'rentRevisions.withdraw': 'bare POST /agreements/7/rent-revisions/3/withdraw',
  'books.summary': 'query GET /books/summary',
  'books.rentRoll': 'query GET /books/rent-roll',
  'books.arrears': 'none GET /books/arrears',
  'books.annualPdf': 'other GET /books/annual?format=pdf',
  'books.annual': 'query GET /books/annual',
  'payments.list': 'query GET /payments',
  'payments.get': 'none GET /payments/12',
  'payments.receipt': 'none GET /payments/12/receipt',
  'payments.create': 'once POST /agreements/7/payments',
  'payments.confirm': 'once POST /payments/12/confirm',
  'payments.reject': 'once POST /payments/12/reject',
  'payments.clear': 'once POST /payments/12/clear',
  'payments.bounce': 'once POST /payments/12/bounce',
  'payments.reverse': 'once POST /payments/12/reverse',
  'payments.update': 'body PATCH /payments/12',
  'payments.allocate': 'body PUT /payments/12/allocations',
  'payments.refund': 'once POST /agreements/7/refunds',
  'payments.tds': 'query GET /agreements/7/tds',
  'maintenance.create': 'once POST /maintenance-requests',
  'maintenance.list': 'query GET /maintenance-requests',
  'maintenance.get': 'none GET /maintenance-requests/7',
  'maintenance.update': 'body PATCH /maintenance-requests/7',
  'maintenance.status': 'once POST /maintenance-requests/7/status',
  'maintenance.comments': 'query GET /maintenance-requests/7/comments',
  'maintenance.comment': 'once POST /maintenance-requests/7/comments',
  'maintenance.attach': 'key POST /maintenance-requests/7/attachments',
  'maintenance.download': 'none GET /maintenance-requests/7/attachments/4',
  'maintenance.detach': 'none DELETE /maintenance-requests/7/attachments/4',
  'statements.get': 'query GET /agreements/7/statement',
  'statements.pdf': 'query GET /agreements/7/statement/pdf',
  'statements.rentProof': 'query GET /agreements/7/rent-proof',
  'operations.webhooks': 'query GET /operations/webhooks',
  'operations.replay': 'other POST /operations/webhooks/17/replay',
  'operations.invite': 'body POST /operations/invitations',
  'operations.invitations': 'query GET /operations/invitations',
  'operations.cancelInvitation': 'none DELETE /operations/invitations/3',
  'operations.jobs': 'none GET /operations/jobs',
  'sandbox.state': 'none GET /sandbox/control',
  'sandbox.messages': 'query GET /sandbox/messages',
  'sandbox.addFault': 'body POST /sandbox/control/faults',
  'sandbox.removeFault': 'none DELETE /sandbox/control/faults/f',
  'sandbox.clearFaults': 'none DELETE /sandbox/control/faults',
  'sandbox.moveClock': 'body POST /sandbox/control/clock',
  'sandbox.setEkyc': 'body POST /sandbox/control/ekyc',
  'sandbox.sign': 'other POST /sandbox/control/signatures/4',
  'sandbox.check': 'other POST /sandbox/control/checks/4',
}

/** What a method takes after its ids, if that is not what it sends. */
const inputs: Record<string, unknown[]> = {
  'auth.sendOtp': ['9876543210'],
  'auth.verify': ['9876543210', '123456'],
  'auth.login': ['9876543210', 'correct horse'],
  'auth.eraseMyData': ['123456'],
  'profile.complete': [profile],
  'profile.completeKyc': ['v'],
  'tenants.create': [{ phone_number: '9876543210' }],
  'agreements.waitFor': [undefined],
  'books.annualPdf': [{}],
  'maintenance.attach': [new Blob(['a picture'])],
  'sandbox.sign': ['sign'],
  'sandbox.check': ['approve'],
}

/** The ids in the path of a method's request. */
export const findIds = (name: string) => methods[name]!.match(/(?<=\/)(\d+|f)(?=\/|$)/g) ?? []

type Given = { options?: CallOptions; input?: object; lastId?: unknown }

/** Calls a method with the least that it needs, or with what is given. */
export function callMethod(
  clients: Clients,
  name: string,
  { options = {}, input = {}, ...given }: Given = {},
) {
  const [noun, verb] = name.split('.') as [keyof Clients, string]
  const kind = methods[name]!.split(' ')[0]!
  const ids: unknown[] = findIds(name).map(id => Number(id) || id)
  if ('lastId' in given) ids.splice(-1, 1, given.lastId)
  const takesInput = ['query', 'body', 'once'].includes(kind)
  const method = (clients[noun] as any)[verb] as (...given: unknown[]) => Call<unknown>
  return method(...ids, ...(inputs[name] ?? (takesInput ? [input] : [])), options)
}
