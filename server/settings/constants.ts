import type { Config } from '../config'
import type { limitSettings, timeoutSettings } from './server-settings'

/** Limits and timeouts that operators turn. */
type Turned = 'DATABASE_TIMEOUT_MS' | 'OTP_LIMIT_TOTAL' | 'PARTIES'

type Limit = Exclude<keyof typeof limitSettings, Turned>
type Timeout = Exclude<keyof typeof timeoutSettings, Turned>

/**
 * What nobody turns in production: limits, timeouts, retries, and what follows from other settings.
 * Tests and the benchmark hand values of their own to `readConfig` or `runServer`; everyone else gets production's.
 */
export type Constants = Pick<
  Config,
  | Limit
  | Timeout
  | 'DOCUMENT_CHECK'
  | 'DOCUMENT_HOSTS'
  | 'INVITATION_DAYS'
  | 'INVITATION_URL'
  | 'MSG91_API_URL'
  | 'PROVIDER_BREAKER_FAILURES'
  | 'PROVIDER_BREAKER_MS'
  | 'PROVIDER_RETRIES'
  | 'PROVIDER_TIMEOUT_MS'
  | 'PROVIDER_TOTAL_TIMEOUT_MS'
  | 'RECONCILE_INITIAL_DELAY_MS'
  | 'REPLICA_SETTLE_MS'
  | 'SANDBOX_EKYC'
>
