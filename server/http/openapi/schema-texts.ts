/** What the components are whose name does not say all; their fields are described beside their schemas. */
export const schemaDescriptions: Record<string, string> = {
  Activity: 'One line of the recent activities. `message` is a sentence; `actor_id` is null for the system.',
  Agreement:
    'A lease. Amounts are rupees, dates are YYYY-MM-DD in Asia/Kolkata. `agreement_end_date` is the start, plus ' +
    'the tenure, minus one day. `revises_agreement_id` is the UUID of the agreement that this one replaces.',
  AgreementStatus:
    'DRAFT can be changed, PENDING waits for signatures, ACTIVE is signed by all, TERMINATED has ended, COMPLETED ' +
    'is closed.',
  Charge:
    'What is owed, in rupees. `amount` is the sum of what was paid, credited and is outstanding. `status` follows ' +
    'from the amounts and the day.',
  CurrentUser:
    'Who is signed in, and the next step of the onboarding. `invitation` is null once the profile is complete, or ' +
    'without an open invitation.',
  Dashboard:
    '`pending_payments` counts the rents due today or before with something outstanding, of the ACTIVE and TERMINATED ' +
    'agreements that the caller lets, manages or rents: the total of `GET /charges?type=rent&pending=true`. ' +
    '`maintenance_requests` is always 0 for now.',
  Error:
    'What went wrong: a stable `code`, a `message` for people, and `details` of the fields that are wrong.',
  ErrorOfVariantA: 'What went wrong, for clients of Variant A. `message` is a list if fields are wrong.',
  FlexiOptions: 'Passed to the signing provider for documents made from a template.',
  Invitation: 'An invitation of a landlord. `sent_at` is null if its message could not be sent.',
  InvitationStatus: '`accepted` once the person has completed a profile, else `open` until it expires.',
  InvitedProfile: 'What an operator said of the user, who confirms or corrects it.',
  JobsReport: 'The runs of each job by state, the newest failures, and the work that waits.',
  LogoutInput: "`all` also ends the user's other sessions.",
  NamedTenant: 'A person by phone number. The names are those that the caller gave, now or before.',
  NewProperty: 'City, district and state come from the PIN code; these fields count only if it is unknown.',
  PageMetadata: 'The position of a page in its list.',
  Payment:
    'Money of a tenant, in rupees. Once it is posted, `amount` and `tds_amount` are the sum of `allocations`, ' +
    '`unapplied_amount` (an advance) and `refunded_amount`; before, `allocations` are those that the payer asked for.',
  PersonalData: 'All stored data about one user. It cannot be used to sign in.',
  Property:
    "A building or house. `landlord_id` is its creator's; for other landlords it is null, and `alias_name` is the " +
    'default one.',
  PropertyCandidate: 'A building that matches a search. `score` runs from 0 to 1. It reveals no owner.',
  PropertyWithUnits: 'A property with the units that the caller may see.',
  SandboxClock: 'The time of the simulated providers and how far it was moved.',
  SandboxFault: 'A fault rule; `times` counts its remaining uses.',
  SandboxSignature: 'One signer of a request; `id` is the last part of `url`.',
  SendOtpResponse:
    '`user` is null for an unknown phone number, and `is_existing_user` true after the first sign-in, as far as ' +
    'the server discloses accounts.',
  Signature: 'The latest signature of one party; one that is declined may never have been sent.',
  Signatures: '`allSigned` is true when every required party has signed.',
  SignInResponse: 'An access token of seven days, its user, and the next step of the onboarding.',
  SignInStatus: 'The next step of the onboarding; `LOGIN_SUCCESSFUL` is its end.',
  StartedSigning: 'Where the party signs, until when.',
  Tenant:
    "A tenant of one of the caller's agreements. Number and names appear only if the caller gave them or the " +
    'tenant has signed.',
  Timeline: '`intact` is false if an event or what it fixed was changed, or an event removed.',
  TimelineEvent:
    'One event of an agreement; an `actor_id` of null is the system. `hash` covers the event and the previous ' +
    "event's hash.",
  Unit:
    "A flat, room or shop. `property_id` is the property's numeric id; `managed_by_id` is the manager's, or the " +
    "landlord's without one.",
  User: 'A person with a phone number. Who they are follows from units and agreements, not from `role`.',
  Warning:
    'A term that breaks a custom of renting, or what the law of some states allows. It is never refused.',
  WebhookDelivery: 'A webhook that arrived. `outcome` is its result once `processed_at` is set.',
}
