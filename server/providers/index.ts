import { createHmac } from 'node:crypto'
import type { Config } from '../config'
import type { Deps } from '../deps'
import { unavailable } from '../faults'
import type { Log } from '../observability/log'
import type { Metrics } from '../observability/metrics'
import { createSetuKyc } from './kyc/setu'
import { createMsg91 } from './messaging/msg91'
import type { Channel } from './messaging/port'
import { createWhatsApp } from './messaging/whatsapp'
import { downloadPdf } from './download'
import { createProviderClient } from './http-client'
import { LoggableError } from '../observability/safe-errors'
import { signingAdapters } from './signing/index'

/** What the sandbox asks of its callers, so that nobody else speaks to it. */
export const sandboxSecret = (config: Config) =>
  createHmac('sha256', config.JWT_SECRET).update('sandbox').digest('hex')

/** The adapters as the settings ask for them; each is always the real one, and where its provider is not set it calls the sandbox. */
export function createProviders(
  config: Config,
  ownUrl: () => string,
  log: Log,
  metrics: Metrics,
  now: () => Date,
): Pick<Deps, 'signing' | 'kyc' | 'sendOtp' | 'sendReminder'> {
  const account = (prefix: 'ESIGN' | 'EKYC', path: string) => {
    const url = config[`${prefix}_API_URL`]
    return {
      name: url ? 'setu' : 'sandbox',
      url: url ? () => url : () => `${ownUrl()}/sandbox/${path}`,
      credentials: url
        ? {
            'x-client-id': config[`${prefix}_CLIENT_ID`]!,
            'x-client-secret': config[`${prefix}_CLIENT_SECRET`]!,
            'x-product-instance-id': config[`${prefix}_PRODUCT_INSTANCE_ID`]!,
          }
        : {
            'x-client-id': 'sandbox',
            'x-client-secret': sandboxSecret(config),
            'x-product-instance-id': 'sandbox',
          },
    }
  }
  const esign = account('ESIGN', 'esign')
  return {
    signing: signingAdapters[config.ESIGN_PROTOCOL]!(
      createProviderClient('e-signing', config, log, metrics),
      {
        ...esign,
        name: esign.name + (config.ESIGN_PROTOCOL === 'flexi' ? '' : `-${config.ESIGN_PROTOCOL}`),
        webhookSecrets: config.acceptedSecrets.ESIGN_WEBHOOK_SECRET,
      },
      {
        fetchDocument: address => downloadPdf(address, config),
        now,
        budgetMs: config.PROVIDER_TOTAL_TIMEOUT_MS,
      },
    ),
    kyc: createSetuKyc(createProviderClient('eKYC', config, log, metrics), account('EKYC', 'ekyc')),
    ...createMessaging(config, ownUrl, log, metrics),
  }
}

/** The channels in their order: the next one where the one before cannot send. Together they keep to what one request may take. */
function createMessaging(
  config: Config,
  ownUrl: () => string,
  log: Log,
  metrics: Metrics,
): Pick<Deps, 'sendOtp' | 'sendReminder'> {
  const call = () =>
    createProviderClient(
      'messaging',
      {
        ...config,
        PROVIDER_TOTAL_TIMEOUT_MS: Math.floor(
          config.PROVIDER_TOTAL_TIMEOUT_MS / config.MESSAGE_CHANNELS.length,
        ),
      },
      log,
      metrics,
    )
  const templates = {
    template: config.WHATSAPP_TEMPLATE,
    reminderTemplate: config.WHATSAPP_REMINDER_TEMPLATE,
    language: config.WHATSAPP_LANGUAGE,
  }
  const makers: Record<Config['MESSAGE_CHANNELS'][number], () => Channel> = {
    sandbox: () =>
      createWhatsApp(call(), {
        ...templates,
        url: () => `${ownUrl()}/sandbox/whatsapp`,
        phoneNumberId: 'sandbox',
        accessToken: sandboxSecret(config),
      }),
    whatsapp: () =>
      createWhatsApp(call(), {
        ...templates,
        url: () => config.WHATSAPP_API_URL,
        phoneNumberId: config.WHATSAPP_PHONE_NUMBER_ID!,
        accessToken: config.WHATSAPP_ACCESS_TOKEN!,
      }),
    sms: () =>
      createMsg91(call(), {
        url: config.MSG91_API_URL,
        authKey: config.MSG91_AUTH_KEY!,
        templateId: config.MSG91_TEMPLATE_ID!,
        reminderTemplateId: config.MSG91_REMINDER_TEMPLATE_ID,
      }),
  }
  const channels = config.MESSAGE_CHANNELS.map(name => ({ name, ...makers[name]() }))

  async function inOrder(
    kind: string,
    what: string,
    [first, ...others]: { name: string; send: () => Promise<void> }[],
  ): Promise<void> {
    if (!first)
      throw unavailable(
        'The messaging provider cannot be reached',
        new LoggableError(`No channel sends ${what}`),
      )
    await first.send().then(
      () => metrics.messages.inc({ channel: first.name, kind, outcome: 'sent' }),
      error => {
        metrics.messages.inc({ channel: first.name, kind, outcome: 'failed' })
        if (!others.length) throw error
        log.warn(
          { channel: first.name, err: error },
          `A channel could not send ${what}; the next one is tried`,
        )
        return inOrder(kind, what, others)
      },
    )
  }
  return {
    sendOtp: (...message) =>
      inOrder(
        'otp',
        'the one-time password',
        channels.map(({ name, sendOtp }) => ({ name, send: () => sendOtp(...message) })),
      ),
    sendReminder: (...message) =>
      inOrder(
        'reminder',
        'the reminder',
        channels.flatMap(({ name, sendReminder }) =>
          sendReminder ? { name, send: () => sendReminder(...message) } : [],
        ),
      ),
  }
}
