import type { Agreement, MaintenanceRequest, PropertyWithUnits } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import type { Person } from '../runtime/people'
import type { SandboxAccess } from '../runtime/sandbox'

/** What the steps share: each may use what those before it made. */
export type Flow = {
  context: Context
  /** The one-time password that was given, else that of the sandbox. */
  otp: string
  isOtpGiven: boolean
  sandbox: SandboxAccess
  /** Whether the test signs up users; otherwise the stored sign-in is the landlord. */
  hasOwnUsers: boolean
  landlord: Person
  tenant: Person
  property: PropertyWithUnits
  agreement: Agreement
  request: MaintenanceRequest
}

export function expectEqual<Value>(actual: Value, expected: Value, name: string) {
  if (actual === expected) return
  throw new Error(`${name}: expected ${String(expected)}, got ${String(actual)}`)
}
