import { createHmac } from 'node:crypto'
import type { Config } from '../config'
import type { Deps } from '../deps'
import type { Log } from '../observability/log'
import type { Metrics } from '../observability/metrics'
import { createDocumentCheck } from './document-check'
import { downloadDocument } from './download'
import { createProviderClient } from './http-client'
import { createSetuKyc } from './kyc/setu/api'
import type { KycProvider } from './kyc/port'
import { createMessaging, type NamedChannel } from './messaging/index'
import { createMsg91 } from './messaging/msg91/api'
import type { Channel } from './messaging/port'
import { createWhatsApp } from './messaging/whatsapp/api'
import { readErrorKind } from './messaging/whatsapp/transform'
import { signingAdapters } from './signing/index'
import type { SigningAdapter, SigningProvider } from './signing/port'

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
export function createProviders(
  config: Config,
  ownUrl: () => string,
  log: Log,
  metrics: Metrics,
  now: () => Date,
): Pick<Deps, 'signing' | 'otherSigning' | 'kyc' | 'sendOtp' | 'sendReminder' | 'sendInvitation'> {
  const deps = { config, ownUrl, log, metrics, now }
  return {
    ...createSigning(deps),
    kyc: createKyc(deps),
    ...createMessaging(createChannels(deps), log, metrics),
  }
}

/** The chosen adapter, and the other one, which serves the requests that it made before. */
function createSigning(deps: ProviderDeps): Pick<Deps, 'signing' | 'otherSigning'> {
  const chosen = signingAdapters[deps.config.ESIGN_PROTOCOL]
  const others = Object.values(signingAdapters).filter(adapter => adapter !== chosen)
  return {
    signing: createSigningProvider(deps, chosen),
    otherSigning: others.map(adapter => createSigningProvider(deps, adapter)),
  }
}

function createSigningProvider(deps: ProviderDeps, adapter: SigningAdapter): SigningProvider {
  const { config, ownUrl, log, metrics, now } = deps
  const url = config.ESIGN_API_URL
  const isSandbox = url === undefined
  return adapter.create({
    name: isSandbox ? adapter.sandboxName : adapter.name,
    getBaseUrl: () => url ?? `${ownUrl()}/sandbox/esign`,
    account: {
      clientId: isSandbox ? 'sandbox' : config.ESIGN_CLIENT_ID!,
      clientSecret: isSandbox ? sandboxSecret(config) : config.ESIGN_CLIENT_SECRET!,
      productInstanceId: isSandbox ? 'sandbox' : config.ESIGN_PRODUCT_INSTANCE_ID!,
      webhookSecrets: config.acceptedSecrets.ESIGN_WEBHOOK_SECRET,
    },
    client: createProviderClient('e-signing', config, log, metrics),
    downloadPdf: documentUrl => downloadDocument(documentUrl, config),
    checkDocument: createDocumentCheck(config),
    now,
    totalTimeoutMs: config.PROVIDER_TOTAL_TIMEOUT_MS,
  })
}

function createKyc({ config, ownUrl, log, metrics }: ProviderDeps): KycProvider {
  const client = createProviderClient('eKYC', config, log, metrics)
  const url = config.EKYC_API_URL
  if (url === undefined)
    return createSetuKyc(client, {
      name: 'sandbox',
      getBaseUrl: () => `${ownUrl()}/sandbox/ekyc`,
      clientId: 'sandbox',
      clientSecret: sandboxSecret(config),
      productInstanceId: 'sandbox',
    })
  return createSetuKyc(client, {
    name: 'setu',
    getBaseUrl: () => url,
    clientId: config.EKYC_CLIENT_ID!,
    clientSecret: config.EKYC_CLIENT_SECRET!,
    productInstanceId: config.EKYC_PRODUCT_INSTANCE_ID!,
  })
}

/** The channels in the order of `MESSAGE_CHANNELS`; together they keep to the total timeout. */
function createChannels({ config, ownUrl, log, metrics }: ProviderDeps): NamedChannel[] {
  const names = config.MESSAGE_CHANNELS
  const totalTimeoutMs = Math.floor(config.PROVIDER_TOTAL_TIMEOUT_MS / names.length)
  const settings = { ...config, PROVIDER_TOTAL_TIMEOUT_MS: totalTimeoutMs }
  const createClient = () => createProviderClient('messaging', settings, log, metrics)
  const createWhatsAppClient = () => createProviderClient('messaging', settings, log, metrics, readErrorKind)
  const factories: Record<(typeof names)[number], () => Channel> = {
    sandbox: () => {
      const getBaseUrl = () => `${ownUrl()}/sandbox/whatsapp`
      const account = { getBaseUrl, phoneNumberId: 'sandbox', accessToken: sandboxSecret(config) }
      return createWhatsApp(createWhatsAppClient(), account, config.WHATSAPP_LANGUAGE)
    },
    whatsapp: () => {
      const account = {
        getBaseUrl: () => config.WHATSAPP_API_URL,
        phoneNumberId: config.WHATSAPP_PHONE_NUMBER_ID!,
        accessToken: config.WHATSAPP_ACCESS_TOKEN!,
      }
      return createWhatsApp(createWhatsAppClient(), account, config.WHATSAPP_LANGUAGE)
    },
    sms: () =>
      createMsg91(createClient(), {
        baseUrl: config.MSG91_API_URL,
        authKey: config.MSG91_AUTH_KEY!,
        templateId: config.MSG91_TEMPLATE_ID!,
        reminderTemplateId: config.MSG91_REMINDER_TEMPLATE_ID,
        invitationTemplateId: config.MSG91_INVITATION_TEMPLATE_ID,
      }),
  }
  return names.map(name => ({ name, ...factories[name]() }))
}
