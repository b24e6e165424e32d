import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Constants } from '../../server/settings/constants'

const root = join(import.meta.dir, '../..')

/** Finds a free port, for a server that starts on it more than once. */
export const freePort = () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  void server.stop(true)
  return String(port)
}

export const serverSettings = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info',
  JWT_SECRET: 'a secret that only this test knows of more than 32 bytes',
  ESIGN_WEBHOOK_SECRET: 'another secret that only this test knows and as long',
}

/** Bun with these arguments; `log` is all that it writes, and `listening` ends with a server's greeting, or with it. */
export function startProgram(args: string[], env: Record<string, string>, cwd = root) {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let log = ''
  const listening = Promise.withResolvers<void>()
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      log = (log + chunk).slice(-5_000_000)
      if (/Kiraya listens on/.test(log)) listening.resolve()
    }
  }
  const reading = Promise.all([read(child.stdout), read(child.stderr)]).then(() => listening.resolve())
  return {
    child,
    listening: listening.promise,
    log: () => log,
    /** Waits for its end, which a signal may hasten; returns the exit code. */
    end: async (signal?: NodeJS.Signals) => {
      if (signal) child.kill(signal)
      await child.exited
      await reading
      return child.exitCode
    },
  }
}

/** The server as a process of its own; `listening` is when it has greeted, which it does once its database is there. */
export const serverProcess = (env: Record<string, string>, constants: Partial<Constants> = {}) =>
  startProgram(['test/support/serve.ts'], {
    ...serverSettings,
    ...env,
    CONSTANTS: JSON.stringify(constants),
  })
export type ServerProcess = ReturnType<typeof serverProcess>

/** Reads the port from a server's greeting. With PORT 0 the system chooses it, so no other program can take it first. */
export function getPort({ log }: Pick<ServerProcess, 'log'>) {
  const greeting = /Kiraya listens on http:\/\/[\w.]+:(\d+)/.exec(log())
  if (!greeting) throw new Error(`The server did not start: ${log()}`)
  return greeting[1]!
}

type ProcessStat = { pid: number; parent: number; ticks: number }

/** Lists the processes of this machine, with their parents and the CPU time that they have taken. */
export const readProcesses = () =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readStat(Number(name)))

function readStat(pid: number): ProcessStat[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [{ pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }]
  } catch {
    return [] // it has ended meanwhile
  }
}
