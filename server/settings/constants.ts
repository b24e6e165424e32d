import { availableParallelism } from 'node:os'

export type Constants = ReturnType<typeof createConstants>

/**
 * Limits, time-outs and retries that nobody turns in production.
 * Tests and the benchmark hand values of their own to `readConfig` or `runServer`; everyone else gets these.
 */
export const createConstants = (isProduction: boolean) => ({
  // In 15 minutes: of a phone in a network, which is an IPv4 /24 or IPv6 /48, and of a network.
  OTP_LIMIT_PER_NETWORK: 5,
  OTP_LIMIT_PER_SITE: 300,
  WRONG_OTP_LIMIT_PER_SITE: 100,
  LOGIN_LIMIT_PER_NETWORK: 10,
  LOGIN_LIMIT_ACROSS_PHONES: 100,

  // In an hour; wrong OTPs with the sandbox channel alone, whose OTP is always the same.
  WRONG_OTP_LIMIT_TOTAL: 100,
  TENANT_LIMIT_PER_LANDLORD: 100,
  INVITATION_LIMIT_TOTAL: 500,

  // A day; beyond the OTPs of a phone still one in 15 minutes.
  OTP_LIMIT_PER_PHONE: 60,
  LOGIN_LIMIT_PER_PHONE: 100,
  /** Requests to sign and reminders that a landlord causes. */
  MESSAGE_LIMIT_PER_PERSON: 10,
  MESSAGE_LIMIT_PER_LANDLORD: 200,
  POSTING_LIMIT_PER_LEASE: 200,
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
  /** Whether a document at a public address must be a reachable PDF before it is sent for signing. */
  DOCUMENT_CHECK: isProduction,

  /** How long the primary must have waited for the standby before reads go to it. */
  REPLICA_SETTLE_MS: 5000,
  /** How long the server still accepts requests after the signal to stop, so that a load balancer notices. */
  SHUTDOWN_DELAY_MS: isProduction ? 5000 : 0,
  /** How long a shutdown then waits for requests in flight. */
  SHUTDOWN_TIMEOUT_MS: 50_000,
})
