import { createHmac } from 'node:crypto'
import type { Config } from '../config'
import type { Log } from '../observability/log'
import type { Metrics } from '../observability/metrics'
import { createProviderClient } from './http-client'
import { createSetuKyc } from './kyc/setu/api'
import { createMessaging } from './messaging/index'
import { createMsg91 } from './messaging/msg91/api'
import type { Channel } from './messaging/port'
import { createWhatsApp } from './messaging/whatsapp/api'
import { readErrorKind } from './messaging/whatsapp/transform'
import type { SetuAccount } from './setu-account'
import type { SigningProvider } from './signing/port'
import { createFlexiProvider } from './signing/setu/flexi/api'
import { createNativeProvider } from './signing/setu/native/provider'

type ProviderDeps = {
  config: Config
  ownUrl: () => string
  log: Log
  metrics: Metrics
  now: () => Date
}

/** The secret that our adapters send to the sandbox, which accepts no other caller. */
export const sandboxSecret = (config: Config) =>
  createHmac('sha256', config.JWT_SECRET).update('sandbox').digest('hex')

/** Creates the adapters that the settings choose; an adapter without a provider calls the sandbox. */
export const createProviders = (deps: ProviderDeps) => ({
  ...createSigning(deps),
  kyc: createKyc(deps),
  sendMessage: createMessaging(createChannels(deps), deps.log, deps.metrics),
})

/** The account that the settings name, else one at the sandbox. */
function getSetuAccount({ config, ownUrl }: ProviderDeps, product: 'ESIGN' | 'EKYC'): SetuAccount {
  const url = config[`${product}_API_URL`]
  if (!url)
    return {
      getBaseUrl: () => `${ownUrl()}/sandbox/${product.toLowerCase()}`,
      clientId: 'sandbox',
      clientSecret: sandboxSecret(config),
      productInstanceId: 'sandbox',
    }
  return {
    getBaseUrl: () => url,
    clientId: config[`${product}_CLIENT_ID`]!,
    clientSecret: config[`${product}_CLIENT_SECRET`]!,
    productInstanceId: config[`${product}_PRODUCT_INSTANCE_ID`]!,
  }
}

/**
 * The adapter of the chosen protocol, and the other one, which serves the requests that it made before. `flexi` has
 * one request for each signer, `native` one for all signers with the document uploaded.
 */
function createSigning(deps: ProviderDeps): { signing: SigningProvider; otherSigning: SigningProvider[] } {
  const { config, log, metrics, now } = deps
  const client = createProviderClient('e-signing', config, log, metrics)
  const context = { account: getSetuAccount(deps, 'ESIGN'), client, config, now }
  const name = config.ESIGN_API_URL ? 'setu' : 'sandbox'
  const flexi = createFlexiProvider({ ...context, name })
  const native = createNativeProvider({ ...context, name: `${name}-native` })
  return config.ESIGN_PROTOCOL === 'flexi'
    ? { signing: flexi, otherSigning: [native] }
    : { signing: native, otherSigning: [flexi] }
}

function createKyc(deps: ProviderDeps) {
  const { config, log, metrics } = deps
  const client = createProviderClient('eKYC', config, log, metrics)
  const name = config.EKYC_API_URL ? 'setu' : 'sandbox'
  return createSetuKyc(name, client, getSetuAccount(deps, 'EKYC'))
}

/** The channels in the order of `MESSAGE_CHANNELS`; together they keep to the total timeout. */
function createChannels({ config, ownUrl, log, metrics }: ProviderDeps): Channel[] {
  const names = config.MESSAGE_CHANNELS
  const totalTimeoutMs = Math.floor(config.PROVIDER_TOTAL_TIMEOUT_MS / names.length)
  const settings = { ...config, PROVIDER_TOTAL_TIMEOUT_MS: totalTimeoutMs }
  return names.map(name => {
    const readKind = name === 'sms' ? undefined : readErrorKind
    const client = createProviderClient('messaging', settings, log, metrics, readKind)
    switch (name) {
      case 'sandbox':
        return createWhatsApp(name, client, config.WHATSAPP_LANGUAGE, {
          getBaseUrl: () => `${ownUrl()}/sandbox/whatsapp`,
          phoneNumberId: 'sandbox',
          accessToken: sandboxSecret(config),
        })
      case 'whatsapp':
        return createWhatsApp(name, client, config.WHATSAPP_LANGUAGE, {
          getBaseUrl: () => config.WHATSAPP_API_URL,
          phoneNumberId: config.WHATSAPP_PHONE_NUMBER_ID!,
          accessToken: config.WHATSAPP_ACCESS_TOKEN!,
        })
      case 'sms':
        return createMsg91(client, {
          baseUrl: config.MSG91_API_URL,
          authKey: config.MSG91_AUTH_KEY!,
          templates: {
            otp: config.MSG91_TEMPLATE_ID,
            reminder: config.MSG91_REMINDER_TEMPLATE_ID,
            invitation: config.MSG91_INVITATION_TEMPLATE_ID,
            lease_recorded: config.MSG91_LEASE_RECORDED_TEMPLATE_ID,
            settlement: config.MSG91_SETTLEMENT_TEMPLATE_ID,
          },
        })
    }
  })
}
