import type { Agreement, PropertyWithUnits } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import type { Person } from '../runtime/people'
import type { SandboxAccess } from '../runtime/sandbox'

/** What the steps share. */
export type Flow = {
  context: Context
  /** The one-time password that was given, else that of the sandbox. */
  otp: string
  isOtpGiven: boolean
  /** Found by the first step. */
  sandbox?: SandboxAccess
  landlord?: Person
  tenant?: Person
  property?: PropertyWithUnits
  agreement?: Agreement
}

type Need = 'the sandbox' | 'users of its own'
export type Step = { title: string; needs?: Need; run: (flow: Flow) => Promise<unknown> }

export type StepResult = {
  step: string
  status: 'passed' | 'failed' | 'skipped'
  ms: number
  /** Why it was skipped. */
  reason?: string
  error?: { code: string; message: string; request_id?: string }
}

/** Thrown by a step that cannot run against this server. */
export class StepSkipped extends Error {}

/** Whether the test may sign up users; otherwise the stored sign-in is the landlord. */
export const hasOwnUsers = ({ sandbox, isOtpGiven }: Flow) => sandbox !== 'absent' || isOtpGiven

export function expectEqual<Value>(actual: Value, expected: Value, name: string) {
  if (actual === expected) return
  throw new Error(`${name}: expected ${String(expected)}, got ${String(actual)}`)
}
