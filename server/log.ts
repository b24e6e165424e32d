import { AsyncLocalStorage } from 'node:async_hooks'
import pino from 'pino'
import pretty from 'pino-pretty'
import { told, type Told } from './reasons'

/** The id of the request that is being answered, for every line that is logged meanwhile. */
export const requestId = new AsyncLocalStorage<string>()

/** What may be logged, by name and by look; whatever else a line is given is left out. Texts that people type are never among it. */
const is = <T>(check: (value: unknown) => boolean) => check as (value: unknown) => value is T
const oneOf = <const T extends readonly string[]>(...words: T) => is<T[number]>(value => words.includes(value as string))
const text = (pattern: RegExp) => is<string>(value => typeof value === 'string' && pattern.test(value))
const word = text(/^[a-z][a-z _-]{0,60}$/i)
// No column of ours counts further, and no phone number of ten digits is as small.
const number = is<number>(value => Number.isInteger(value) && Math.abs(value as number) <= 2_147_483_647)
const yesOrNo = is<boolean>(value => typeof value === 'boolean')
const words = is<string[]>(value => Array.isArray(value) && value.every(each => word(each)))

const allowed = {
  request_id: text(/^[0-9a-f-]{36}$/),
  method: text(/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/),
  /** The pattern of the route, never the path that a client typed. */
  route: text(/^(none|\/[\w/:.*-]{0,200})$/),
  status: number, ms: number, bytes: number, sent: number,
  /** Numbers of our own records. */
  id: number, agreement: number, delivery: number, signature: number, kyc_request: number, user: number, signer: number, worker: number,
  provider: word, channel: word, job: word, behaviour: word, ended: word,
  by: oneOf('otp', 'password'), fields: words, everywhere: yesOrNo,
  /** No address of a person's, but the network that it is in. */
  network: text(/^[\da-f.:]+\/(24|64)$/),
}
type Allowed = typeof allowed
export type Fields = { [N in keyof Allowed]?: (Allowed[N] extends (value: unknown) => value is infer T ? T : never) | null | undefined }

/** What the audit log tells of; each line has `audit` with one of these words. */
export type AuditEvent =
  | 'otp_requested' | 'signed_in' | 'sign_in_failed' | 'limit_reached' | 'signed_out' | 'profile_changed' | 'password_changed'
  | 'kyc_started' | 'kyc_succeeded' | 'kyc_failed'
  | 'signing_started' | 'signing_signed' | 'signing_declined' | 'signing_expired' | 'signing_cancelled' | 'agreement_active' | 'agreement_terminated' | 'agreement_withdrawn'
  | 'data_exported' | 'erasure_refused' | 'user_erased' | 'operations_used' | 'operations_refused' | 'webhook_forged'

type Write = { (message: string): void; (fields: Fields & { err?: unknown }, message: string): void }
export type Log = Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', Write> & {
  /** A line of the audit log: written whatever `LOG_LEVEL` is, unless it is `silent`. */
  audit: (event: AuditEvent, fields: Fields) => void
}

/** JSON lines on stdout; readable ones on a developer's terminal. */
export function createLog(level: string, readable: boolean, destination?: pino.DestinationStream): Log {
  const logger = pino(
    { level, base: null, mixin: () => ({ request_id: requestId.getStore() }), timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: label => ({ level: label }), log: onlyAllowed } },
    destination ?? (readable ? pretty({ translateTime: 'HH:MM:ss', ignore: 'request_id', singleLine: true, sync: true }) : pino.destination({ sync: true })),
  )
  const auditor = logger.child({}, { level: level === 'silent' ? 'silent' : 'info' })
  const write = (name: 'debug' | 'info' | 'warn' | 'error' | 'fatal'): Write => (first: string | object, message?: string) => typeof first === 'string' ? logger[name](first) : logger[name](first, message)
  return {
    debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error'), fatal: write('fatal'),
    audit: (event, fields) => auditor.info({ ...fields, audit: event }, 'audit'),
  }
}

/** The allowed fields alone; of an error what `told` tells. */
function onlyAllowed({ err, audit, ...given }: Record<string, unknown>) {
  const kept: Record<string, unknown> & { err?: Told } = {}
  if (word(audit)) kept.audit = audit
  for (const [name, value] of Object.entries(given)) if (Object.hasOwn(allowed, name) && allowed[name as keyof Allowed](value)) kept[name] = value
  if (err !== undefined) kept.err = told(err)
  return kept
}
