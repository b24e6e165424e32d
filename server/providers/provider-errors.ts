import { BrokenCircuitError } from 'cockatiel'
import { Fault } from '../faults'
import { LoggableError } from '../observability/safe-errors'

/**
 * What an error response means, if the provider has codes for it; they count more than the status. `failed`: the
 * provider has trouble. `rejected`: the request is wrong. `misconfigured`: our credentials or permissions are.
 * `rate_limited`: to be sent again later. `undeliverable`: this channel does not reach the recipient.
 */
export type ProviderErrorKind = 'failed' | 'rejected' | 'misconfigured' | 'rate_limited' | 'undeliverable'

/** Reads the kind from the body of an error response; undefined if the status has to decide. */
export type ErrorKindReader = (body: unknown) => ProviderErrorKind | undefined

/** A provider's error response, without its body: that may contain personal data. */
export class ProviderHttpError extends LoggableError {
  constructor(
    readonly status: number,
    operation: string,
    readonly kind?: ProviderErrorKind,
  ) {
    super(`${operation} answered ${status}`)
  }
}

/** An error in a response with a success status; it may have any cause. */
export class UnexplainedError extends LoggableError {}

export type CallOutcome = 'success' | 'failed' | 'rejected' | 'circuit_open'

/** `failed` is the provider's fault, `rejected` ours; with `circuit_open` nothing was sent. */
export function toOutcome(error: unknown): CallOutcome {
  if (error instanceof BrokenCircuitError) return 'circuit_open'
  return isProviderFailure(error) ? 'failed' : 'rejected'
}

/** A 4xx response shows that the provider works, so it is not a failure of the provider. */
export function isProviderFailure(error: unknown): boolean {
  if (!(error instanceof Fault) || error.status !== 503) return false
  if (!(error.cause instanceof ProviderHttpError)) return true
  const { kind, status } = error.cause
  return kind === undefined ? status >= 500 : kind === 'failed'
}

/** Statuses of an outage, of limits and of our credentials, where the provider has no code that says so. */
const STATUSES_FOR_EVERYONE = [401, 403, 408, 429]

/** Whether a message may have failed because of its recipient: it was no outage, no limit and not our settings. */
export function mayBeDueToRecipient(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : undefined
  if (cause instanceof UnexplainedError) return true
  if (!(cause instanceof ProviderHttpError)) return false
  const { kind, status } = cause
  if (kind === undefined) return status < 500 && !STATUSES_FOR_EVERYONE.includes(status)
  return kind === 'undeliverable' || kind === 'rejected'
}

/** What the provider's own code says about a failed call, if it has one. */
export function getErrorKind(error: unknown): ProviderErrorKind | undefined {
  const cause = error instanceof Fault ? error.cause : undefined
  return cause instanceof ProviderHttpError ? cause.kind : undefined
}

/** Whether the provider answered with one of these statuses. */
export function hasProviderStatus(error: unknown, ...statuses: number[]): boolean {
  return (
    error instanceof Fault &&
    error.cause instanceof ProviderHttpError &&
    statuses.includes(error.cause.status)
  )
}

/** Whether the provider does not know the resource. */
export const isProviderNotFound = (error: unknown) => hasProviderStatus(error, 404)

/** Resolves to undefined if the provider does not know the resource. */
export async function ignoreNotFound<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response
  } catch (error) {
    if (isProviderNotFound(error)) return undefined
    throw error
  }
}
