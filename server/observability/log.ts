import { pino } from 'pino'
import { getRequestContext } from '../../db/deadlines'
import { pickAllowedFields, type LogFields } from './log-fields'
import { serializeError } from './safe-errors'

export type { LogFields }

/** What the audit log records; each of its lines has one of these words as `audit`. */
export type AuditEvent =
  | 'otp_requested'
  | 'signed_in'
  | 'sign_in_failed'
  | 'session_renewed'
  | 'limit_reached'
  | 'signed_out'
  | 'profile_changed'
  | 'password_changed'
  | 'password_refused'
  | 'kyc_started'
  | 'kyc_succeeded'
  | 'kyc_failed'
  | 'signing_started'
  | 'signing_signed'
  | 'signing_declined'
  | 'signing_expired'
  | 'signing_cancelled'
  | 'agreement_active'
  | 'agreement_recorded'
  | 'agreement_reinstated'
  | 'agreement_terminated'
  | 'agreement_withdrawn'
  | 'data_exported'
  | 'erasure_refused'
  | 'user_erased'
  | 'landlord_invited'
  | 'invitation_cancelled'
  | 'operations_used'
  | 'operations_refused'
  | 'webhook_forged'

type Line = [message: string] | [fields: LogFields & { err?: unknown }, message: string]
type Write = (...line: Line) => void

export type Log = Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', Write> & {
  /** Writes a line of the audit log, whatever `LOG_LEVEL` is, unless it is `silent`. */
  audit: (event: AuditEvent, fields: LogFields) => void
}

type Destination = { write: (line: string) => unknown; flush?: () => unknown }

/** Linux writes this much to a pipe in one piece, so that the lines of several processes do not mix. */
const MAX_WRITE_BYTES = 4096
/** Lines that may wait for others, since each write is a system call; one write takes them all. */
const BUFFERED_BYTES = MAX_WRITE_BYTES - 1
const MAX_WAIT_MS = 20

/** Writes JSON lines to stdout, or readable ones to a developer's terminal. */
export function createLog(
  level: string,
  isReadable: boolean,
  destination: Destination = isReadable ? createReadableStream() : getStdout(),
): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }), log: toLoggedFields },
      serializers: { err: error => serializeError(error) },
    },
    destination,
  )
  const auditLogger = logger.child({}, { level: level === 'silent' ? 'silent' : 'info' })
  // Writes at once; `flushSync` would also wait for the disk, while every request waits.
  const flush = () => destination.flush?.()

  /** A line that explains a crash must not be lost with the process. */
  const flushed = (write: Write): Write => {
    return (...line) => {
      write(...line)
      flush()
    }
  }
  return {
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: flushed(logger.warn.bind(logger)),
    error: flushed(logger.error.bind(logger)),
    fatal: flushed(logger.fatal.bind(logger)),
    audit: (event, fields) => {
      auditLogger.info({ ...fields, audit: event }, 'audit')
      flush()
    },
  }
}

/** Adds the id of the request that the line is about. */
function toLoggedFields(fields: Record<string, unknown>) {
  return pickAllowedFields({ request_id: getRequestContext()?.id, ...fields })
}

let stdout: Destination | undefined

function getStdout() {
  if (stdout) return stdout
  const stream = pino.destination({
    dest: 1,
    sync: true,
    minLength: BUFFERED_BYTES,
    maxWrite: MAX_WRITE_BYTES,
    periodicFlush: MAX_WAIT_MS,
  })
  // A log that cannot be written, on a full disk or without a reader, does not stop the server, nor pile up.
  let isWritable = true
  stream.on('error', () => (isWritable = false))
  // `flushSync` would try for ever. One flush writes all, since what waits for it is less than one write takes.
  process.on('exit', () => stream.flush())
  stdout = { write: line => isWritable && stream.write(line), flush: () => stream.flush() }
  return stdout
}

/** Loaded only on a terminal. */
function createReadableStream() {
  const pretty: typeof import('pino-pretty') = require('pino-pretty')
  return pretty({ translateTime: 'HH:MM:ss', singleLine: true, sync: true })
}
