import { MIN_POSTGRES } from '../../db/version'
import { settings, type Setting, type SettingName, type SettingValues } from './table'

export type SandboxUse = { messages: boolean; signing: boolean; kyc: boolean }

export const getSandboxUse = (values: SettingValues): SandboxUse => ({
  messages: values.MESSAGE_CHANNELS.includes('sandbox'),
  signing: !values.ESIGN_API_URL,
  kyc: !values.EKYC_API_URL,
})

export const EXAMPLE_DATABASE_URL = 'postgres://kiraya:secret@localhost:5432/kiraya'
const noDatabase =
  'DATABASE_URL is required: this installation has no PostgreSQL of its own. Name one of version ' +
  `${MIN_POSTGRES} or later, such as ${EXAMPLE_DATABASE_URL}`
const MIN_SECRET_BYTES = 32

export const entries = Object.entries(settings) as [SettingName, Setting][]

/** Returns what is missing or too weak; each sentence begins with the name of a setting. */
export function findProblems(values: SettingValues, hasDatabase: boolean): string[] {
  const problems = [...(hasDatabase ? [] : [noDatabase]), ...findMissing(values)]
  if (values.NODE_ENV !== 'production') return problems
  return [...problems, ...findWeakValues(values), ...findSandboxProblems(values)]
}

function findMissing(values: SettingValues) {
  const isMet = (condition: string) => {
    const [name, value] = condition.split('=') as [SettingName, string?]
    const actual: unknown = values[name]
    return value === undefined ? actual !== undefined : [actual].flat().includes(value)
  }
  return entries
    .filter(([name]) => !values[name])
    .flatMap(([name, { requiredWith }]) => {
      const reason = requiredWith?.find(isMet)
      return reason ? [`${name} is required ${describeCondition(reason)}`] : []
    })
}

export const describeCondition = (condition: string) =>
  condition === 'NODE_ENV=production' ? 'in production' : `with ${condition}`

function findWeakValues(values: SettingValues) {
  const isStrong = (secret: string) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES
  const isSafe = (address: string) => address.startsWith('https://')
  return entries.flatMap(([name, { isSecret, isAddress }]) => {
    const texts = [values[name] ?? []].flat().map(String)
    if (isSecret && !texts.every(isStrong))
      return [`${name} must be at least ${MIN_SECRET_BYTES} bytes long in production`]
    if (isAddress && !texts.every(isSafe)) return [`${name} must begin with https:// in production`]
    return []
  })
}

function findSandboxProblems(values: SettingValues) {
  const sandbox = getSandboxUse(values)
  const uses = {
    MESSAGE_CHANNELS: sandbox.messages,
    ESIGN_API_URL: sandbox.signing,
    EKYC_API_URL: sandbox.kyc,
  }
  const sandboxed = Object.entries(uses).filter(([, isSandboxed]) => isSandboxed)
  if (sandboxed.length === 0) return []
  if (!values.ALLOW_SANDBOX)
    return sandboxed.map(
      ([name]) => `${name} is required in production: the sandbox is refused unless ALLOW_SANDBOX=true`,
    )
  return [
    ...(values.SANDBOX_TOKEN ? [] : ['SANDBOX_TOKEN is required for the sandbox in production']),
    ...(values.SANDBOX_OTP === settings.SANDBOX_OTP.default
      ? ['SANDBOX_OTP must be hard to guess in production: its default is refused']
      : []),
  ]
}
