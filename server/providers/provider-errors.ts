import { BrokenCircuitError } from 'cockatiel'
import { Fault } from '../faults'
import { LoggableError } from '../observability/safe-errors'

/** A provider's error response, without its body: that may contain personal data. */
export class ProviderHttpError extends LoggableError {
  constructor(
    readonly status: number,
    operation: string,
  ) {
    super(`${operation} answered ${status}`)
  }
}

export type CallOutcome = 'success' | 'failed' | 'rejected' | 'circuit_open'

/** `failed` is the provider's fault, `rejected` ours; with `circuit_open` nothing was sent. */
export function toOutcome(error: unknown): CallOutcome {
  if (error instanceof BrokenCircuitError) return 'circuit_open'
  return isProviderFailure(error) ? 'failed' : 'rejected'
}

/** A 4xx response shows that the provider works, so it is not a failure of the provider. */
export function isProviderFailure(error: unknown): boolean {
  if (!(error instanceof Fault) || error.status !== 503) return false
  return !(error.cause instanceof ProviderHttpError) || error.cause.status >= 500
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
