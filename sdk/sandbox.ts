import { createHttpClient, type HttpClient } from './http-client.ts'
import { path } from './inputs.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import type {
  CheckOutcome,
  Message,
  NewSandboxFailure,
  SandboxCheck,
  SandboxClock,
  SandboxClockChange,
  SandboxEkyc,
  SandboxFailure,
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
export const createSandboxClient = (options: ClientOptions): SandboxClient =>
  createSandbox(createHttpClient(options))

const createSandbox = (http: HttpClient) => ({
  /**
   * Returns the clock, the simulated failures, how identity checks end, and what waits for a person.
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
   * Adds a simulated failure for a provider's next calls or webhooks and returns it. Failures apply in order of
   * creation.
   * @throws {ValidationError} The behaviour does not exist for this provider and call.
   * @example
   * const failure = await sandbox.addFailure({ provider: 'esign', on: 'webhook', behaviour: 'twice' })
   */
  addFailure: (failure: NewSandboxFailure, options?: CallOptions) =>
    http.send<SandboxFailure>('sandbox/control/failures', failure, options),

  /**
   * Removes a simulated failure.
   * @throws {NotFoundError} The failure does not exist, or it was used up.
   * @example
   * const { id } = await sandbox.addFailure({ provider: 'messages', behaviour: 'error' })
   * await sandbox.removeFailure(id)
   */
  removeFailure: (id: string, options?: CallOptions) =>
    http.delete<Message>(path`sandbox/control/failures/${id}`, options),

  /**
   * Removes every simulated failure.
   * @example
   * await sandbox.clearFailures()
   */
  clearFailures: (options?: CallOptions) => http.delete<Message>('sandbox/control/failures', options),

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
})
