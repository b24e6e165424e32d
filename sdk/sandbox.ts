import { createHttpClient } from './http-client.ts'
import { path } from './inputs.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import type {
  CheckOutcome,
  Message,
  NewSandboxFault,
  SandboxCheck,
  SandboxClock,
  SandboxClockChange,
  SandboxEkyc,
  SandboxFault,
  SandboxMessage,
  SandboxMessageQuery,
  SandboxSignature,
  SandboxState,
  SigningOutcome,
} from '#types'

/**
 * A client for the sandbox, which simulates the providers. Every method throws a `NotFoundError` if the server
 * uses only real providers.
 */
export interface SandboxClient extends ReturnType<typeof createSandbox> {}

/**
 * Creates a client for the sandbox; `token` is the server's `SANDBOX_TOKEN`, if it has one.
 * @example
 * const sandbox = createSandboxClient({ baseUrl: 'http://localhost:3000' })
 */
export const createSandboxClient = (options: ClientOptions): SandboxClient => createSandbox(options)

function createSandbox(clientOptions: ClientOptions) {
  const http = createHttpClient(clientOptions)
  return {
    /**
     * Returns the clock, the fault rules, how identity checks end, and what waits for a person.
     * @example
     * const { signatures, checks } = await sandbox.state()
     */
    state: (options?: CallOptions) => http.get<SandboxState>('sandbox/control', options),

    /**
     * Returns the newest 50 messages, newest first.
     * @example
     * const [newest] = await sandbox.messages({ phone: '9876543210' })
     */
    messages: (query?: SandboxMessageQuery, options?: CallOptions) =>
      http.get<SandboxMessage[]>('sandbox/messages', options, query),

    /**
     * Adds a fault rule for a provider's next calls or webhooks and returns it. Rules apply in order of
     * creation.
     * @throws {ValidationError} The behaviour does not exist for this provider and call.
     * @example
     * const rule = await sandbox.addFault({ provider: 'esign', on: 'webhook', behaviour: 'twice' })
     */
    addFault: (fault: NewSandboxFault, options?: CallOptions) =>
      http.send<SandboxFault>('sandbox/control/faults', fault, options),

    /**
     * Removes a fault rule.
     * @throws {NotFoundError} The rule does not exist, or it was used up.
     * @example
     * const { id } = await sandbox.addFault({ provider: 'messages', behaviour: 'error' })
     * await sandbox.removeFault(id)
     */
    removeFault: (id: string, options?: CallOptions) =>
      http.delete<Message>(path`sandbox/control/faults/${id}`, options),

    /**
     * Removes every fault rule.
     * @example
     * await sandbox.clearFaults()
     */
    clearFaults: (options?: CallOptions) => http.delete<Message>('sandbox/control/faults', options),

    /**
     * Moves the sandbox's clock by `advance_ms` or to `at`, or resets it to the machine's, and posts what falls due.
     * Returns the new time. Sessions end after a week of it.
     * @example
     * const { now } = await sandbox.moveClock({ advance_ms: 3_600_000 })
     */
    moveClock: (change: SandboxClockChange, options?: CallOptions) =>
      http.send<SandboxClock>('sandbox/control/clock', change, options),

    /**
     * Lets identity checks succeed when they are completed (`auto`), or wait for a person (`manual`).
     * @example
     * await sandbox.setEkyc({ mode: 'manual' })
     */
    setEkyc: (change: SandboxEkyc, options?: CallOptions) =>
      http.send<SandboxEkyc>('sandbox/control/ekyc', change, options),

    /**
     * Acts as the signer on the signing page and returns the signature; `id` is the last part of the signing
     * address.
     * @throws {ValidationError} The request is closed.
     * @example
     * const { signatures } = await sandbox.state()
     * for (const { id } of signatures) await sandbox.sign(id)
     */
    sign: (id: string, outcome: SigningOutcome = 'sign', options?: CallOptions) =>
      http.send<SandboxSignature>(path`sandbox/control/signatures/${id}`, { outcome }, options),

    /**
     * Acts as the person on the identity check's page and returns the check; `id` is the last part of its
     * address.
     * @throws {ValidationError} The check is finished.
     * @example
     * const { checks } = await sandbox.state()
     * for (const { id } of checks) await sandbox.check(id, 'approve')
     */
    check: (id: string, outcome: CheckOutcome = 'approve', options?: CallOptions) =>
      http.send<SandboxCheck>(path`sandbox/control/checks/${id}`, { outcome }, options),
  }
}
