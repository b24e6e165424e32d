import { SQL } from 'bun'
import { DriverException } from '@mikro-orm/core'
import { DatabaseTimeout } from './deadlines'

/** PostgreSQL's code for a value with U+0000 in it, which no text can hold. */
const UNTRANSLATABLE_CHARACTER = '22021'

/** The server is a standby: either it was the primary before, or it is not yet. */
export const READ_ONLY = '25006'

/** Connection refused, lost or timed out; server starts or stops; too many clients; deadlock; no primary. */
const UNAVAILABLE =
  /^(ECONN|ENOENT|ENOTFOUND|EPIPE|ETIMEDOUT|EAGAIN|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08|57P|57014|53|40|25006|ERR_POSTGRES_(CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT|QUERY_CANCELLED))/

/**
 * Gives an error of Bun.SQL the SQLSTATE as its `code`, where MikroORM and pg have it.
 * Bun's own `code` says no more than that the server answered with an error.
 */
export function setSqlState(error: unknown) {
  if (error instanceof SQL.PostgresError && error.errno) Object.assign(error, { code: error.errno })
  return error
}

/** Writes the stack of who awaits it into a database error, whose own ends at the socket. */
export function addCallerStack(error: unknown) {
  const isFromDatabase =
    error instanceof SQL.PostgresError || error instanceof DriverException || error instanceof DatabaseTimeout
  if (isFromDatabase) Error.captureStackTrace(error)
  return error
}

/** Creates PostgreSQL's error for a parameter with U+0000; in a statement that is a protocol violation. */
export function createNulCharacterError() {
  return Object.assign(new Error('A text contains the character U+0000'), { code: UNTRANSLATABLE_CHARACTER })
}

/** Returns the SQLSTATE of an error, or the code of a failed connection, however deep it is wrapped. */
export const getSqlState = (error: unknown) => findText(error, 'code')

/** Finds a text among the fields of an error, or of one that it wraps. */
function findText(error: unknown, name: 'code' | 'constraint'): string | undefined {
  if (!(error instanceof Error)) return undefined
  const value: unknown = (error as Error & Record<typeof name, unknown>)[name]
  return typeof value === 'string' ? value : findText(error.cause, name)
}

/** Whether the database refuses what it was given, as it does by the SQLSTATE classes 22 and 23. */
export function isRefusedByDatabase(error: unknown) {
  return /^2[23]/.test(getSqlState(error) ?? '')
}

const UNIQUE_VIOLATION = '23505'

/** Returns the name of the unique index that an error violates, however deep it is wrapped. */
export function getViolatedIndex(error: unknown): string | undefined {
  return getSqlState(error) === UNIQUE_VIOLATION ? findText(error, 'constraint') : undefined
}

const NO_CONNECTION =
  /Connection terminated|timeout exceeded when trying to connect|driver has already been destroyed/

/** Whether the database cannot be reached, asks to be tried again, or was closed by a server that stops. */
export function isDatabaseUnavailable(error: unknown) {
  const code = getSqlState(error)
  if (code !== undefined && UNAVAILABLE.test(code)) return true
  return error instanceof Error && NO_CONNECTION.test(error.message)
}
