import type { SigningAdapter } from '../port'
import { createFlexiProvider } from './flexi/api'
import { createNativeProvider } from './native/provider'
import { setuSettings, toSandboxSettings, type SetuSettings } from './settings'

const shared = { settings: setuSettings, urlSetting: 'ESIGN_API_URL' } as const

/** One request for each signer, on a document that the provider fetches. */
export const flexiAdapter: SigningAdapter<SetuSettings> = {
  ...shared,
  name: 'setu',
  sandbox: { name: 'sandbox', toSettings: toSandboxSettings },
  create: createFlexiProvider,
}

/** One request for all signers, on a document that is uploaded. */
export const nativeAdapter: SigningAdapter<SetuSettings> = {
  ...shared,
  name: 'setu-native',
  sandbox: { name: 'sandbox-native', toSettings: toSandboxSettings },
  create: createNativeProvider,
}
