import type { Database } from '../db/database'
import type { Passwords } from './auth/passwords'
import type { Tokens } from './auth/tokens'
import type { Config } from './config'
import type { Tracing } from './observability/tracing'
import type { KycProvider } from './providers/kyc/port'
import type { Log } from './observability/log'
import type { OtpSender, ReminderSender } from './providers/messaging/port'
import type { MetricsSnapshot, Metrics } from './observability/metrics'
import type { ReadReplica } from './process/read-replica'
import type { SigningProvider } from './providers/signing/port'

/** All that the services need from outside; tests bring their own clock and providers. */
export type Deps = {
  config: Config
  db: Database
  orm: Database
  /** Where reads go that may, if there is one. */
  replica?: ReadReplica
  log: Log
  metrics: Metrics
  /** What each process of this instance counts. */
  collectMetrics: () => Promise<MetricsSnapshot[]>
  /** Only where traces are wanted. */
  tracing?: Tracing
  now: () => Date
  tokens: Tokens
  passwords: Passwords
  /** The provider of new requests. */
  signing: SigningProvider
  /** The other configured providers: they serve the requests that they made before. */
  otherSigning: SigningProvider[]
  kyc: KycProvider
  sendOtp: OtpSender
  sendReminder: ReminderSender
  /** Whether the server has been told to stop, and answers those who still ask. */
  isDraining: () => boolean
  /** Where this server is reached by its own sandbox. */
  ownUrl: () => string
  /** Where clients reach it. */
  publicUrl: () => string
}
