import { booksTexts } from './openapi-books-texts'
import { statementTexts } from './openapi-statement-texts'
import { leaseTexts } from './openapi-lease-texts'

type Text = { id: string; description: string }
const text = (id: string, description: string): Text => ({ id, description })

/** The id and the description of each operation, beside the summary that its route has. */
export const operationTexts: Record<string, Text> = {
  'POST /auth': text(
    'requestOtp',
    'Sends a one-time password to the phone, as a message of the first channel that works. It is the address ' +
      'of Variant A for this; in the sandbox the password is always `123456`. Repeat it after the wait that ' +
      '`Retry-After` names.',
  ),
  'POST /auth/send-otp': text(
    'sendOtp',
    'Sends a one-time password to the phone and says whether the number has an account, as far as the server ' +
      'discloses it. In the sandbox the password is always `123456`.',
  ),
  'POST /auth/verify': text(
    'verifyOtp',
    'Exchanges the one-time password for an access token of seven days, and creates the account with the ' +
      'first sign-in. `status` is the next step of the onboarding. A password works once; five wrong attempts ' +
      'end it.',
  ),
  'POST /auth/login': text(
    'loginWithPassword',
    'Exchanges phone and password for an access token. Send what the SDK sends: PBKDF2-HMAC-SHA-256 of the ' +
      'password in 600,000 rounds with the salt `kiraya:` and the phone, as hex. An unknown phone and a wrong ' +
      'password get the same answer.',
  ),
  'POST /auth/logout': text(
    'logout',
    'Ends the session of the token at once, on every instance. `all` ends every session of the user.',
  ),
  'GET /auth/me': text(
    'getCurrentUser',
    'Returns the user of the token and the next step of the onboarding. Call it when a page loads, to continue ' +
      'where the user stopped. `invitation` fills in the form of the profile, for the user to confirm.',
  ),
  'GET /auth/me/export': text(
    'exportPersonalData',
    'Returns everything that is stored about the caller, as a download. Of passwords, tokens and one-time ' +
      'passwords it says only that they exist.',
  ),
  'DELETE /auth/me': text(
    'eraseUser',
    'Erases the account and what is personal in its records, for good. Request a one-time password first. ' +
      'Signed agreements stay as evidence, without names. Agreements that are ACTIVE have to be terminated ' +
      'before.',
  ),
  'PUT /profile/complete': text(
    'completeProfile',
    'Stores names and e-mail address, and optionally a password. Call it again to change them; after the ' +
      'identity check the names are fixed. Another password also needs `current_password` or `otp`.',
  ),
  'POST /profile/ekyc': text(
    'startIdentityCheck',
    'Starts the identity check. Send the user to `verification_url`, then complete the check with its ' +
      '`verification_id`. A check that is still open is returned again. The profile has to be complete.',
  ),
  'POST /profile/ekyc/complete': text(
    'completeIdentityCheck',
    'Reads the result of the identity check from the provider and marks the user as verified. 400 until the ' +
      'person has finished it.',
  ),
  'GET /dashboard': text(
    'getDashboard',
    'Returns the counts and the twenty newest activities of a landlord. It needs a complete onboarding, else ' +
      '403 with the next step in `details`.',
  ),
  'GET /properties': text(
    'listProperties',
    'Lists the properties that the caller created or has an active unit in, page by page. Units are not ' +
      'included.',
  ),
  'POST /properties': text(
    'createProperty',
    'Lists a property, with its first units in the same step: all or nothing. City, district and state come ' +
      'from the PIN code; send them only for a PIN code that is unknown.',
  ),
  'GET /properties/search': text(
    'searchProperties',
    'Finds buildings that other landlords have listed, by name, PIN code and locality, so that one building is ' +
      'not listed twice. Add your unit to one of them by its UUID. No owner is shown.',
  ),
  'GET /properties/{id}': text(
    'getProperty',
    'Returns a property with those of its units that the caller owns or manages.',
  ),
  'PATCH /properties/{id}': text(
    'updateProperty',
    'Changes the fields that are sent; null clears an optional one. Only the creator may.',
  ),
  'DELETE /properties/{id}': text(
    'deleteProperty',
    "Deletes the property and the caller's units in it. 400 while one of them has a PENDING or ACTIVE " +
      'agreement. Only the creator may.',
  ),
  'GET /properties/{id}/units': text(
    'listUnits',
    'Lists the units of a property that the caller owns or manages, page by page.',
  ),
  'POST /properties/{id}/units': text(
    'createUnit',
    "Adds a unit to the caller's property, or to another landlord's building by its UUID.",
  ),
  'GET /properties/{id}/units/{unitId}': text('getUnit', 'Returns a unit that the caller owns or manages.'),
  'PATCH /properties/{id}/units/{unitId}': text(
    'updateUnit',
    'Changes the fields that are sent; null clears an optional one. Its manager may too, but not appoint ' +
      'another manager.',
  ),
  'DELETE /properties/{id}/units/{unitId}': text(
    'deleteUnit',
    'Deletes the unit and its drafts. 400 while it has a PENDING or ACTIVE agreement. Only its landlord may.',
  ),
  'POST /properties/{id}/units/{unitId}/resign': text(
    'resignFromUnit',
    'Ends the work of the caller as manager of the unit, which its landlord manages again. Only the manager may.',
  ),
  'GET /tenants': text(
    'listTenants',
    "Lists the tenants of the caller's agreements and the people whom the caller named, page by page. Number and " +
      'names appear if the caller gave them or the tenant has signed.',
  ),
  'POST /tenants': text(
    'createTenant',
    'Finds or creates the user with this phone number, so that an agreement can name them by `id`. It never ' +
      'changes an account: the names are those that the caller uses for them.',
  ),
  'GET /agreements': text(
    'listAgreements',
    'Lists the agreements in which the caller is a party or the manager of the unit, page by page.',
  ),
  'POST /agreements': text(
    'createAgreement',
    'Creates a draft for a unit that the caller owns or manages. The number is given by the server unless one ' +
      'is sent. A draft can be changed until the first party is asked to sign.',
  ),
  'GET /agreements/{id}': text('getAgreement', 'Returns an agreement of the caller.'),
  'PATCH /agreements/{id}': text(
    'updateAgreement',
    'Changes the fields of a draft that are sent; null clears an optional one. Another status than DRAFT is ' +
      '403.',
  ),
  'DELETE /agreements/{id}': text('deleteAgreement', 'Deletes a draft. Another status than DRAFT is 403.'),
  'GET /agreements/{id}/signatures': text(
    'listSignatures',
    'Returns the latest signature of each party who was asked. `allSigned` is true when every required party ' +
      "has signed: the landlord's side and all tenants.",
  ),
  'GET /agreements/{id}/timeline': text(
    'getTimeline',
    'Returns what happened to the agreement, oldest first. Each event has a hash that covers the one before; ' +
      '`intact` is false if an event was changed or removed.',
  ),
  'GET /agreements/{id}/document': text(
    'downloadDocument',
    'Downloads the signed PDF, once the agreement is ACTIVE. Where each party has a document of its own, ' +
      '`signature_id` chooses one.',
  ),
  'GET /agreements/{id}/certificate': text(
    'downloadCertificate',
    'Downloads the certificate of completion: who signed what and when, with the hashes of the documents.',
  ),
  'POST /agreements/{id}/sign': text(
    'startSigning',
    'Asks one party to sign and returns the address where they do. The first call makes a draft PENDING and ' +
      'fixes its parties. A request that is still open is returned again. The agreement becomes ACTIVE when ' +
      "the landlord's side and all tenants have signed.",
  ),
  'POST /agreements/{id}/decline': text(
    'declineAgreement',
    'Records that the caller, a party who has not signed, refuses to sign.',
  ),
  'POST /agreements/{id}/signatures/{signatureId}/cancel': text(
    'cancelSignature',
    'Withdraws the request to one party, so that they can be asked again. The other signatures stay.',
  ),
  'POST /agreements/{id}/revise': text(
    'reviseAgreement',
    'Ends an agreement that is being signed as TERMINATED, and creates a draft with its terms and the changes ' +
      'that are sent. `revises_agreement_id` links back.',
  ),
  'POST /agreements/{id}/terminate': text(
    'terminateAgreement',
    'Ends a PENDING or ACTIVE agreement at once, and cancels the requests to sign that are open. ' +
      '`termination_date` is from the start of the agreement to today.',
  ),
  'POST /agreements/{id}/complete': text(
    'completeAgreement',
    'Closes a TERMINATED agreement: nothing changes it any more.',
  ),
  ...booksTexts,
  ...statementTexts,
  ...leaseTexts,
  'POST /webhooks/esign': text(
    'receiveEsignWebhook',
    'The e-signing provider sends changes of a signature here. The signature of the bytes is verified; a ' +
      'webhook is stored, and one that comes twice counts once. What it says is read back from the provider ' +
      'before it counts.',
  ),
  'POST /webhooks/ekyc': text(
    'receiveEkycWebhook',
    'The eKYC provider sends changes of an identity check here. It is not signed, so it only makes the server ' +
      'read the result from the provider.',
  ),
  'GET /health/live': text(
    'getLiveness',
    'Answers as long as the process runs. Restart it when this fails. It needs no database.',
  ),
  'GET /health/ready': text(
    'getReadiness',
    'Answers 200 when the database is reachable and has every migration. Send requests elsewhere when this is ' +
      '503.',
  ),
  'GET /metrics': text(
    'getMetrics',
    'Returns counters and gauges of requests, providers, signatures and jobs for Prometheus.',
  ),
  'GET /operations/webhooks': text(
    'listWebhookDeliveries',
    'Lists the webhooks that arrived, page by page. `state=unknown` finds those about requests that this ' +
      'server did not make.',
  ),
  'POST /operations/webhooks/{id}/replay': text(
    'replayWebhookDelivery',
    'Processes a stored webhook once more. A second time changes nothing.',
  ),
  'POST /operations/invitations': text(
    'inviteLandlord',
    'Invites a landlord by a message that leads to the sign-in. No account is made: the person signs in with ' +
      'a one-time password of their own, and finds the names in `GET /auth/me`, for the form of the profile. ' +
      'Inviting again changes an open invitation, and sends a message only if none was sent.',
  ),
  'GET /operations/invitations': text(
    'listInvitations',
    'Lists the invitations, page by page. One that has expired is deleted seven days later.',
  ),
  'DELETE /operations/invitations/{id}': text(
    'cancelInvitation',
    'Deletes an invitation, so that the person no longer finds its names. A message cannot be called back.',
  ),
  'GET /operations/jobs': text(
    'getJobsReport',
    'Returns the runs of each job by state, the newest failures and the work that waits.',
  ),
  'GET /sandbox/control': text(
    'getSandbox',
    'Returns the clock of the sandbox, its fault rules, and the signatures and identity checks that wait for a ' +
      'person.',
  ),
  'POST /sandbox/control/clock': text(
    'moveSandboxClock',
    'Moves the clock: late webhooks arrive, requests expire, and the books have what falls due before the ' +
      'response. Outside of production the whole server goes by it, sessions too. Send exactly one field.',
  ),
  'POST /sandbox/control/signatures/{id}': text(
    'actAsSigner',
    'Does what a signer would do on the page at `signing_url`. `id` is the last part of that address.',
  ),
  'POST /sandbox/control/checks/{id}': text(
    'decideIdentityCheck',
    'Does what a person would do on the page at `verification_url`. `id` is the last part of that address.',
  ),
  'POST /sandbox/control/faults': text(
    'addSandboxFault',
    'Makes the next calls to a simulated provider, or its next webhooks, fail or come late.',
  ),
  'DELETE /sandbox/control/faults': text('clearSandboxFaults', 'Removes every fault rule.'),
  'DELETE /sandbox/control/faults/{id}': text(
    'removeSandboxFault',
    'Removes one fault rule, whether or not it was used up.',
  ),
  'GET /sandbox/messages': text(
    'listSandboxMessages',
    'Lists the newest fifty messages that the sandbox kept instead of sending them, newest first.',
  ),
}

