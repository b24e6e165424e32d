import { SonicBoom } from 'sonic-boom'
import { getRequestContext } from '../../db/deadlines'
import { serializeError, type SerializedError } from './safe-errors'

/** What may be logged, by name and by look; whatever else a line is given is left out. Texts that people type are never among it. */
const is = <T>(check: (value: unknown) => boolean) => check as (value: unknown) => value is T
const oneOf = <const T extends readonly string[]>(...words: T) =>
  is<T[number]>(value => words.includes(value as string))
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
  status: number,
  ms: number,
  bytes: number,
  sent: number,
  /** Numbers of our own records. */
  id: number,
  agreement: number,
  delivery: number,
  signature: number,
  kyc_request: number,
  user: number,
  signer: number,
  worker: number,
  provider: word,
  channel: word,
  job: word,
  behaviour: word,
  ended: word,
  by: oneOf('otp', 'password'),
  fields: words,
  everywhere: yesOrNo,
  /** No address of a person's, but the network that it is in. */
  network: text(/^[\da-f.:]+\/(24|64)$/),
}
type Allowed = typeof allowed
export type Fields = {
  [N in keyof Allowed]?:
    | (Allowed[N] extends ((value: unknown) => value is infer T) ? T : never)
    | null
    | undefined
}

/** What the audit log tells of; each line has `audit` with one of these words. */
export type AuditEvent =
  | 'otp_requested'
  | 'signed_in'
  | 'sign_in_failed'
  | 'limit_reached'
  | 'signed_out'
  | 'profile_changed'
  | 'password_changed'
  | 'kyc_started'
  | 'kyc_succeeded'
  | 'kyc_failed'
  | 'signing_started'
  | 'signing_signed'
  | 'signing_declined'
  | 'signing_expired'
  | 'signing_cancelled'
  | 'agreement_active'
  | 'agreement_terminated'
  | 'agreement_withdrawn'
  | 'data_exported'
  | 'erasure_refused'
  | 'user_erased'
  | 'operations_used'
  | 'operations_refused'
  | 'webhook_forged'

type Write = { (message: string): void; (fields: Fields & { err?: unknown }, message: string): void }
export type Log = Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', Write> & {
  /** A line of the audit log: written whatever `LOG_LEVEL` is, unless it is `silent`. */
  audit: (event: AuditEvent, fields: Fields) => void
}

const levels = ['debug', 'info', 'warn', 'error', 'fatal'] as const
type Level = (typeof levels)[number]

/**
 * JSON lines on stdout; readable ones on a developer's terminal. Every request has a line, which pino's own logger took
 * as long to make as a small read takes in all: of pino there is what writes, and what makes them readable.
 */
export function createLog(
  level: string,
  readable: boolean,
  destination: Destination = readable ? readably() : stdout(),
): Log {
  const least = level === 'silent' ? Infinity : levels.findIndex(each => each === level)
  const line = (level: Level, fields: Record<string, unknown>, msg?: string) => {
    const kept: Kept = { level, time: new Date().toISOString(), request_id: getRequestContext()?.id }
    keepAllowed(fields, kept)
    kept.msg = msg
    destination.write(`${JSON.stringify(kept)}\n`)
    if ('audit' in fields || (level !== 'info' && level !== 'debug')) destination.flush?.()
  }
  const [debug, info, warn, error, fatal] = levels.map(
    (name, rank): Write =>
      (first: string | Record<string, unknown>, message?: string) => {
        if (rank < least) return
        if (typeof first === 'string') line(name, {}, first)
        else line(name, first, message)
      },
  ) as [Write, Write, Write, Write, Write]
  return {
    debug,
    info,
    warn,
    error,
    fatal,
    audit: (event, fields) => void (least === Infinity || line('info', { ...fields, audit: event }, 'audit')),
  }
}

type Destination = { write: (line: string) => unknown; flush?: () => void }
let onStdout: Destination | undefined
/** How long a line may wait for others, and how many bytes a pipe that several processes write to takes in one piece. */
const WAIT_MS = 20
const PIECE = 4096
/** Writes lines that come soon one after another at once, since each write is a call of the system; `flush` is for those that must not be lost with the process. */
function stdout(): Destination {
  if (onStdout) return onStdout
  const written = new SonicBoom({ fd: 1, sync: true })
  let waiting = ''
  let isRead = true
  let timer: ReturnType<typeof setTimeout> | undefined
  written.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    isRead = false // whoever read it has gone; we go on
  })
  const flush = () => {
    const lines = waiting
    clearTimeout(timer)
    timer = undefined
    waiting = ''
    if (lines && isRead) written.write(lines)
  }
  process.on('exit', flush)
  return (onStdout = {
    write: line => {
      if (waiting.length + line.length > PIECE) flush()
      waiting += line
      timer ??= setTimeout(flush, WAIT_MS)
    },
    flush,
  })
}

/** Loaded on a terminal alone. */
const readably = () => {
  const pretty = import.meta.require('pino-pretty') as typeof import('pino-pretty')
  return pretty({ translateTime: 'HH:MM:ss', ignore: 'request_id', singleLine: true, sync: true })
}

type Kept = Record<string, unknown> & { err?: SerializedError }
/** The allowed fields alone; of an error what `told` tells. */
function keepAllowed(given: Record<string, unknown>, kept: Kept) {
  if (word(given.audit)) kept.audit = given.audit
  for (const name in given)
    if (Object.hasOwn(allowed, name) && allowed[name as keyof Allowed](given[name])) kept[name] = given[name]
  if (given.err !== undefined) kept.err = serializeError(given.err)
}
