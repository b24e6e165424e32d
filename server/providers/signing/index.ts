import type { ProviderClient } from '../http-client'
import { createFlexiAdapter } from './setu/flexi/api'
import { createNativeAdapter } from './setu/native/api'
import type { SigningAccount, SigningProvider, SigningDeps } from './port'

/** The adapters, one folder each, by the name that `ESIGN_PROTOCOL` gives them. */
export const signingAdapters: Record<
  string,
  (call: ProviderClient, account: SigningAccount, surroundings: SigningDeps) => SigningProvider
> = {
  flexi: createFlexiAdapter,
  native: createNativeAdapter,
}
