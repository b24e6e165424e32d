import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCli } from '../../../cli/program'
import { createTerminal, type Terminal } from '../../../cli/terminal'
import { toArguments } from '../shell'

export type Year = ReturnType<typeof createYear>

const OTP = '123456'

/** Runs command lines within this process, which is faster than a program for each of some hundred. */
export function createYear(url: string) {
  const home = mkdtempSync(join(tmpdir(), 'kiraya-year-'))

  async function run(commandLine: string, changes: Partial<Terminal> = {}) {
    const [out, err]: [string[], string[]] = [[], []]
    const terminal: Terminal = {
      ...createTerminal(),
      env: { HOME: home, KIRAYA_URL: url },
      isInteractive: false,
      isStdoutTty: false,
      isStderrTty: false,
      out: text => void out.push(text),
      err: text => void err.push(text),
      ...changes,
    }
    const exitCode = await runCli(toArguments(commandLine), terminal)
    return { exitCode, out: out.join('\n'), err: err.join('\n') }
  }

  /** Returns what a command prints. Throws what it complains of. */
  async function kiraya(commandLine: string) {
    const { exitCode, out, err } = await run(commandLine)
    if (exitCode !== 0) throw new Error(`kiraya ${commandLine}\n${err}`)
    return JSON.parse(out)
  }

  /** A session ends after a week, so everybody signs in when the clock has moved. */
  const signIn = (profile: string, phone: string) =>
    run(`login --profile ${profile} --phone ${phone} --otp ${OTP}`)

  return {
    home,
    kiraya,
    signIn,
    /** Returns what a person sees at a terminal. */
    show: (commandLine: string) => run(commandLine, { isStdoutTty: true, columns: 140 }),
    [Symbol.dispose]: () => rmSync(home, { recursive: true }),
  }
}
