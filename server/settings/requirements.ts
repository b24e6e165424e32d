import { MIN_POSTGRES } from '../../db/version'
import { settings, type Setting, type SettingName, type SettingValues } from './table'

export type SandboxUse = { messages: boolean; signing: boolean; kyc: boolean }

export const EXAMPLE_DATABASE_URL = 'postgres://kiraya:secret@localhost:5432/kiraya'
const noDatabase =
  'DATABASE_URL is required: this installation has no PostgreSQL of its own. Name one of version ' +
  `${MIN_POSTGRES} or later, such as ${EXAMPLE_DATABASE_URL}`
const MIN_SECRET_BYTES = 32

const entries = Object.entries(settings) as [SettingName, Setting][]

/** Returns what is missing or too weak; each sentence begins with the name of a setting. */
export function findProblems(values: SettingValues, sandbox: SandboxUse, hasDatabase: boolean): string[] {
  const problems = [...(hasDatabase ? [] : [noDatabase]), ...findMissing(values)]
  if (values.NODE_ENV !== 'production') return problems
  return [
    ...problems,
    ...findWeakSecrets(values),
    ...findUnsafeAddresses(values),
    ...findSandboxProblems(values, sandbox),
  ]
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

const listTexts = (values: SettingValues, name: SettingName) => [values[name] ?? []].flat().map(String)

function findWeakSecrets(values: SettingValues) {
  const isStrong = (secret: string) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES
  return entries
    .filter(([name, { isSecret }]) => isSecret && !listTexts(values, name).every(isStrong))
    .map(([name]) => `${name} must be at least ${MIN_SECRET_BYTES} bytes long in production`)
}

function findUnsafeAddresses(values: SettingValues) {
  const isSafe = (address: string) => address.startsWith('https://')
  return entries
    .filter(([name, { isAddress }]) => isAddress && !listTexts(values, name).every(isSafe))
    .map(([name]) => `${name} must begin with https:// in production`)
}

function findSandboxProblems(values: SettingValues, sandbox: SandboxUse) {
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
