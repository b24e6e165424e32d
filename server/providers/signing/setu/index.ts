import type { SigningAdapter } from '../port'
import { createFlexiProvider } from './flexi/api'
import { createNativeProvider } from './native/provider'
import { redactWebhook } from './redact-webhook'
import { setuSettings, toSandboxSettings, type SetuSettings } from './settings'

const shared = { settings: setuSettings, urlSetting: 'ESIGN_API_URL', redactWebhook } as const

export const flexiAdapter: SigningAdapter<SetuSettings> = {
  ...shared,
  name: 'setu',
  meaning: 'one request for each signer, and the provider downloads the document',
  sandbox: { name: 'sandbox', toSettings: toSandboxSettings },
  create: createFlexiProvider,
}

export const nativeAdapter: SigningAdapter<SetuSettings> = {
  ...shared,
  name: 'setu-native',
  meaning: 'one request for all signers with the document uploaded',
  sandbox: { name: 'sandbox-native', toSettings: toSandboxSettings },
  create: createNativeProvider,
}
