import { afterAll, describe, expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import type { Constants } from '../../../../server/settings/constants'
import { freshDatabase } from '../../../support/database'
import { sendRequest } from '../../../support/users'
import { freePort, getPort, serverProcess, type ServerProcess } from '../../../support/process'
import { waitUntil } from '../../../support/round'

const OPS_TOKEN = 'a token for those who run it'
const WORKERS = 3
const started: ServerProcess[] = []
const databases: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL')
  await Promise.all(started.map(({ child }) => child.exited))
  for (const drop of databases) await drop()
})

async function startWorkers(env: Record<string, string> = {}, constants: Partial<Constants> = {}) {
  const database = await freshDatabase()
  const settings = {
    PORT: '0',
    WORKERS: String(WORKERS),
    RUN_JOBS: 'false',
    OPS_TOKEN,
    DATABASE_URL: database.url,
    DATABASE_TIMEOUT_MS: '10000',
  }
  const server = serverProcess({ ...settings, ...env }, constants)
  started.push(server)
  databases.push(database.drop)
  await server.listening
  return { ...server, database, url: `http://127.0.0.1:${getPort(server)}` }
}
/** Returns the ids of the server's child processes, sorted. */
async function findWorkers({ child }: ServerProcess) {
  const stats = (await readdir('/proc'))
    .filter(name => /^\d+$/.test(name))
    .map(async pid =>
      (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).match(/^(\d+) .*\) (\S) (\d+) /),
    )
  return (await Promise.all(stats))
    .filter(found => found && found[2] !== 'Z' && Number(found[3]) === child.pid)
    .map(found => Number(found![1]))
    .toSorted((a, b) => a - b)
}
/** Requests /health/live, or another check, on a new connection; returns the status, or 0 on failure. */
async function checkLiveness(url: string, timeoutMs = 10_000, check = 'live') {
  const request = fetch(`${url}/health/${check}`, {
    headers: { connection: 'close' },
    keepalive: false,
    signal: AbortSignal.timeout(timeoutMs),
  })
  return request.then(
    ({ status }) => status,
    () => 0,
  )
}
function checkLivenessOften(url: string, timeoutMs?: number) {
  return Promise.all(Array.from({ length: 60 }, () => checkLiveness(url, timeoutMs)))
}
const waitFor = (isTrue: () => Promise<boolean>) => waitUntil(isTrue, 'the expected state')
async function loadMetrics(url: string) {
  return (await sendRequest(url, 'GET', '/metrics', { token: OPS_TOKEN })).body as string
}
function findMetric(text: string, name: string) {
  const line = text.split('\n').find(each => each.startsWith(`${name} `))
  return Number(line?.split(' ')[1])
}

async function expectSharedMetrics(url: string) {
  const text = await loadMetrics(url)
  expect([
    findMetric(text, 'kiraya_http_request_seconds_count{method="GET",route="/health/live",status="200"}'),
    findMetric(text, 'kiraya_processes'),
    findMetric(text, 'kiraya_backlog_items{queue="webhooks"}'),
  ]).toEqual([60, WORKERS, 0])
  const types = text.match(/^# TYPE \S+/gm)
  expect(types?.length).toBe(new Set(types).size)
  const scrapes = await Promise.all(Array.from({ length: 4 * WORKERS }, () => loadMetrics(url)))
  expect(scrapes.map(scrape => findMetric(scrape, 'kiraya_processes'))).toEqual(scrapes.map(() => WORKERS))
}
/** Suspends the other workers, so that only this one can respond. */
async function expectReachable(url: string, worker: number, workers: number[]) {
  const others = workers.filter(pid => pid !== worker)
  for (const pid of others) process.kill(pid, 'SIGSTOP')
  try {
    const statuses = await checkLivenessOften(url, 1500)
    expect(statuses.filter(status => status === 200).length).toBeGreaterThan(0)
  } finally {
    for (const pid of others) process.kill(pid, 'SIGCONT')
  }
}

/** Whether each worker runs the jobs, in the order in which they were started. */
async function listJobRunners(workers: number[]) {
  const environments = workers.map(pid => readFile(`/proc/${pid}/environ`, 'utf8'))
  return (await Promise.all(environments)).map(text => /(?:^|\0)RUN_JOBS=(\w+)/.exec(text)?.[1])
}
/** The milliseconds after which each exited worker was restarted. */
const listBackoffs = (log: string) =>
  log
    .split('\n')
    .filter(line => line.includes('A worker exited'))
    .map(line => JSON.parse(line).ms)

async function isRunning(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat !== undefined && !/\) Z /.test(stat)
}
async function startOnPort(PORT: string, DATABASE_URL: string) {
  const server = serverProcess({ PORT, WORKERS: '2', DATABASE_URL })
  return [await server.end(), server.log()]
}

