import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scripts } from '../../package.json'
import { ask, requestOf } from './load'

export const root = join(import.meta.dir, '../..')
const taskset = Bun.which('taskset')
const cores = navigator.hardwareConcurrency
/** Servers have the first core to themselves where cores can be given out; PostgreSQL and the load share the second. */
export const isPinned = !!taskset && cores > 1
const TICKS_PER_SECOND = Number(Bun.spawnSync(['getconf', 'CLK_TCK']).stdout.toString()) || 100

const moveTo = (which: string) =>
  void (isPinned && Bun.spawnSync([taskset!, '-a', '-c', '-p', which, String(process.pid)]))
/** Moves this process, and with it the PostgreSQL that it will start, off the servers' core. */
export const stepAside = () => moveTo('1')
/** Gives this process, and what it starts from now on, every core again. */
export const stepBack = () => moveTo(`0-${cores - 1}`)

export type Server = {
  name: string
  port: number
  cpuS: () => number
  memory: () => { nowMb: number; peakMb: number }
  end: () => Promise<void>
}
export const freePort = () => {
  const listener = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = listener
  void listener.stop(true)
  return port!
}
const plain = { PATH: process.env.PATH, HOME: process.env.HOME, TZ: 'UTC' }

/** A server as a process of its own, up and ready; it is ended by its own pid. What it logs goes into a file, as in production. */
export async function startServer(
  name: string,
  program: string[],
  env: Record<string, string>,
  log: string,
  { port = freePort(), hasCore = isPinned } = {},
): Promise<Server> {
  const command = [process.execPath, ...program]
  const child = Bun.spawn(hasCore ? [taskset!, '-c', '0', ...command] : command, {
    cwd: root,
    env: { ...plain, PORT: String(port), ...env },
    stdin: 'ignore',
    stdout: Bun.file(log),
    stderr: Bun.file(`${log}.errors`),
  })
  const read = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  const megabytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read('status'))![1]) / 1024
  await ready(port, () => child.exitCode === null).catch(async error => {
    child.kill()
    throw new Error(`${name} does not start: ${await Bun.file(`${log}.errors`).text()}`, { cause: error })
  })
  return {
    name,
    port,
    cpuS: () => cpuOf(child.pid),
    memory: () => ({ nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') }),
    end: async () => {
      child.kill()
      await child.exited
    },
  }
}

/** User and system time of all threads, in ticks; the program's name may hold anything. */
export function cpuTicksIn(stat: string) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Seconds of processor time of processes that live, and of all that they have begun. */
export function cpuOf(...pids: number[]) {
  const stats = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return [{ pid: Number(pid), stat: readFileSync(`/proc/${pid}/stat`, 'utf8') }]
      } catch {
        return [] // it has ended meanwhile
      }
    })
    .map(({ pid, stat }) => ({
      pid,
      parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]),
      ticks: cpuTicksIn(stat),
    }))
  const family = new Set(pids)
  for (let size = 0; size < family.size;) {
    size = family.size
    for (const { pid, parent } of stats) if (family.has(parent)) family.add(pid)
  }
  return (
    stats.filter(({ pid }) => family.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND
  )
}

/** Returns when the server says that it is ready. */
export async function ready(port: number, lives: () => boolean, pollMs = 20) {
  for (let tries = 0; tries < 3000 && lives(); tries++) {
    const answer = await ask(port, requestOf('GET', '/health/ready')).catch(() => undefined)
    if (answer?.status === 200) return
    await Bun.sleep(pollMs)
  }
  throw new Error('It ended, or did not become ready in time')
}

/** What `bun start` asks of the runtime; the floor runs by the same. */
export const runtime = Object.fromEntries(
  [...scripts.start.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
)

/** The settings of production, as far as it can be without providers: the sandbox takes their place, and limits do not stand in the way. */
export const settingsOf = (databaseUrl: string, dataDir: string, secrets: Record<string, string>) => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://kiraya.example.com',
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  TRUSTED_PROXIES: '1',
  RUN_JOBS: 'false',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
  ALLOW_SANDBOX: 'true',
  SANDBOX_TOKEN: 'the token of the benchmark',
  ...runtime,
  ...secrets,
  ...Object.fromEntries(
    [
      'OTP_LIMIT_PER_NETWORK',
      'OTP_LIMIT_PER_PHONE',
      'OTP_LIMIT_PER_ADDRESS',
      'LOGIN_LIMIT_PER_NETWORK',
      'LOGIN_LIMIT_PER_PHONE',
      'TENANT_LIMIT_PER_LANDLORD',
    ].map(name => [name, '1000000']),
  ),
})
