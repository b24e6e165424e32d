import { signingAdapters, signingSettings, type SigningProtocol } from '../providers/signing/index'
import { setting, toAdapterSettings } from './declaration'
import {
  parseBoolean,
  parseChannels,
  parseEnum,
  parseInteger,
  parsePattern,
  parseText,
  parseWebUrl,
} from './parsers'

export const messagingSettings = {
  MESSAGE_CHANNELS: setting(
    parseChannels,
    '`sandbox`, or the channels of one-time passwords in the order of attempts: `whatsapp`, ' +
      '`sms` or `whatsapp,sms`',
    'sandbox',
  ),
  WHATSAPP_API_URL: setting(
    parseWebUrl,
    'WhatsApp Cloud API with its version',
    'https://graph.facebook.com/v23.0',
  ),
  WHATSAPP_PHONE_NUMBER_ID: setting(parseText, 'Sender of the WhatsApp messages'),
  WHATSAPP_ACCESS_TOKEN: setting(parseText, 'Credential of the WhatsApp Cloud API'),
  WHATSAPP_TEMPLATE: setting(parseText, 'Name of the approved authentication template', 'kiraya_otp'),
  WHATSAPP_REMINDER_TEMPLATE: setting(
    parseText,
    'Name of the approved reminder template; its two variables are the agreement number and the URL',
    'kiraya_sign_reminder',
  ),
  WHATSAPP_INVITATION_TEMPLATE: setting(
    parseText,
    'Name of the approved template of invitations; its variable is the URL',
    'kiraya_invitation',
  ),
  WHATSAPP_LANGUAGE: setting(parseText, 'Language of the templates', 'en_US'),
  MSG91_API_URL: setting(parseWebUrl, 'MSG91, for OTPs by SMS', 'https://control.msg91.com'),
  MSG91_AUTH_KEY: setting(parseText, 'Credential of MSG91'),
  MSG91_TEMPLATE_ID: setting(parseText, 'Template of the SMS'),
  MSG91_REMINDER_TEMPLATE_ID: setting(
    parseText,
    'Flow of the reminder SMS with `number` and `url`; without it no reminder goes by SMS',
  ),
  MSG91_INVITATION_TEMPLATE_ID: setting(
    parseText,
    'Flow of the invitation SMS with `url`; without it no invitation goes by SMS',
  ),
  INVITATION_URL: setting(
    parseWebUrl,
    'Page where invited landlords sign in; default the first `FRONTEND_ORIGIN`, else `PUBLIC_URL`',
  ),
}

const protocolMeanings = Object.entries(signingAdapters).map(
  ([protocol, { meaning }]) => `\`${protocol}\`: ${meaning}`,
)

export const esignSettings = {
  ESIGN_PROTOCOL: setting(
    parseEnum(...(Object.keys(signingAdapters) as SigningProtocol[])),
    protocolMeanings.join('. '),
    'flexi',
  ),
  ...toAdapterSettings(signingSettings),
  ESIGN_REDIRECT_URL: setting(parseWebUrl, 'Page that signers return to; default a page of this server'),
}

export const providerSettings = {
  EKYC_API_URL: setting(parseWebUrl, 'eKYC provider; without it the sandbox'),
  EKYC_CLIENT_ID: setting(parseText, 'Credential of the eKYC provider'),
  EKYC_CLIENT_SECRET: setting(parseText, 'Credential of the eKYC provider'),
  EKYC_PRODUCT_INSTANCE_ID: setting(parseText, 'Credential of the eKYC provider'),
  PROVIDER_TIMEOUT_MS: setting(
    parseInteger(1, 120_000),
    'Timeout of one attempt to call a provider',
    '30000',
  ),
  PROVIDER_RETRIES: setting(parseInteger(0, 10), 'Number of retries after a failed call to a provider', '3'),
  PROVIDER_TOTAL_TIMEOUT_MS: setting(
    parseInteger(1, 110_000),
    'Time that all attempts to call a provider may take within one request',
    '45000',
  ),
  PROVIDER_BREAKER_FAILURES: setting(
    parseInteger(1, 10_000),
    'Consecutive failures after which the circuit breaker of a provider opens',
    '10',
  ),
  PROVIDER_BREAKER_MS: setting(
    parseInteger(1, 3_600_000),
    'How long an open circuit breaker refuses calls before it lets one through',
    '15000',
  ),
  DOCUMENT_HOSTS: setting(
    parseEnum('public', 'any'),
    'Hosts that documents are downloaded from: `public` accepts only https at public addresses; ' +
      'default `public` in production, else `any`',
  ),
  DOCUMENT_CHECK: setting(
    parseBoolean,
    'Whether a document at a public address must be a reachable PDF before it is sent for signing; ' +
      'default `true` in production, else `false`',
  ),
  RECONCILE_INITIAL_DELAY_MS: setting(
    parseInteger(1000, 3_600_000),
    'Age at which an open signature or identity check is first reconciled with its provider; ' +
      'later checks back off',
    '300000',
  ),
}

export const sandboxSettings = {
  ALLOW_SANDBOX: setting(parseBoolean, 'Permits the sandbox in production', 'false'),
  SANDBOX_OTP: setting(parsePattern(/^\d{6}$/, 'six digits'), 'The OTP of the sandbox channel', '123456'),
  SANDBOX_TOKEN: setting(
    parseText,
    'Bearer token of `/sandbox/messages` and `/sandbox/control`, and the password of `/sandbox`; ' +
      'required in production',
  ),
  SANDBOX_EKYC: setting(
    parseEnum('auto', 'manual'),
    'Whether a pending eKYC succeeds by itself on completion (`auto`) or waits for the sandbox’s page',
    'auto',
  ),
}
