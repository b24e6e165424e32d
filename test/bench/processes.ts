import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scripts } from '../../package.json'
import type { Constants } from '../../server/settings/constants'
import { freePort, readProcesses } from '../support/process'
import { OTP_LIMIT_TOTAL, wideLimits } from '../support/wide-limits'
import { createRequest, sendRaw } from './load'

export const root = join(import.meta.dir, '../..')

const taskset = Bun.which('taskset')
const cores = navigator.hardwareConcurrency
const TICKS_PER_SECOND = Number(Bun.spawnSync(['getconf', 'CLK_TCK']).stdout.toString()) || 100
const MAX_READINESS_CHECKS = 3000

/** Whether servers have the first core to themselves; PostgreSQL and the load share the second one. */
export const isPinned = !!taskset && cores > 1

function pinThisProcess(coreList: string) {
  if (isPinned) Bun.spawnSync([taskset!, '-a', '-c', '-p', coreList, String(process.pid)])
}

/** Moves this process, and the PostgreSQL that it starts, off the servers' core. */
export const leaveServerCore = () => pinThisProcess('1')

/** Gives this process, and those that it starts from now on, every core again. */
export const useAllCores = () => pinThisProcess(`0-${cores - 1}`)

export type Server = {
  name: string
  port: number
  getCpuS: () => number
  getMemory: () => { nowMb: number; peakMb: number }
  end: () => Promise<void>
}

export const findFreePort = () => Number(freePort())

type Program = { name: string; command: string[]; env: Record<string, string>; log: string }

/** Starts a server as a process of its own and waits until it is ready. It logs to a file, as in production. */
export async function startServer({ name, command, env, log }: Program): Promise<Server> {
  const port = findFreePort()
  const bun = [process.execPath, ...command]
  const child = Bun.spawn(isPinned ? [taskset!, '-c', '0', ...bun] : bun, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TZ: 'UTC', PORT: String(port), ...env },
    stdin: 'ignore',
    stdout: Bun.file(log),
    stderr: Bun.file(`${log}.errors`),
  })
  try {
    await waitUntilReady(port, () => child.exitCode === null)
  } catch (error) {
    child.kill()
    throw new Error(`${name} does not start: ${await Bun.file(`${log}.errors`).text()}`, { cause: error })
  }
  return {
    name,
    port,
    getCpuS: () => getCpuS(child.pid),
    getMemory: () => getMemory(child.pid),
    end: async () => {
      child.kill()
      await child.exited
    },
  }
}

function getMemory(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const getMb = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / 1024
  return { nowMb: getMb('VmRSS'), peakMb: getMb('VmHWM') }
}

/** The CPU seconds of a running process and all its descendants. */
function getCpuS(serverPid: number) {
  const stats = readProcesses()
  const family = new Set([serverPid])
  let size = 0
  while (size < family.size) {
    size = family.size
    for (const { pid, parent } of stats) if (family.has(parent)) family.add(pid)
  }
  const members = stats.filter(({ pid }) => family.has(pid))
  return members.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND
}

export async function waitUntilReady(port: number, isRunning: () => boolean, pollMs = 20) {
  for (let tries = 0; tries < MAX_READINESS_CHECKS && isRunning(); tries++) {
    const response = await sendRaw(port, createRequest('GET', '/health/ready')).catch(() => undefined)
    if (response?.status === 200) return
    await Bun.sleep(pollMs)
  }
  throw new Error('The server ended, or was not ready in time')
}

/** The runtime settings of `bun start`; the floor runs with them too. */
export const runtimeEnv = Object.fromEntries(
  [...scripts.start.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
)

/** The server with the constants of `getServerEnv`. */
export const SERVER = ['test/support/serve.ts']

const constants: Partial<Constants> = {
  DOCUMENT_CHECK: false,
  ...wideLimits,
}

/** Production's settings, with the sandbox for the providers, and with rate limits that no run meets. */
export const getServerEnv = (databaseUrl: string, dataDir: string, secrets: Record<string, string>) => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://kiraya.example.com',
  CREDENTIALS_KEY: 'p0Jd8sVq3nXtLr5wYk2ZbHf7mCg9uEa1TiOxNvQyRzE=',
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  TRUSTED_PROXIES: '1',
  RUN_JOBS: 'false',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
  ALLOW_SANDBOX: 'true',
  DISCLOSE_ACCOUNTS: 'full',
  OTP_LIMIT_TOTAL,
  PARTIES: 'any',
  SANDBOX_TOKEN: 'Zk3vQ8mXr5TbN1wLp7HsYd9GcJ2fUe6A',
  CONSTANTS: JSON.stringify(constants),
  ...runtimeEnv,
  ...secrets,
})