/** What each group of operations is for, in the order in which the page shows them. */
export const tagDescriptions: Record<string, string> = {
  'Sign-in': 'One-time passwords, passwords, sessions, and the data of the signed-in user.',
  'Profile and eKYC':
    'The two steps after the first sign-in: names and e-mail address, then the identity check.',
  Dashboard: 'What a landlord sees first.',
  Properties: 'Buildings and houses. Several landlords may have units in one of them.',
  'Property units': 'The flats, rooms and shops of a property, which agreements let.',
  Tenants: 'The people that agreements name.',
  Agreements: 'Leases, from the draft over the signatures to their end.',
  Charges: 'What is owed under a lease: rent, deposit, late fees and what the landlord charges besides.',
  Payments: 'What was paid under a lease, and which charges it settles.',
  Statements: 'The documents of a lease: receipts, the account, and what a tenant paid in a year.',
  Deposits: 'What is held of a deposit, and its settlement at the end of the lease.',
  Books: 'What the leases of a landlord owe and brought in, for landlords and managers.',
  Webhooks: 'What the providers of e-signing and eKYC send. You need not call these.',
  Health: 'Probes for a load balancer or an orchestrator.',
  Operations: 'For operators, with `OPS_TOKEN` as the bearer token; without that setting these answer 404.',
  Sandbox: 'Control of the simulated providers, for tests and demonstrations.',
}
