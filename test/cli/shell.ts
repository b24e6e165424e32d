import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CancelledError } from '../../cli/runtime/errors'
import { runCli } from '../../cli/runtime/program'
import type { Question } from '../../cli/input/questions'
import { createTerminal, type Terminal } from '../../cli/runtime/terminal'
import { createStubServer } from '../sdk/stub-server'
import { freshPhone } from '../support/users'

export const OTP = '123456'

type RunOptions = { stdin?: string; env?: Record<string, string>; terminal?: Partial<Terminal> }
export type Shell = ReturnType<typeof createShell>

/** A shell in an empty home folder. Its commands run within this process. */
export function createShell(url: string) {
  const home = mkdtempSync(join(tmpdir(), 'kiraya-cli-'))

  /** Runs one command line, in which double quotes hold blanks together, without a terminal. */
  async function kiraya(commandLine: string, { stdin = '', env = {}, terminal }: RunOptions = {}) {
    const written = { out: '', err: '', screen: '' }
    const write = (stream: 'out' | 'err', text: string) => {
      written[stream] += text
      written.screen += text
    }
    const exitCode = await runInFolder(home, text => write('out', `${text}\n`), toArguments(commandLine), {
      ...createTerminal(),
      env: { PATH: process.env.PATH, HOME: home, KIRAYA_URL: url, ...env },
      isInteractive: false,
      isStdoutTty: false,
      isStderrTty: false,
      columns: 120,
      out: text => write('out', `${text}\n`),
      err: text => write('err', `${text}\n`),
      draw: text => write('err', text),
      ask: async ({ message }) => {
        throw new Error(`"${message}" is asked without a person`)
      },
      readAll: async () => stdin.replace(/\r?\n$/, ''),
      ...terminal,
    })
    return {
      exitCode,
      ...written,
      get data() {
        return JSON.parse(written.out)
      },
    }
  }

  /**
   * Runs a command at a terminal. Each question that is asked takes the next reply; an empty one accepts what is
   * proposed. Who has no reply left presses Ctrl+C. `screen` is what the person sees, `asked` what was asked.
   */
  async function ask(commandLine: string, replies: string[] = [], { terminal, ...options }: RunOptions = {}) {
    const [asked, mistakes]: [Question[], string[]] = [[], []]
    const left = [...replies]
    const reply = async (question: Question) => {
      asked.push(question)
      for (;;) {
        const typed = left.shift()
        if (typed === undefined) throw new CancelledError()
        const proposed = question.initial ?? question.choices?.[0] ?? ''
        const given = typed === '' ? proposed : typed.trim()
        const mistake = question.findMistake?.(given)
        if (!mistake) return given
        mistakes.push(mistake)
      }
    }
    const tty = { isInteractive: true, isStdoutTty: true, isStderrTty: true }
    const run = await kiraya(commandLine, { ...options, terminal: { ...tty, ask: reply, ...terminal } })
    const questions = asked.map(({ message }) => message)
    return Object.assign(run, { asked, questions, mistakes, unused: left })
  }

  /** Returns the data of a command, if it has any. Throws what it complains of. */
  async function getData(commandLine: string, options?: RunOptions) {
    const { exitCode, err, out } = await kiraya(commandLine, options)
    if (exitCode !== 0) throw new Error(`kiraya ${commandLine}\n${err}`)
    return out && JSON.parse(out)
  }

  return { home, kiraya, ask, getData, [Symbol.dispose]: () => rmSync(home, { recursive: true }) }
}

type Respond = Parameters<typeof createStubServer>[number]

/** Runs a command against a server that answers so, at a terminal if there are replies. */
export async function runAgainst(
  respond: Respond | Respond[],
  commandLine: string,
  { replies, ...options }: RunOptions & { replies?: string[] } = {},
) {
  using server = createStubServer(...[respond].flat())
  using shell = createShell(server.url)
  const run = replies
    ? await shell.ask(commandLine, replies, options)
    : await shell.kiraya(commandLine, options)
  const calls = server.requests.map(({ method, path }) => `${method} ${path}`)
  return Object.assign(run, { requests: server.requests, calls, home: shell.home })
}

/** A terminal that is no terminal, and the lines that are written to it. */
export function recordTerminal(changes: Partial<Terminal> = {}) {
  const told: string[] = []
  const tell = (text: string) => void told.push(text)
  const none = { env: {}, isInteractive: false, isStdoutTty: false, isStderrTty: false }
  const terminal = { ...createTerminal(), ...none, out: tell, err: tell, draw: tell, ...changes }
  return { terminal, told }
}

const root = process.cwd()
let runsUnderWay = 0

/** Files are named from the home folder, and the library of completions prints by itself. */
async function runInFolder(
  folder: string,
  print: (text: string) => void,
  args: string[],
  terminal: Terminal,
) {
  const { log } = console
  runsUnderWay++
  process.chdir(folder)
  if (args[0]?.startsWith('complet')) console.log = print
  try {
    return await runCli(args, terminal)
  } finally {
    console.log = log
    if (--runsUnderWay === 0) process.chdir(root)
  }
}

export const toArguments = (commandLine: string) =>
  Array.from(commandLine.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word)

/** A shell in which a landlord has signed in and finished the onboarding. */
export async function createLandlordShell(url: string) {
  const shell = createShell(url)
  const phone = freshPhone()
  await shell.getData(
    `onboard --phone ${phone} --otp ${OTP} --first-name Asha --last-name Rao --email asha@example.com`,
  )
  return { ...shell, phone }
}
