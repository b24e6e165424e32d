import type { Orm } from '../db/orm'
import type { Passwords } from './auth/passwords'
import type { Tokens } from './auth/tokens'
import type { Config } from './config'
import type { Tracing } from './http/tracing'
import type { KycProvider } from './kyc/port'
import type { Log } from './log'
import type { SendOtp, SendReminder } from './messaging/port'
import type { Figures, Metrics } from './metrics'
import type { Replica } from './replica'
import type { SigningProvider } from './signing/port'

/** All that the services need from outside; tests bring their own clock and providers. */
export type Deps = {
  config: Config
  orm: Orm
  /** Where reads go that may, if there is one. */
  replica?: Replica
  log: Log
  metrics: Metrics
  /** What each process of this instance counts. */
  figures: () => Promise<Figures[]>
  /** Only where traces are wanted. */
  tracing?: Tracing
  now: () => Date
  tokens: Tokens
  passwords: Passwords
  signing: SigningProvider
  kyc: KycProvider
  sendOtp: SendOtp
  sendReminder: SendReminder
  /** Whether the server has been told to stop, and answers those who still ask. */
  draining: () => boolean
  /** Where this server is reached by its own sandbox. */
  ownUrl: () => string
  /** Where clients reach it. */
  publicUrl: () => string
}
