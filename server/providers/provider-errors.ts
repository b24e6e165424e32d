import { BrokenCircuitError } from 'cockatiel'
import { ApiError } from '../errors'
import { LoggableError } from '../observability/safe-errors'

/** What each kind of error response means. */
const kinds = {
  /** The provider has trouble. */
  failed: { isProviderFailure: true, mayBeDueToRecipient: false },
  /** The request is wrong. */
  rejected: { isProviderFailure: false, mayBeDueToRecipient: true },
  /** Our credentials or permissions are wrong. */
  misconfigured: { isProviderFailure: false, mayBeDueToRecipient: false },
  /** To be sent again later. */
  rate_limited: { isProviderFailure: false, mayBeDueToRecipient: false },
  /** This channel does not reach the recipient. */
  undeliverable: { isProviderFailure: false, mayBeDueToRecipient: true },
}
export type ProviderErrorKind = keyof typeof kinds

/** Reads the kind from the body of an error response; undefined if the status has to decide. */
export type ErrorKindReader = (body: unknown) => ProviderErrorKind | undefined

function toKind(status: number): ProviderErrorKind {
  if (status >= 500) return 'failed'
  if (status === 401 || status === 403) return 'misconfigured'
  return status === 408 || status === 429 ? 'rate_limited' : 'rejected'
}

/** A provider's error response, without its body: that may contain personal data. */
export class ProviderHttpError extends LoggableError {
  constructor(
    readonly status: number,
    operation: string,
    readonly kind = toKind(status),
  ) {
    super(`${operation} answered ${status}`)
  }
}

/** An error in a response with a success status; it may have any cause. */
export class UnexplainedError extends LoggableError {}

/** Nothing was sent. */
export class NotSentError extends LoggableError {}

/** No channel has a template for the message: later attempts fail too. */
export class NoChannelError extends NotSentError {}

/** Whether a call that failed certainly had no effect, so that it may be sent again. */
export function hadNoEffect(error: unknown) {
  const cause = error instanceof ApiError ? error.cause : undefined
  if (cause instanceof NotSentError || cause instanceof UnexplainedError) return true
  const status = findResponse(error)?.status ?? 500
  return status < 500 || status === 503
}

export type CallOutcome = 'success' | 'failed' | 'rejected' | 'circuit_open'

/** `failed` is due to the provider, `rejected` to us; with `circuit_open` nothing was sent. */
export function toOutcome(error: unknown): CallOutcome {
  if (error instanceof BrokenCircuitError) return 'circuit_open'
  return isProviderFailure(error) ? 'failed' : 'rejected'
}

/** A 4xx response shows that the provider works, so it is not a failure of the provider. */
export function isProviderFailure(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 503) return false
  const response = findResponse(error)
  return response === undefined || kinds[response.kind].isProviderFailure
}

/** Whether a message may have failed because of its recipient: it was no outage, no limit and not our settings. */
export function mayBeDueToRecipient(error: unknown): boolean {
  if (error instanceof ApiError && error.cause instanceof UnexplainedError) return true
  const response = findResponse(error)
  return response !== undefined && kinds[response.kind].mayBeDueToRecipient
}

/** What the provider's response says about a failed call; undefined if there is none. */
export const getErrorKind = (error: unknown) => findResponse(error)?.kind

/** Whether the provider answered with one of these statuses. */
export const hasProviderStatus = (error: unknown, ...statuses: number[]) =>
  statuses.includes(findResponse(error)?.status ?? 0)

function findResponse(error: unknown): ProviderHttpError | undefined {
  const cause = error instanceof ApiError ? error.cause : undefined
  return cause instanceof ProviderHttpError ? cause : undefined
}

/** Resolves to undefined if the provider does not know the resource. */
export async function ignoreNotFound<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response
  } catch (error) {
    if (hasProviderStatus(error, 404)) return undefined
    throw error
  }
}
