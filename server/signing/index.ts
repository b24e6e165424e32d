import type { Outbound } from '../outbound'
import { createFlexiSigning } from './flexi/api'
import type { SigningAccount, SigningProvider } from './port'

/** The adapters, one folder each, by the name that `ESIGN_PROTOCOL` gives them. */
export const protocols = {
  flexi: createFlexiSigning,
} satisfies Record<string, (call: Outbound, account: SigningAccount) => SigningProvider>
