import { afterAll, describe, expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { freshDatabase } from '../../support/database'
import { sendRequest, signInUser } from '../../support/users'
import { freePort, serverProcess, type ServerProcess } from '../../faults/process'

const OPS_TOKEN = 'a token for those who run it'
const WORKERS = 3
const started: ServerProcess[] = []
const databases: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL')
  await Promise.all(started.map(({ child }) => child.exited))
  for (const drop of databases) await drop()
})

async function start(env: Record<string, string> = {}) {
  const database = await freshDatabase()
  const server = serverProcess({
    PORT: '0',
    WORKERS: String(WORKERS),
    RUN_JOBS: 'false',
    OPS_TOKEN,
    DATABASE_URL: database.url,
    DATABASE_TIMEOUT_MS: '10000',
    ...env,
  })
  started.push(server)
  databases.push(database.drop)
  await server.listening
  return {
    ...server,
    database,
    url: `http://127.0.0.1:${/Kiraya listens on http:\/\/[\w.]+:(\d+)/.exec(server.log())![1]}`,
  }
}
/** The processes that a process has started, in the order of their numbers. */
async function workersOf({ child }: ServerProcess) {
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
/** One request on a connection of its own. */
const live = (url: string, ms = 10_000) =>
  fetch(`${url}/health/live`, {
    headers: { connection: 'close' },
    keepalive: false,
    signal: AbortSignal.timeout(ms),
  }).then(
    ({ status }) => status,
    () => 0,
  )
const until = async (holds: () => Promise<boolean>) => {
  for (const began = performance.now(); !(await holds()); await Bun.sleep(50))
    if (performance.now() - began > 30_000) throw new Error('not within 30 s')
}
const figure = (text: string, name: string) =>
  Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${name} `))
      ?.split(' ')[1],
  )
const metrics = async (url: string) =>
  (await sendRequest(url, 'GET', '/metrics', { token: OPS_TOKEN })).body as string

describe.skipIf(process.platform !== 'linux')('several workers', () => {
  test('share one port: each of them is reached, and figures are of all', async () => {
    const it = await start()
    const workers = await workersOf(it)
    expect(workers).toHaveLength(WORKERS)
    expect(await Promise.all(Array.from({ length: 60 }, () => live(it.url)))).toEqual(
      Array.from({ length: 60 }, () => 200),
    )
    for (let asked = 0; asked < 5; asked++) {
      const text = await metrics(it.url)
      expect([
        figure(text, 'kiraya_http_request_seconds_count{method="GET",route="/health/live",status="200"}'),
        figure(text, 'kiraya_processes'),
        figure(text, 'kiraya_backlog_items{queue="webhooks"}'),
      ]).toEqual([60, WORKERS, 0])
      expect(text.match(/^# TYPE \S+/gm)?.length).toBe(new Set(text.match(/^# TYPE \S+/gm)).size)
    }
    for (const one of workers) {
      const others = workers.filter(pid => pid !== one)
      for (const pid of others) process.kill(pid, 'SIGSTOP')
      try {
        expect(
          (await Promise.all(Array.from({ length: 60 }, () => live(it.url, 1500)))).filter(
            status => status === 200,
          ).length,
        ).toBeGreaterThan(0)
      } finally {
        for (const pid of others) process.kill(pid, 'SIGCONT')
      }
    }
    expect(await it.end('SIGTERM')).toBe(0)
    expect(await workersOf(it)).toEqual([])
  }, 60_000)

  test('one that is killed is replaced, and the others answer meanwhile', async () => {
    const it = await start()
    const [killed, ...left] = await workersOf(it)
    process.kill(killed!, 'SIGKILL')
    await until(async () => it.log().includes('A worker exited')) // its listener is gone, and nothing can be lost with it any more
    const answers: number[] = []
    await until(async () => {
      answers.push(await live(it.url))
      return (
        (await workersOf(it)).length === WORKERS &&
        figure(await metrics(it.url), 'kiraya_processes') === WORKERS
      )
    })
    expect(answers.filter(status => status !== 200)).toEqual([])
    expect(await workersOf(it)).toEqual(expect.arrayContaining(left))
    expect(await it.end('SIGTERM')).toBe(0)
  }, 60_000)

  test('a stop lets them answer what they have taken on; what was acknowledged is there', async () => {
    const it = await start({ SHUTDOWN_DELAY_MS: '1000' })
    const person = await signInUser(it.url)
    const made: number[] = []
    const failed: unknown[] = []
    let busy = true
    const clients = Array.from({ length: 12 }, async () => {
      while (busy) {
        const answer = await person
          .call('POST', '/properties', {
            pin_code: 560048,
            property_type: 'pg',
            property_units: [{ unit_name: 'A' }],
          })
          .catch(failure => ({ failure }))
        if ('failure' in answer) {
          if (busy) failed.push(answer.failure)
          return
        }
        if (answer.status === 201) made.push(answer.body.data.id)
        else failed.push(answer.status)
        if (answer.headers.get('connection') === 'close') return // told to go elsewhere
      }
    })
    await until(async () => made.length > 20)
    it.child.kill('SIGTERM')
    it.child.kill('SIGTERM')
    await Promise.all(clients)
    expect(await it.end('SIGINT')).toBe(0)
    busy = false
    const rows = await new Bun.SQL({
      path: `${new URL(it.database.url).searchParams.get('host')}/.s.PGSQL.5432`,
      username: 'kiraya',
      database: it.database.name,
      max: 1,
    })`select id from properties`
    expect(failed).toEqual([])
    expect(made.filter(id => !rows.some((row: { id: number }) => row.id === id))).toEqual([])
    expect(await workersOf(it)).toEqual([])
  }, 60_000)

  test('they end by themselves when who started them is killed', async () => {
    const it = await start()
    const workers = await workersOf(it)
    await it.end('SIGKILL')
    await until(
      async () =>
        !(
          await Promise.all(
            workers.map(pid =>
              readFile(`/proc/${pid}/stat`, 'utf8').then(
                text => !/\) Z /.test(text),
                () => false,
              ),
            ),
          )
        ).some(Boolean),
    )
    expect(await live(it.url)).toBe(0)
  }, 60_000)

  test('others on their port are refused, though it could be shared', async () => {
    const port = freePort()
    const it = await start({ PORT: port })
    const [second] = [
      Bun.spawn([process.execPath, 'server/index.ts'], {
        cwd: `${import.meta.dir}/../../..`,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          NODE_ENV: 'test',
          HOST: '127.0.0.1',
          PORT: port,
          WORKERS: '2',
          DATABASE_URL: it.database.url,
          JWT_SECRET: 'x',
          ESIGN_WEBHOOK_SECRET: 'x',
        },
        stdout: 'ignore',
        stderr: 'pipe',
      }),
    ]
    expect([await new Response(second!.stderr).text(), await second!.exited]).toEqual([
      `Kiraya cannot start: PORT ${port} is already in use\n`,
      1,
    ])
    expect(await it.end('SIGTERM')).toBe(0)
  }, 60_000)
})
