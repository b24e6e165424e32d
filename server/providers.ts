import { createHmac } from 'node:crypto'
import type { Config } from './config'
import type { Deps } from './deps'
import type { Log } from './log'
import { createKyc } from './kyc/setu'
import { createMsg91 } from './messaging/msg91'
import type { SendOtp } from './messaging/port'
import { createWhatsApp } from './messaging/whatsapp'
import { createOutbound } from './outbound'
import { protocols } from './signing'

/** What the sandbox asks of its callers, so that nobody else speaks to it. */
export const sandboxSecret = (config: Config) => createHmac('sha256', config.JWT_SECRET).update('sandbox').digest('hex')

/** The adapters as the settings ask for them; each is always the real one, and where its provider is not set it calls the sandbox. */
export function createProviders(config: Config, ownUrl: () => string, log: Log): Pick<Deps, 'signing' | 'kyc' | 'sendOtp'> {
  const account = (prefix: 'ESIGN' | 'EKYC', path: string) => {
    const url = config[`${prefix}_API_URL`]
    return {
      name: url ? 'setu' : 'sandbox',
      url: url ? () => url : () => `${ownUrl()}/sandbox/${path}`,
      credentials: url
        ? { 'x-client-id': config[`${prefix}_CLIENT_ID`]!, 'x-client-secret': config[`${prefix}_CLIENT_SECRET`]!, 'x-product-instance-id': config[`${prefix}_PRODUCT_INSTANCE_ID`]! }
        : { 'x-client-id': 'sandbox', 'x-client-secret': sandboxSecret(config), 'x-product-instance-id': 'sandbox' },
    }
  }
  return {
    signing: protocols[config.ESIGN_PROTOCOL](createOutbound('e-signing', config), { ...account('ESIGN', 'esign'), webhookSecret: config.ESIGN_WEBHOOK_SECRET }),
    kyc: createKyc(createOutbound('eKYC', config), account('EKYC', 'ekyc')),
    sendOtp: createSendOtp(config, ownUrl, log),
  }
}

/** The channels in their order: the next one where the one before cannot send. Together they keep to what one request may take. */
function createSendOtp(config: Config, ownUrl: () => string, log: Log): SendOtp {
  const call = createOutbound('messaging', { ...config, PROVIDER_BUDGET_MS: Math.floor(config.PROVIDER_BUDGET_MS / config.OTP_CHANNEL.length) })
  const template = { template: config.WHATSAPP_TEMPLATE, language: config.WHATSAPP_LANGUAGE }
  const channels: Record<Config['OTP_CHANNEL'][number], () => SendOtp> = {
    sandbox: () => createWhatsApp(call, { ...template, url: () => `${ownUrl()}/sandbox/whatsapp`, phoneNumberId: 'sandbox', accessToken: sandboxSecret(config) }),
    whatsapp: () => createWhatsApp(call, { ...template, url: () => config.WHATSAPP_API_URL, phoneNumberId: config.WHATSAPP_PHONE_NUMBER_ID!, accessToken: config.WHATSAPP_ACCESS_TOKEN! }),
    sms: () => createMsg91(call, { url: config.MSG91_API_URL, authKey: config.MSG91_AUTH_KEY!, templateId: config.MSG91_TEMPLATE_ID! }),
  }
  return config.OTP_CHANNEL.map(name => ({ name, send: channels[name]() })).reduceRight<SendOtp | undefined>((otherwise, { name, send }) => otherwise ? (...message) => send(...message).catch(error => {
    log.warn({ channel: name, cause: error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined }, 'A channel could not send the one-time password; the next one is tried')
    return otherwise(...message)
  }) : send, undefined)!
}
