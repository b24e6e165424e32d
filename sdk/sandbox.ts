import type {
  CheckOutcome,
  Message,
  NewSandboxFault,
  SandboxCheck,
  SandboxClock,
  SandboxClockChange,
  SandboxFault,
  SandboxMessage,
  SandboxMessageQuery,
  SandboxSignature,
  SandboxState,
  SigningOutcome,
} from './contract/index.ts'
import { createHttpClient, type ClientOptions } from './http-client.ts'
import { path } from './path.ts'

/**
 * Creates a client for the sandbox, which simulates the providers; `token` is the server's
 * `SANDBOX_TOKEN`, if it has one. Every method throws a `NotFoundError` if the server uses only real
 * providers.
 */
export function createSandboxClient(options: ClientOptions) {
  const http = createHttpClient(options)
  return {
    /** Returns the clock, the fault rules, and the signatures and identity checks that wait for a person. */
    state: () => http.get<SandboxState>('sandbox/control'),

    /** Returns the newest 50 messages, newest first. */
    messages: (query?: SandboxMessageQuery) => http.get<SandboxMessage[]>('sandbox/messages', query),

    /**
     * Adds a fault rule for a provider's next calls or webhooks and returns it. Rules apply in order of
     * creation.
     * @throws {ValidationError} The behaviour does not exist for this provider and call.
     */
    addFault: (fault: NewSandboxFault) => http.post<SandboxFault>('sandbox/control/faults', fault),

    /**
     * Removes a fault rule.
     * @throws {NotFoundError} The rule does not exist, or it was used up.
     */
    removeFault: (id: string) => http.delete<Message>(path`sandbox/control/faults/${id}`),

    /** Removes every fault rule. */
    clearFaults: () => http.delete<Message>('sandbox/control/faults'),

    /**
     * Moves the sandbox's clock by `advance_ms` or to `at`, or resets it to the server's. Returns the new
     * time.
     */
    moveClock: (change: SandboxClockChange) => http.post<SandboxClock>('sandbox/control/clock', change),

    /**
     * Acts as the signer on the signing page and returns the signature; `id` is the last part of the signing
     * address.
     * @throws {ValidationError} The request is closed.
     */
    sign: (id: string, outcome: SigningOutcome = 'sign') =>
      http.post<SandboxSignature>(path`sandbox/control/signatures/${id}`, { outcome }),

    /**
     * Acts as the person on the identity check's page and returns the check; `id` is the last part of its
     * address.
     * @throws {ValidationError} The check is finished.
     */
    check: (id: string, outcome: CheckOutcome = 'approve') =>
      http.post<SandboxCheck>(path`sandbox/control/checks/${id}`, { outcome }),
  }
}
