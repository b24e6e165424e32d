import type { Deps } from '../deps'
import { createSandboxCore, type SandboxCore } from './core'
import { handleKycTasks } from './kyc-checks'
import { handleSigningTasks } from './signing-requests'

/** Creates the sandbox with the handlers of all its scheduled tasks. */
export function createSandbox(deps: Deps): SandboxCore {
  const sandbox = createSandboxCore(deps)
  handleSigningTasks(sandbox)
  handleKycTasks(sandbox)
  return sandbox
}
