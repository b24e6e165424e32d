import { deflateRawSync } from 'node:zlib'
import { ConfigError } from './config-error'
import { signingAdapters, signingSettings } from '../providers/signing/index'
import type { AdapterSettings } from '../providers/signing/port'
import { isKnownSequence } from './known-sequences'
import type { SettingValues } from './table'

export type SandboxUse = { messages: boolean; signing: boolean; kyc: boolean }

/** Secrets that production checks, in the order of the README. */
const STRONG_SECRETS = [
  'JWT_SECRET',
  'JWT_SECRET_SECONDARY',
  ...listMarked(signingSettings, 'isSecret'),
  'OPS_TOKEN',
  'SANDBOX_TOKEN',
] as const

/** Addresses that production calls or sends people to. */
const PUBLIC_ADDRESSES = [
  'PUBLIC_URL',
  'FRONTEND_ORIGIN',
  'WHATSAPP_API_URL',
  'MSG91_API_URL',
  'INVITATION_URL',
  ...listUrls(signingSettings),
  'ESIGN_REDIRECT_URL',
  'EKYC_API_URL',
] as const satisfies (keyof SettingValues)[]

/** Our own secrets that the server needs; development generates them. */
export const requiredSecrets = [
  'JWT_SECRET',
  ...listMarked(signingSettings, 'isRequired', 'isSecret'),
] as const
export type RequiredSecret = (typeof requiredSecrets)[number]

const MIN_SECRET_BYTES = 32

/** @throws ConfigError A setting that others depend on is missing, or is too weak for production. */
export function checkRequirements(values: SettingValues, sandbox: SandboxUse) {
  requireProviderSettings(values, sandbox)
  if (values.NODE_ENV !== 'production') return

  const { settings: adapterSettings } = signingAdapters[values.ESIGN_PROTOCOL]
  const webhookSecrets = listMarked(adapterSettings, 'isRequired', 'isSecret')
  requireSettings(values, ['JWT_SECRET', ...webhookSecrets, 'PUBLIC_URL'], 'in production')
  checkSecrets(values)
  checkAddresses(values)
  checkSandboxInProduction(values, sandbox)
}

function requireSettings(values: SettingValues, names: (keyof SettingValues)[], reason: string) {
  const missing = names.find(name => !values[name])
  if (missing) throw new ConfigError(`${missing} is required ${reason}`)
}

type Requirement = { applies: boolean; reason: string; names: (keyof SettingValues)[] }

/** An adapter needs its settings if its URL is set, and its URL if it is chosen and has no sandbox. */
function listSigningRequirements(values: SettingValues): Requirement[] {
  return Object.entries(signingAdapters).flatMap(
    ([protocol, { sandbox, urlSetting, settings: ofAdapter }]) => [
      {
        applies: values.ESIGN_PROTOCOL === protocol && !sandbox,
        reason: `with ESIGN_PROTOCOL=${protocol}`,
        names: [urlSetting],
      },
      {
        applies: values[urlSetting] !== undefined,
        reason: `with ${urlSetting}`,
        names: listMarked(ofAdapter, 'isRequired'),
      },
    ],
  )
}

type Mark = 'isRequired' | 'isSecret'
type MarkedName<S, M extends Mark> = { [K in keyof S]: S[K] extends Record<M, true> ? K : never }[keyof S]

type UrlName<S> = { [K in keyof S]: S[K] extends { format: 'url' } ? K : never }[keyof S]

/** The settings of an adapter with all of the marks. */
function listMarked<S extends AdapterSettings, M extends Mark>(ofAdapter: S, ...marks: M[]) {
  const names = Object.keys(ofAdapter).filter(name => marks.every(mark => ofAdapter[name]![mark]))
  return names as MarkedName<S, M>[]
}

function listUrls<S extends AdapterSettings>(ofAdapter: S) {
  return Object.keys(ofAdapter).filter(name => ofAdapter[name]!.format === 'url') as UrlName<S>[]
}

function checkAddresses(values: SettingValues) {
  const isSafe = (address: string) => address.startsWith('https://')
  const unsafe = PUBLIC_ADDRESSES.find(name => ![values[name] ?? []].flat().every(isSafe))
  if (unsafe) throw new ConfigError(`${unsafe} must begin with https:// in production`)
}

function requireProviderSettings(values: SettingValues, sandbox: SandboxUse) {
  const requirements = [
    ...listSigningRequirements(values),
    {
      applies: !sandbox.kyc,
      reason: 'with EKYC_API_URL',
      names: ['EKYC_CLIENT_ID', 'EKYC_CLIENT_SECRET', 'EKYC_PRODUCT_INSTANCE_ID'],
    },
    {
      applies: values.MESSAGE_CHANNELS.includes('whatsapp'),
      reason: 'with MESSAGE_CHANNELS=whatsapp',
      names: ['WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_ACCESS_TOKEN'],
    },
    {
      applies: values.MESSAGE_CHANNELS.includes('sms'),
      reason: 'with MESSAGE_CHANNELS=sms',
      names: ['MSG91_AUTH_KEY', 'MSG91_TEMPLATE_ID'],
    },
  ] satisfies Requirement[]

  for (const { applies, reason, names } of requirements) {
    if (applies) requireSettings(values, names, reason)
  }
}

function checkSecrets(values: SettingValues) {
  for (const [index, name] of STRONG_SECRETS.entries()) {
    const secret = values[name]
    if (secret === undefined) continue

    if (Buffer.byteLength(secret) < MIN_SECRET_BYTES)
      throw new ConfigError(`${name} must be at least ${MIN_SECRET_BYTES} bytes long in production`)
    if (isGuessable(secret))
      throw new ConfigError(
        `${name} must be random in production, as from openssl rand -base64 48: ` +
          'this one is well known or too regular',
      )
    const twin = STRONG_SECRETS.slice(0, index).find(other => values[other] === secret)
    if (twin) throw new ConfigError(`${name} must differ from ${twin} in production`)
  }
}

/** Whether a secret is in common word lists, or follows a pattern and so compresses well. */
function isGuessable(secret: string) {
  const hasCommonWord =
    /secret|passw(or)?d|change.?me|example|kiraya|qwerty|letmein|default|12345678|abcdefgh|deadbeef/i
  return hasCommonWord.test(secret) || deflateRawSync(secret).length < 20
}

function checkSandboxInProduction(values: SettingValues, sandbox: SandboxUse) {
  const useBySetting = {
    MESSAGE_CHANNELS: sandbox.messages,
    [signingAdapters[values.ESIGN_PROTOCOL].urlSetting]: sandbox.signing,
    EKYC_API_URL: sandbox.kyc,
  }
  const sandboxed = Object.entries(useBySetting).find(([, isSandboxed]) => isSandboxed)
  if (!sandboxed) return

  if (!values.ALLOW_SANDBOX)
    throw new ConfigError(
      `${sandboxed[0]} is required in production: the sandbox is refused unless ALLOW_SANDBOX=true`,
    )
  if (isKnownSequence(values.SANDBOX_OTP))
    throw new ConfigError(
      'SANDBOX_OTP must be hard to guess in production: its default and known sequences are refused',
    )
  requireSettings(values, ['SANDBOX_TOKEN'], 'for the sandbox in production')
}
