import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Why something failed, in words of our own, which may be logged: nothing that a person typed or a provider answered is in them. */
export class LoggableError extends Error {}

/** What may be told of an error: where it came from and its codes, and words only where they are ours. Messages of databases, parsers and providers quote what they were given. */
export type SerializedError = {
  type: string
  code?: string
  constraint?: string
  table?: string
  column?: string
  message?: string
  at?: string[]
  cause?: SerializedError
}

const root = resolve(import.meta.dir, '../..')
const NAME = /^(?!.*\d{6})\w{1,80}$/
const DEEPEST = 6
const FRAMES = 12

export function serializeError(error: unknown, levels = DEEPEST): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error }
  const given = error as Error & Record<'code' | 'constraint' | 'table' | 'column' | 'status', unknown>
  const named = (value: unknown) => (typeof value === 'string' && NAME.test(value) ? value : undefined)
  const cause = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
  const at = framesOf(error)
  return JSON.parse(
    JSON.stringify({
      type: named(error.constructor.name) ?? 'Error',
      code: named(given.code),
      constraint: named(given.constraint),
      table: named(given.table),
      column: named(given.column),
      message: isOurs(error) ? masked(error.message) : undefined,
      at: at.length ? at : undefined,
      cause: cause !== undefined && levels > 1 ? serializeError(cause, levels - 1) : undefined,
    }),
  )
}

/** The same in one line, for what is no log and is read by operators. */
export function toErrorText(error: unknown) {
  const words: string[] = []
  for (let at: SerializedError | undefined = serializeError(error); at; at = at.cause)
    words.push(at.message ?? [at.type, at.code, at.constraint].filter(Boolean).join(' '))
  return words
    .filter((word, index) => word !== words[index - 1])
    .join(': ')
    .slice(0, 1000)
}

/** A fault that clients are told of names their own input, so only those of our side count. */
const isOurs = (error: Error) =>
  error instanceof LoggableError &&
  !('status' in error && typeof error.status === 'number' && error.status < 500 && 'details' in error)

/** Digits that could be a one-time password, a phone number or an identity number, as a provider's ids may be. */
const masked = (text: string) => text.replace(/(?<![\w-])\d{6,}(?![\w-])/g, '…')

/** Files and lines of ours. Only what names an existing file is a frame: a message can look like one. */
const framesOf = ({ stack = '' }: Error) =>
  [...stack.matchAll(/^\s+at .*?\(?([^\s()]+):(\d+):(\d+)\)?$/gm)]
    .map(([, file = '', line, column]) => ({
      file: file.startsWith(`${root}/`) ? file.slice(root.length + 1) : '',
      place: `${line}:${column}`,
    }))
    .filter(
      ({ file, place }) =>
        /^(server|db)\/[\w./-]+\.ts$/.test(file) && place.length < 15 && existsSync(`${root}/${file}`),
    )
    .map(({ file, place }) => `${file}:${place}`)
    .filter((frame, index, all) => all.indexOf(frame) === index)
    .slice(0, FRAMES)
