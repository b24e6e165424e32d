import { createHttpClient, type ClientOptions } from './http-client'
import type {
  CheckOutcome,
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
  Message,
} from './contract'
import { path } from './path'

/** The server's stand-in for the providers; `token` is its `SANDBOX_TOKEN` where it has one. Every method throws `NotFoundError` where the server uses real providers only. */
export function createSandboxClient(options: ClientOptions) {
  const http = createHttpClient(options)
  return {
    /** Its clock, what is to go wrong, and what waits for a person. */
    state: () => http.get<SandboxState>('sandbox/control'),
    /** The newest 50 messages, newest first. */
    messages: (query?: SandboxMessageQuery) => http.get<SandboxMessage[]>('sandbox/messages', query),
    /** Lets the next calls or webhooks of a provider go as said; faults come to pass in the order in which they were added. */
    addFault: (fault: NewSandboxFault) => http.post<SandboxFault>('sandbox/control/faults', fault),
    removeFault: (id: string) => http.delete<Message>(path`sandbox/control/faults/${id}`),
    clearFaults: () => http.delete<Message>('sandbox/control/faults'),
    /** Moves the sandbox's clock: by `advance_ms`, to `at`, or with `reset` back to the server's. */
    moveClock: (change: SandboxClockChange) => http.post<SandboxClock>('sandbox/control/clock', change),
    /**
     * Does what a signer does on the page; `id` is the last part of the signing address.
     * @throws {ValidationError} It is closed.
     */
    sign: (id: string, outcome: SigningOutcome = 'sign') =>
      http.post<SandboxSignature>(path`sandbox/control/signatures/${id}`, { outcome }),
    /**
     * Does what a person does on the page of the identity check; `id` is the last part of its address.
     * @throws {ValidationError} It is finished.
     */
    check: (id: string, outcome: CheckOutcome = 'approve') =>
      http.post<SandboxCheck>(path`sandbox/control/checks/${id}`, { outcome }),
  }
}
