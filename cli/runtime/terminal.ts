import { text } from 'node:stream/consumers'
import { askAtTerminal } from '../input/questions'

const DEFAULT_COLUMNS = 80

/** The terminal and the environment that a command runs in. */
export type Terminal = ReturnType<typeof createTerminal>

export const createTerminal = () => ({
  env: process.env as Record<string, string | undefined>,
  /** Whether a person sees questions and can answer them. */
  isInteractive: [process.stdin, process.stdout, process.stderr].every(stream => stream.isTTY),
  /** Whether stdout is a terminal, rather than a pipe or a file. */
  isStdoutTty: Boolean(process.stdout.isTTY),
  /** Whether stderr is a terminal, on which progress shows. */
  isStderrTty: Boolean(process.stderr.isTTY),
  /** Width of the terminal in characters. */
  columns: process.stdout.columns || DEFAULT_COLUMNS,
  /** Writes a line to stdout. */
  out: (text: string): void => void process.stdout.write(`${text}\n`),
  /** Writes bytes to stdout, for another program. */
  write: (bytes: Uint8Array): void => void process.stdout.write(bytes),
  /** Writes a line to stderr. */
  err: (text: string): void => void process.stderr.write(`${text}\n`),
  /** Writes to stderr without a line break. */
  draw: (text: string): void => void process.stderr.write(text),
  /** Asks until there is a valid reply. Throws a `CancelledError` if the person leaves. */
  ask: askAtTerminal,
  /** Reads stdin to its end, without the last line break. */
  readAll: async () => {
    const all = await text(process.stdin)
    return all.replace(/\r?\n$/, '')
  },
})
