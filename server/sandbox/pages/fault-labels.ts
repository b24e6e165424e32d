import type {
  NewSandboxFault,
  SandboxBehavior,
  SandboxCall,
  SandboxFault,
  SandboxProvider,
} from '@kiraya/sdk/contract'
import { DAY_MS, HOUR_MS } from '../../domain/durations'

export const providerLabels: Record<SandboxProvider, string> = {
  esign: 'E-signing',
  ekyc: 'eKYC',
  messages: 'Messages',
}

export const callLabels: Record<SandboxCall, string> = {
  any: 'any matching call',
  create: 'create call',
  upload: 'document upload',
  status: 'status call',
  cancel: 'cancel call',
  pdf: 'PDF download',
  webhook: 'webhook',
}

export const behaviourLabels: Record<SandboxBehavior, string> = {
  error: 'responds with an error',
  timeout: 'does not respond',
  slow: 'responds slowly',
  garbage: 'responds with garbage',
  malformed: 'responds with unexpected JSON',
  lost: 'takes effect, but the response is lost',
  link: 'responds with a one-time link',
  late: 'webhook comes late',
  twice: 'webhook comes twice',
  shuffled: 'webhook comes after the next one',
  forged: 'webhook has a wrong signature',
  never: 'webhook never comes',
  succeed: 'succeeds automatically',
  decline: 'is declined automatically',
  'fail-otp': 'fails its OTP automatically',
  expire: 'expires automatically',
  fail: 'fails automatically',
}

/** Describes a rule in words, such as `E-signing: status call responds slowly`. */
export function describeRule({ provider, on, behaviour }: SandboxFault) {
  const isImplied = on === 'any' || on === 'webhook'
  const call = isImplied ? '' : `${callLabels[on]} `
  return `${providerLabels[provider]}: ${call}${behaviourLabels[behaviour]}`
}

/** Describes a rule's settings, such as `3 times, status 503`. */
export function describeSettings({ times, delay_ms, status, retry_after_s, match }: SandboxFault) {
  const settings = [times > 1 ? `${times} times` : 'once']
  if (delay_ms !== null) settings.push(`after ${formatDuration(delay_ms)}`)
  if (status !== null) settings.push(`status ${status}`)
  if (retry_after_s !== null) settings.push(`Retry-After ${retry_after_s} s`)
  if (match !== null) settings.push(`only for ${match}`)
  return settings.join(', ')
}

export function formatDuration(ms: number) {
  if (ms % DAY_MS === 0) return `${ms / DAY_MS} d`
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`
  return `${ms / 1000} s`
}

type Preset = { label: string; rule: NewSandboxFault }
type PresetGroup = { heading: string; provider: SandboxProvider; presets: Preset[] }

/** Common rules, a button each. */
export const presetGroups: PresetGroup[] = [
  {
    heading: 'Next signature',
    provider: 'esign',
    presets: [
      { label: 'Succeed', rule: { provider: 'esign', on: 'create', behaviour: 'succeed' } },
      { label: 'Decline', rule: { provider: 'esign', on: 'create', behaviour: 'decline' } },
      { label: 'Fail OTP', rule: { provider: 'esign', on: 'create', behaviour: 'fail-otp' } },
      { label: 'Expire', rule: { provider: 'esign', on: 'create', behaviour: 'expire' } },
    ],
  },
  {
    heading: 'Next e-signing call',
    provider: 'esign',
    presets: [
      { label: 'Time out', rule: { provider: 'esign', behaviour: 'timeout' } },
      { label: 'Respond 500 five times', rule: { provider: 'esign', behaviour: 'error', times: 5 } },
      { label: 'Respond with garbage', rule: { provider: 'esign', behaviour: 'garbage' } },
      { label: 'Lose the response', rule: { provider: 'esign', behaviour: 'lost' } },
    ],
  },
  {
    heading: 'Next e-signing webhook',
    provider: 'esign',
    presets: [
      { label: 'Late', rule: { provider: 'esign', behaviour: 'late', delay_ms: 60_000 } },
      { label: 'Twice', rule: { provider: 'esign', behaviour: 'twice' } },
      { label: 'Wrong order', rule: { provider: 'esign', behaviour: 'shuffled' } },
      { label: 'Forged', rule: { provider: 'esign', behaviour: 'forged' } },
      { label: 'Never', rule: { provider: 'esign', behaviour: 'never' } },
    ],
  },
  {
    heading: 'Next identity check',
    provider: 'ekyc',
    presets: [
      { label: 'Succeed', rule: { provider: 'ekyc', on: 'create', behaviour: 'succeed' } },
      { label: 'Fail', rule: { provider: 'ekyc', on: 'create', behaviour: 'fail' } },
      { label: 'No webhook', rule: { provider: 'ekyc', behaviour: 'never' } },
    ],
  },
  {
    heading: 'Next message',
    provider: 'messages',
    presets: [
      { label: 'Respond 500', rule: { provider: 'messages', behaviour: 'error' } },
      { label: 'Time out', rule: { provider: 'messages', behaviour: 'timeout' } },
    ],
  },
]
