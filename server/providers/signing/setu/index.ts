import type { SigningAdapter } from '../port'
import { createFlexiProvider } from './flexi/api'
import { createNativeProvider } from './native/provider'

/** One request for each signer; the provider downloads the document. */
export const flexiAdapter: SigningAdapter = {
  name: 'setu',
  sandboxName: 'sandbox',
  create: createFlexiProvider,
}

/** One request for all signers, with the document uploaded. */
export const nativeAdapter: SigningAdapter = {
  name: 'setu-native',
  sandboxName: 'sandbox-native',
  create: createNativeProvider,
}
