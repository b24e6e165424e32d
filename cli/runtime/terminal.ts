import { text } from 'node:stream/consumers'
import { askAtTerminal, type Question } from '../input/questions'

const DEFAULT_COLUMNS = 80

/** The terminal and the environment that a command runs in. */
export type Terminal = {
  env: Record<string, string | undefined>
  /** Whether a person sees questions and can answer them. */
  isInteractive: boolean
  /** Whether stdout is a terminal, rather than a pipe or a file. */
  isStdoutTty: boolean
  /** Whether stderr is a terminal, on which progress shows. */
  isStderrTty: boolean
  /** Width of the terminal in characters. */
  columns: number
  /** Writes a line to stdout. */
  out: (text: string) => void
  /** Writes a line to stderr. */
  err: (text: string) => void
  /** Writes to stderr without a line break. */
  draw: (text: string) => void
  /** Asks until there is a valid reply. Throws a `CancelledError` if the person leaves. */
  ask: (question: Question) => Promise<string>
  /** Reads stdin to its end, without the last line break. */
  readAll: () => Promise<string>
}

export const createTerminal = (): Terminal => ({
  env: process.env,
  isInteractive: [process.stdin, process.stdout, process.stderr].every(stream => stream.isTTY),
  isStdoutTty: Boolean(process.stdout.isTTY),
  isStderrTty: Boolean(process.stderr.isTTY),
  columns: process.stdout.columns || DEFAULT_COLUMNS,
  out: text => void process.stdout.write(`${text}\n`),
  err: text => void process.stderr.write(`${text}\n`),
  draw: text => void process.stderr.write(text),
  ask: askAtTerminal,
  readAll: async () => {
    const all = await text(process.stdin)
    return all.replace(/\r?\n$/, '')
  },
})
