import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel'
import { refuse } from '../errors'
import type { Log } from '../observability/log'
import type { Metrics } from '../observability/metrics'
import type { Constants } from '../settings/constants'
import { isProviderFailure, NotSentError, toOutcome } from './provider-errors'

type Settings = Pick<Constants, 'PROVIDER_BREAKER_FAILURES' | 'PROVIDER_BREAKER_MS'>

/** Runs a call to a provider unless too many calls before it have failed. */
export type CircuitBreaker = <T>(call: () => Promise<T>) => Promise<T>

/** Counts whole calls, not their retries, and measures each of them. */
export function createCircuitBreaker(
  provider: string,
  settings: Settings,
  log: Log,
  metrics: Metrics,
): CircuitBreaker {
  const maxFailures = settings.PROVIDER_BREAKER_FAILURES
  const breaker = circuitBreaker(handleWhen(isProviderFailure), {
    halfOpenAfter: settings.PROVIDER_BREAKER_MS,
    breaker: new ConsecutiveBreaker(maxFailures),
  })
  breaker.onBreak(() =>
    log.warn({ provider }, 'The circuit breaker opened: calls to the provider keep failing'),
  )
  breaker.onReset(() => log.info({ provider }, 'The circuit breaker closed: the provider works again'))

  return async call => {
    const stopTimer = metrics.providerCalls.startTimer({ provider })
    try {
      // While one call tests the provider, the others fail at once instead of waiting for it.
      if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
      const result = await breaker.execute(() => metrics.withSpan(`call ${provider}`, { provider }, call))
      stopTimer({ outcome: 'success' })
      return result
    } catch (error) {
      const outcome = toOutcome(error)
      stopTimer({ outcome })
      if (outcome !== 'circuit_open') throw error
      const reason = `${provider}: the circuit breaker opened after ${maxFailures} failures in a row`
      throw refuse('provider_unreachable', { provider }, { cause: new NotSentError(reason) })
    }
  }
}
