import type { UnauthorizedError } from './errors.ts'
import type { Fetch } from './retries.ts'
import type { Language, Session } from '#types'

/** The generation of the onboarding API. */
export type Variant = 'a' | 'b'

/** Keeps the token of a sign-in, for example in `localStorage`. Each method may return a promise. */
export interface TokenStore {
  /** Returns the token. Called before each request. */
  get(): string | null | undefined | Promise<string | null | undefined>
  /** Stores the token of a sign-in or a renewal. Before a renewal it gets the old one, which shows whether it can. */
  set(token: string): void | Promise<void>
  /** Removes the token, after a logout, an erasure or a 401. What it throws then is the `cause` of the error. */
  clear(): void | Promise<void>
}

/** An attempt to send a request. It has neither headers nor a body, so a log of it has no secrets. */
export interface RequestAttempt {
  /** Such as `GET`. */
  method: string
  /** The address with its query. */
  url: string
  /** 1 for the first attempt, 2 for the first retry. */
  attempt: number
}

/** What came back of an attempt. */
export interface AttemptResult extends RequestAttempt {
  /** The HTTP status; undefined if no response arrived. */
  status: number | undefined
  /** Milliseconds until the response's headers arrived, or until the attempt failed. */
  durationMs: number
  /** Identifies the request in the server's log. */
  requestId: string | undefined
  /** Why no response arrived. */
  error?: unknown
}

/** The options of a client. */
export interface ClientOptions {
  /** The server's address, such as `https://api.example.com`. In a browser also a path, such as `/api`. */
  baseUrl: string
  /** An access token from an earlier sign-in. */
  token?: string | undefined
  /** Keeps the token instead of the client's memory. */
  tokenStore?: TokenStore | undefined
  /**
   * Whether a call renews a token that is a day old, so that a session in use does not end after 7 days. A call goes on
   * with the old token if that fails. Default true.
   */
  autoRenew?: boolean | undefined
  /**
   * Called after each sign-in and renewal, and with undefined after the end of the session. What it throws is reported
   * and changes nothing.
   */
  onSession?: ((session: Session | undefined) => void) | undefined
  /**
   * The generation of the onboarding API to speak. Methods and types stay the same, except that users of `a`
   * have no `user_id`. Default `b`.
   */
  variant?: Variant | undefined
  /**
   * The language of the server's messages; `kiraya.language` changes it. Default: what the browser or `fetch` asks
   * for, else English.
   */
  language?: Language | undefined
  /** Replaces the global `fetch`; the `handle` of an application calls it in this process. */
  fetch?: Fetch | undefined
  /**
   * Milliseconds until a call fails, all attempts included. A server that waits for a provider may take 45
   * seconds. Default 60,000.
   */
  timeoutMs?: number | undefined
  /** How often a failed call is sent again if that is safe. Default 2. */
  maxRetries?: number | undefined
  /** Called before each attempt, for logging. What it throws is reported and changes nothing. */
  onRequest?: ((attempt: RequestAttempt) => void) | undefined
  /** Called after each attempt, for logging. What it throws is reported and changes nothing. */
  onResponse?: ((result: AttemptResult) => void) | undefined
  /**
   * Called when the server no longer accepts the token; the client has dropped it. The call throws the error
   * afterwards; its `cause` is what this function or the store throws. A wrong password or one-time password is no reason.
   */
  onUnauthorized?: ((error: UnauthorizedError) => void | Promise<void>) | undefined
}

/** The options of one call; they go before the client's. */
export interface CallOptions {
  /** Cancels the call, which then throws an `AbortError`. */
  signal?: AbortSignal | undefined
  /** Milliseconds until the call fails, all attempts included. */
  timeoutMs?: number | undefined
  /**
   * Sent as `Idempotency-Key`, 1 to 255 visible ASCII characters. For 24 hours the server answers a creation or
   * signature with the same key and body as it did before. Without one the client generates a key.
   */
  idempotencyKey?: string | undefined
  /** Further headers. A browser sends only those that the server allows to pages of other origins. */
  headers?: Record<string, string> | undefined
  /** How often a failed call is sent again if that is safe; 0 for never. */
  maxRetries?: number | undefined
  /** The language of the server's messages. */
  language?: Language | undefined
}
