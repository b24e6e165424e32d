import type { Deps } from '../deps'
import { createCallSimulator } from './call-simulator'
import { createSandboxClock } from './clock'
import { createFaultRules } from './fault-rules'
import { createScheduler } from './scheduler'
import { createWebhookSender } from './webhook-sender'

/** Creates what the simulated providers share; it knows none of them. */
export function createSandboxCore(deps: Deps) {
  const clock = createSandboxClock(deps)
  const faultRules = createFaultRules(deps)
  const scheduler = createScheduler(deps, clock)
  const webhooks = createWebhookSender(deps, faultRules, scheduler)
  const simulateCall = createCallSimulator(faultRules)
  return { deps, clock, faultRules, scheduler, webhooks, simulateCall }
}
export type SandboxCore = ReturnType<typeof createSandboxCore>
