import type { SigningAdapter } from '../port'
import { createFlexiProvider } from './flexi/api'
import { createNativeProvider } from './native/provider'
import { setuSettings, toSandboxSettings, type SetuSettings } from './settings'

const shared = { settings: setuSettings, urlSetting: 'ESIGN_API_URL' } as const

export const flexiAdapter: SigningAdapter<SetuSettings> = {
  ...shared,
  name: 'setu',
  meaning: 'one request for each signer on a document that it fetches',
  sandbox: { name: 'sandbox', toSettings: toSandboxSettings },
  create: createFlexiProvider,
}

export const nativeAdapter: SigningAdapter<SetuSettings> = {
  ...shared,
  name: 'setu-native',
  meaning: 'one request for all on a document that it is sent',
  sandbox: { name: 'sandbox-native', toSettings: toSandboxSettings },
  create: createNativeProvider,
}
