import type { Deps } from '../deps'
import { createCallSimulator } from './call-simulator'
import { createSandboxClock } from './clock'
import { createSimulatedFailures } from './simulated-failures'
import { createScheduler } from './scheduler'
import { createWebhookSender } from './webhook-sender'

/** Creates what the simulated providers share; it knows none of them. */
export function createSandboxCore(deps: Deps) {
  const clock = createSandboxClock(deps)
  const failures = createSimulatedFailures(deps)
  const scheduler = createScheduler(deps, clock)
  const webhooks = createWebhookSender(deps, failures, scheduler)
  const simulateCall = createCallSimulator(failures)
  return { deps, clock, failures, scheduler, webhooks, simulateCall }
}
export type SandboxCore = ReturnType<typeof createSandboxCore>
