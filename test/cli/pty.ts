import { join } from 'node:path'
import type { Shell } from './shell'

const CLI = join(import.meta.dir, '../../cli/index.ts')
const OUTPUT = 'output.txt'

/** What a person answers to a question, which the output ends in. */
type Reply = [question: string, reply: string]
type PtyOptions = {
  replies?: Reply[]
  env?: Record<string, string>
  /** A shell's redirection, such as `< /dev/null`; the output can go to the file `output.txt`. */
  redirection?: string
}

/**
 * Runs one command line in a real terminal. `screen` is what a person sees, questions and replies included,
 * and `file` what a redirection wrote.
 */
export async function runInPty(
  { home }: Pick<Shell, 'home'>,
  url: string,
  commandLine: string,
  { replies = [], env = {}, redirection = '' }: PtyOptions = {},
) {
  const decoder = new TextDecoder()
  const waiting = [...replies]
  let received = ''
  let answeredAt = 0
  const run = Bun.spawn(['sh', '-c', `exec "$BUN" --no-env-file "$CLI" ${commandLine} ${redirection}`], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, KIRAYA_URL: url, BUN: process.execPath, CLI, ...env },
    terminal: {
      cols: 80,
      rows: 24,
      data: (pty, bytes) => {
        received += decoder.decode(bytes, { stream: true })
        const [next] = waiting
        if (!next || !toScreen(received.slice(answeredAt)).endsWith(next[0])) return
        waiting.shift()
        answeredAt = received.length
        pty.write(`${next[1]}\r`)
      },
    },
  })
  const exitCode = await run.exited
  const file = Bun.file(join(home, OUTPUT))
  return {
    exitCode,
    received,
    screen: toScreen(received),
    file: (await file.exists()) ? await file.text() : '',
    unasked: waiting.map(([question]) => question),
  }
}

/** Leaves out how a terminal is controlled: the line editor moves the cursor. */
const toScreen = (received: string) => Bun.stripANSI(received).replaceAll('\r', '')
