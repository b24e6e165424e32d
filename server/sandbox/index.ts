import type { Deps } from '../deps'
import { createClock } from './clock'
import { createFaultRules } from './fault-rules'
import { createScheduler } from './scheduler'
import { createKycChecks } from './kyc-checks'
import { createSigningRequests } from './signing-requests'
import { createCallSimulator, createWebhookSender } from './call-simulator'

const createSandboxCore = (deps: Deps) => {
  const clock = createClock(deps)
  const faultRules = createFaultRules(deps)
  const scheduler = createScheduler(deps, clock)
  return {
    deps,
    clock,
    faultRules,
    scheduler,
    webhooks: createWebhookSender(deps, faultRules, scheduler),
    simulateCall: createCallSimulator(faultRules),
  }
}
export type SandboxCore = ReturnType<typeof createSandboxCore>

/** What the stand-ins share. */
export const createSandbox = (deps: Deps) => {
  const parts = createSandboxCore(deps)
  return { ...parts, signingRequests: createSigningRequests(parts), kycChecks: createKycChecks(parts) }
}
export type Sandbox = ReturnType<typeof createSandbox>
