import type { Outbound } from '../outbound'
import { createFlexiSigning } from './flexi/api'
import { createNativeSigning } from './native/api'
import type { SigningAccount, SigningProvider, Surroundings } from './port'

/** The adapters, one folder each, by the name that `ESIGN_PROTOCOL` gives them. */
export const protocols: Record<
  string,
  (call: Outbound, account: SigningAccount, surroundings: Surroundings) => SigningProvider
> = {
  flexi: createFlexiSigning,
  native: createNativeSigning,
}
