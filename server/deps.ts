import type { Language } from '@kiraya/sdk/contract'
import type { Database, EntityManager } from '../db/database'
import type { Agreement } from '../db/entities'
import type { Config } from './config'
import type { MovableClock } from './domain/movable-clock'
import type { FileStore } from './files/store'
import type { Variant } from './domain/variants'
import type { Log } from './observability/log'
import type { Metrics } from './observability/metrics'
import type { Tracing } from './observability/tracing'
import type { KycProvider } from './providers/kyc/port'
import type { SendMessage } from './providers/messaging/port'
import type { SigningProvider } from './providers/signing/port'

/** What services need from outside; tests bring their own clock and providers. */
export type Deps = {
  config: Config
  db: Database
  /** Takes the place of `db` for reads; it asks `db` unless the replica is up to date. */
  replica?: ReadDatabase
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
  /** Where the bytes of uploaded and worded leases are. */
  files: FileStore
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

export type ReadDatabase = Pick<Database, 'sendStatement' | 'close'>

/** What a valid token says; its session may still have ended. */
export type Claims = { userId: number; phone: string; sid: string; hash: string }

type IssuedToken = { token: string; hash: string; expiresAt: Date }

export type Tokens = {
  /** Issues a token for seven days, and for no longer than until `latest`. */
  issue: (
    user: { id: number; phone: string },
    session: { sid: string; variant: Variant; latest?: Date },
  ) => Promise<IssuedToken>
  /**
   * Reads the token of an `Authorization` header.
   * @throws UNAUTHORIZED There is none, or it is not valid.
   */
  read: (authorization: string | null) => Promise<Claims>
}

export type Passwords = {
  hash: (password: string) => Promise<string>
  /** Returns false for a user without a hash, after the same time: timing does not tell who has one. */
  verify: (password: string, hash: string | null | undefined) => Promise<boolean>
}

/** Limits what one user, or one network, may use of a worker. */
export type Limiter = {
  /**
   * Runs work in a slot of this key, of which there are four unless it says so; the others wait.
   * @throws TOO_MANY_REQUESTS Too many wait.
   */
  run: <T>(key: string, work: () => Promise<T>, maxAtOnce?: number) => Promise<T>
  /** @throws TOO_MANY_REQUESTS The user has changed as much today as one may. */
  countChange: (userId: number, count?: number) => void
}

/** The transaction of a change, and who makes it, if a user does. */
type LeaseChange = { em: EntityManager; now: () => Date; actor?: { id: number } }

/** What higher layers do when a lease changes, in the transaction of the change. */
export type LeaseHooks = {
  /** All have signed, and the lease is flushed as ACTIVE. */
  afterActivation: (change: LeaseChange, ...agreements: Agreement[]) => Promise<void>
  /** The lease has ended on its `termination_date`, and is flushed as TERMINATED. */
  afterEnd: (change: LeaseChange, agreement: Agreement) => Promise<void>
  /** A termination is undone, and the lease is flushed as ACTIVE. */
  afterReinstatement: (change: LeaseChange, agreement: Agreement, terminatedAt: Date) => Promise<void>
  /** What was recorded wrongly is taken back. @throws ApiError if people posted money. */
  beforeVoid: (change: LeaseChange, agreement: Agreement) => Promise<void>
  /** @throws ApiError if the lease must not be closed; its status is set afterwards. */
  beforeCompletion: (change: LeaseChange, agreement: Agreement) => Promise<void>
}

/** The user who sends a request that changes something. */
export type Actor = { id: number; sid: string; phone: string; is_active: boolean; language: Language }

type TxDeps = 'config' | 'files' | 'leaseHooks' | 'log' | 'now' | 'publicUrl' | 'signing' | 'tokens'

/** What a change needs: it has no database beside its transaction, so nothing leaves it. */
export type Tx = Pick<Deps, TxDeps> & {
  em: EntityManager
  actor: Actor
}
