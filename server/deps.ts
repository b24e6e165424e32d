import type { Database, EntityManager } from '../db/database'
import type { Passwords } from './accounts/auth/passwords'
import type { Tokens } from './http/tokens'
import type { Config } from './config'
import type { MovableClock } from './domain/movable-clock'
import type { LeaseHooks } from './leases/lease-hooks'
import type { Tracing } from './observability/tracing'
import type { KycProvider } from './providers/kyc/port'
import type { Limiter } from './http/limits/limiter'
import type { Queue } from './http/limits/queue'
import type { Log } from './observability/log'
import type { SendMessage } from './providers/messaging/port'
import type { Language } from './messages'
import type { Metrics } from './observability/metrics'
import type { ReadReplica } from './process/read-replica'
import type { SigningProvider } from './providers/signing/port'

/** What services need from outside; tests bring their own clock and providers. */
export type Deps = {
  config: Config
  db: Database
  /** Serves reads while it is up to date. */
  replica?: ReadReplica
  log: Log
  metrics: Metrics
  /** Renders the metrics of all processes of this instance; undefined if one does not answer. */
  scrapeMetrics: () => Promise<string | undefined>
  /** Only if tracing is on. */
  tracing?: Tracing
  now: () => Date
  /** What `now` reads; the sandbox moves it. */
  clock: MovableClock
  tokens: Tokens
  passwords: Passwords
  limiter: Limiter
  pdfQueue: Queue
  /** What the books do when a lease changes. */
  leaseHooks: LeaseHooks
  /** The provider of new requests. */
  signing: SigningProvider
  /** The other configured providers: they serve the requests that they made before. */
  otherSigning: SigningProvider[]
  kyc: KycProvider
  sendMessage: SendMessage
  /** Whether the server shuts down, and only answers clients that have not moved on. */
  isDraining: () => boolean
  /** URL at which the server's own sandbox reaches it. */
  ownUrl: () => string
  /** URL at which clients reach it. */
  publicUrl: () => string
}

/** The user who sends a request that changes something. */
export type Actor = { id: number; sid: string; phone: string; is_active: boolean; language: Language }

/** What a change needs: it has no database beside its transaction, so nothing leaves it. */
export type Tx = Omit<Deps, 'db' | 'replica'> & { em: EntityManager; actor: Actor }
