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
  Maintenance: 'What has to be repaired in a unit, from the report of a tenant to the charge of its cost.',
  Books: 'What the leases of a landlord owe and brought in, for landlords and managers.',
  Webhooks: 'What the providers of e-signing and eKYC send. You need not call these.',
  Health: 'Probes for a load balancer or an orchestrator.',
  Operations: 'For operators, with `OPS_TOKEN` as the bearer token; without that setting these answer 404.',
  Sandbox: 'Control of the simulated providers, for tests and demonstrations.',
}