describe.skipIf(process.platform !== 'linux')('several workers', () => {
  test('every worker receives requests on the shared port, and metrics cover all workers', async () => {
    const server = await startWorkers()
    const workers = await findWorkers(server)
    expect(workers).toHaveLength(WORKERS)
    expect(await listJobRunners(workers)).toEqual(['false', 'false', 'false'])
    expect(await checkLivenessOften(server.url)).toEqual(Array.from({ length: 60 }, () => 200))
    for (let round = 0; round < 5; round++) await expectSharedMetrics(server.url)
    for (const worker of workers) await expectReachable(server.url, worker, workers)
    expect(await server.end('SIGTERM')).toBe(0)
    expect(await findWorkers(server)).toEqual([])
  }, 60_000)

  test('429: every worker counts with the constants that its entry was given', async () => {
    const server = await startWorkers({}, { SIGN_IN_LIMIT: 1 })
    const body = { phone_number: '9876543210' }
    const attempts = Array.from({ length: 30 }, () =>
      sendRequest(server.url, 'POST', '/auth/send-otp', { body }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    // With the sandbox, limits are twenty times as high.
    expect(statuses.filter(status => status === 200)).toHaveLength(20)
    expect(await server.end('SIGTERM')).toBe(0)
  }, 60_000)

  test('a killed worker is replaced, and the others serve all requests meanwhile', async () => {
    const server = await startWorkers()
    const [killed, ...left] = await findWorkers(server)
    process.kill(killed!, 'SIGKILL')
    // The listener of the killed worker is closed by then, so no request can be lost with it.
    await waitFor(async () => server.log().includes('A worker exited'))
    const statuses: number[] = []
    await waitFor(async () => {
      statuses.push(await checkLiveness(server.url))
      const isReplaced = (await findWorkers(server)).length === WORKERS
      return isReplaced && findMetric(await loadMetrics(server.url), 'kiraya_processes') === WORKERS
    })
    expect(statuses.filter(status => status !== 200)).toEqual([])
    const workers = await findWorkers(server)
    expect(workers).toEqual(expect.arrayContaining(left))

    process.kill(
      workers.find(pid => !left.includes(pid))!,
      'SIGKILL',
    )
    await waitFor(async () => listBackoffs(server.log()).length === 2)
    // The more often a worker exits, the longer it is waited.
    expect(listBackoffs(server.log())).toEqual([200, 400])
    expect(await server.end('SIGTERM')).toBe(0)
  }, 60_000)
})

describe.skipIf(process.platform !== 'linux')('several workers end', () => {
  test('when the supervisor is killed', async () => {
    const server = await startWorkers()
    const workers = await findWorkers(server)
    await server.end('SIGKILL')
    await waitFor(async () => !(await Promise.all(workers.map(isRunning))).some(Boolean))
    expect(await checkLiveness(server.url)).toBe(0)
  }, 60_000)

  test('all workers refuse clients as soon as a shutdown begins', async () => {
    const server = await startWorkers({ RUN_JOBS: 'true' }, { SHUTDOWN_DELAY_MS: 5000 })
    expect(await listJobRunners(await findWorkers(server))).toEqual(['true', 'false', 'false'])
    server.child.kill('SIGTERM')
    await waitFor(async () => {
      const checks = Array.from({ length: 30 }, () => checkLiveness(server.url, 10_000, 'ready'))
      return (await Promise.all(checks)).every(status => status === 503)
    })
    expect(await findWorkers(server)).toHaveLength(WORKERS)
    expect(await server.end('SIGTERM')).toBe(0)
  }, 60_000)

  test('a start fails, and leaves no worker, if one worker cannot start', async () => {
    const gone = await freshDatabase()
    await gone.drop()
    const [exitCode, log] = await startOnPort(freePort(), gone.url)
    expect(log).toMatch(/^Kiraya cannot start: worker [12] of 2 exited$/m)
    expect(exitCode).toBe(1)
  }, 60_000)

  test('a second server cannot use the same port', async () => {
    const port = freePort()
    const server = await startWorkers({ PORT: port })
    expect(await startOnPort(port, server.database.url)).toEqual([
      1,
      expect.stringContaining(`Kiraya cannot start: PORT ${port} is already in use\n`),
    ])
    expect(await server.end('SIGTERM')).toBe(0)
  }, 60_000)
})
