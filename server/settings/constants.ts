import { availableParallelism } from 'node:os'

export type Constants = ReturnType<typeof createConstants>

/**
 * Limits, time-outs and retries that are the same on every server in production.
 * Tests and the benchmark hand values of their own to `readConfig` or `runServer`; everyone else gets these.
 */
export const createConstants = (isProduction: boolean) => ({
  // Of OTPs, wrong OTPs and failed logins each. A network is an IPv4 /24 or IPv6 /48.
  /** With a phone number from a network, in 15 minutes. */
  SIGN_IN_LIMIT: 5,
  SIGN_IN_LIMIT_PER_DAY: 10,
  /** With a phone number from all networks, in a day. */
  SIGN_IN_LIMIT_PER_PHONE: 30,
  /** With all phone numbers from a network, in 15 minutes: carriers put thousands of people behind one. */
  SIGN_IN_LIMIT_PER_NETWORK: 300,

  // A day.
  /** Requests to sign and reminders that a landlord causes. */
  MESSAGE_LIMIT_PER_PERSON: 10,
  MESSAGE_LIMIT_PER_LANDLORD: 200,
  POSTING_LIMIT_PER_LEASE: 200,
  FILE_LIMIT_PER_USER: 100,
  /** Tenants and managers of imports. */
  PEOPLE_LIMIT_PER_LANDLORD: 1000,
  /** Calls that a provider bills, and that people start for themselves. */
  IDENTITY_CHECK_LIMIT_PER_USER: 10,
  OWN_SIGNING_LIMIT_PER_USER: 20,
  INVITATION_LIMIT_PER_PHONE: 3,

  INVITATION_DAYS: 14,
  /** Each hash takes 64 MiB. */
  PASSWORD_HASH_CONCURRENCY: Math.max(1, Math.min(4, availableParallelism() - 1)),

  PROVIDER_TIMEOUT_MS: 30_000,
  PROVIDER_RETRIES: 3,
  PROVIDER_TOTAL_TIMEOUT_MS: 45_000,
  PROVIDER_BREAKER_FAILURES: 10,
  PROVIDER_BREAKER_MS: 15_000,
  MSG91_API_URL: 'https://control.msg91.com',
  /** Age at which an open signature or identity check is first reconciled with its provider. */
  RECONCILE_INITIAL_DELAY_MS: 300_000,
  /** Hosts that documents are downloaded from: `public` is only https at public addresses. */
  DOCUMENT_HOSTS: isProduction ? ('public' as const) : ('any' as const),
  /** Whether a document must be a reachable PDF before its address is sent for signing. */
  DOCUMENT_CHECK: isProduction,

  /** How long the primary must have waited for the standby before reads go to it. */
  REPLICA_SETTLE_MS: 5000,
  /** How long the server still accepts requests after the signal to stop, so that a load balancer notices. */
  SHUTDOWN_DELAY_MS: isProduction ? 5000 : 0,
  /** How long a shutdown then waits for requests in flight. */
  SHUTDOWN_TIMEOUT_MS: 50_000,
})
