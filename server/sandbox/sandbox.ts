import type { Deps } from '../deps'
import { createClock } from './clock'
import { createFaults } from './faults'
import { createLater } from './later'
import { createChecks } from './checks'
import { createSignings } from './signings'
import { createCalls, createWebhooks } from './wire'

const createParts = (deps: Deps) => {
  const clock = createClock(deps)
  const faults = createFaults(deps)
  const later = createLater(deps, clock)
  return {
    deps,
    clock,
    faults,
    later,
    webhooks: createWebhooks(deps, faults, later),
    answering: createCalls(faults),
  }
}
export type Parts = ReturnType<typeof createParts>

/** What the stand-ins share. */
export const createSandbox = (deps: Deps) => {
  const parts = createParts(deps)
  return { ...parts, signings: createSignings(parts), checks: createChecks(parts) }
}
export type Sandbox = ReturnType<typeof createSandbox>
