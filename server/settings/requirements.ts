import { deflateRawSync } from 'node:zlib'
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
  'CREDENTIALS_KEY',
  'CREDENTIALS_KEY_SECONDARY',
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

/** Returns which settings are missing that others depend on, or are too weak for production; each sentence names one. */
export function findProblems(values: SettingValues, sandbox: SandboxUse): string[] {
  const problems = findMissingProviderSettings(values, sandbox)
  if (values.NODE_ENV !== 'production') return problems

  const { settings: adapterSettings } = signingAdapters[values.ESIGN_PROTOCOL]
  const webhookSecrets = listMarked(adapterSettings, 'isRequired', 'isSecret')
  return [
    ...problems,
    ...findMissing(
      values,
      ['JWT_SECRET', ...webhookSecrets, 'CREDENTIALS_KEY', 'PUBLIC_URL'],
      'in production',
    ),
    ...findWeakSecrets(values),
    ...findUnsafeAddresses(values),
    ...findSandboxProblems(values, sandbox),
  ]
}

const findMissing = (values: SettingValues, names: (keyof SettingValues)[], reason: string) =>
  names.filter(name => !values[name]).map(name => `${name} is required ${reason}`)

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

function findUnsafeAddresses(values: SettingValues) {
  const isSafe = (address: string) => address.startsWith('https://')
  return PUBLIC_ADDRESSES.filter(name => ![values[name] ?? []].flat().every(isSafe)).map(
    name => `${name} must begin with https:// in production`,
  )
}

function findMissingProviderSettings(values: SettingValues, sandbox: SandboxUse) {
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

  return requirements
    .filter(({ applies }) => applies)
    .flatMap(({ reason, names }) => findMissing(values, names, reason))
}

const findWeakSecrets = (values: SettingValues) =>
  STRONG_SECRETS.flatMap((name, index) => {
    const secret = values[name]
    if (secret === undefined) return []
    const twin = STRONG_SECRETS.slice(0, index).find(other => values[other] === secret)
    const weakness = findWeakness(secret, twin)
    return weakness ? [`${name} must ${weakness}`] : []
  })

function findWeakness(secret: string, twin: string | undefined) {
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES)
    return `be at least ${MIN_SECRET_BYTES} bytes long in production`
  if (isGuessable(secret))
    return 'be random in production, as from openssl rand -base64 48: this one is well known or too regular'
  return twin && `differ from ${twin} in production`
}

/** Whether a secret is in common word lists, or follows a pattern and so compresses well. */
function isGuessable(secret: string) {
  const hasCommonWord =
    /secret|passw(or)?d|change.?me|example|kiraya|qwerty|letmein|default|12345678|abcdefgh|deadbeef/i
  return hasCommonWord.test(secret) || deflateRawSync(secret).length < 20
}

function findSandboxProblems(values: SettingValues, sandbox: SandboxUse) {
  const useBySetting = {
    MESSAGE_CHANNELS: sandbox.messages,
    [signingAdapters[values.ESIGN_PROTOCOL].urlSetting]: sandbox.signing,
    EKYC_API_URL: sandbox.kyc,
  }
  const sandboxed = Object.entries(useBySetting).filter(([, isSandboxed]) => isSandboxed)
  if (sandboxed.length === 0) return []

  if (!values.ALLOW_SANDBOX)
    return sandboxed.map(
      ([name]) => `${name} is required in production: the sandbox is refused unless ALLOW_SANDBOX=true`,
    )
  const knownOtp =
    'SANDBOX_OTP must be hard to guess in production: its default and known sequences are refused'
  return [
    ...(isKnownSequence(values.SANDBOX_OTP) ? [knownOtp] : []),
    ...findMissing(values, ['SANDBOX_TOKEN'], 'for the sandbox in production'),
  ]
}
