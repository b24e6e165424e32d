import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { waitUntil } from '../support/round'
import { toArguments } from './shell'

export const CLI = join(import.meta.dir, '../../cli/index.ts')
const ENTER = '\r'
export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'
export const CLEAR_LINE = '\u0015'

type Options = {
  url: string
  home: string
  /** Runs this instead of the sources. */
  program?: string[]
  /** A shell's redirection, such as `< /dev/null`. */
  redirection?: string
}
const sources = [process.execPath, '--no-env-file', CLI]

/** A person who runs one command at a real terminal, reads the screen and types replies. */
export function runAsPerson(commandLine: string, options: Options) {
  const { url, home, program = sources, redirection = '' } = options
  let screen = ''
  const run = Bun.spawn(
    ['sh', '-c', `exec "$@" ${redirection}`, 'sh', ...program, ...toArguments(commandLine)],
    {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, KIRAYA_URL: url, TERM: 'xterm-256color' },
      terminal: {
        cols: 120,
        rows: 40,
        data: (_, bytes) => void (screen += new TextDecoder().decode(bytes)),
      },
    },
  )
  let seen = 0

  /** Waits for a text that was not read yet. */
  const read = async (text: string) => {
    const find = () => stripVTControlCharacters(screen).indexOf(text, seen)
    await waitUntil(() => find() >= 0, `"${text}" after ${screen}`)
    seen = find() + text.length
  }
  return {
    read,
    type: (keys: string) => void run.terminal!.write(keys),
    /** Waits for a question and replies. */
    reply: async (question: string, reply: string) => {
      await read(question)
      run.terminal!.write(reply + ENTER)
    },
    end: async () => {
      const exitCode = await run.exited
      return { exitCode, text: toText(screen) }
    },
  }
}

/** Leaves out how a terminal is controlled. */
const toText = (screen: string) => stripVTControlCharacters(screen).replaceAll('\r', '')
