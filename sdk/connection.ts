import type { HttpClient } from './http-client.ts'

/** Where a client keeps its connection for further entry points, which share its session and options. */
export const CONNECTION = Symbol.for('kiraya.connection')

export interface Connected {
  /** For the SDK's own entry points, such as `createBooks`. */
  readonly [CONNECTION]: HttpClient
}
