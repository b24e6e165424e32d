import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { startPostgres, type EmbeddedPostgres } from '../../../db/embedded-postgres'
import { waitUntil } from '../../support/round'

const dataDir = await mkdtemp(join(tmpdir(), 'kiraya-embedded-'))
const leftovers = new Set([dataDir])
afterAll(async () => {
  for (const folder of leftovers) await rm(folder, { recursive: true, force: true })
})

const isRoot = process.getuid?.() === 0
const getMode = async (path: string) => (await stat(path)).mode & 0o777

async function connect({ socket }: EmbeddedPostgres) {
  const client = new Client({ host: socket, user: 'kiraya', database: 'postgres' })
  client.on('error', () => {}) // the server is killed
  await client.connect()
  return client
}

async function ask(cluster: EmbeddedPostgres, text: string) {
  const client = await connect(cluster)
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

const readPid = async ({ folder }: EmbeddedPostgres) =>
  Number((await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])

const countHolds = async (cluster: EmbeddedPostgres) => {
  const holds = await ask(
    cluster,
    `select 1 from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and mode = 'ShareLock' and application_name = 'kiraya cluster hold'`,
  )
  return holds.length
}

async function start() {
  const started: string[] = []
  let isRunning = false
  const cluster = await startPostgres(dataDir, 'development', (url, running) => {
    started.push(url)
    void running.then(() => (isRunning = true))
  })
  leftovers.add(dirname(cluster.folder))
  return { cluster, started, isRunning: () => isRunning }
}

test('a cluster is made private, found running, stopped by the last that uses it, and started again', async () => {
  const first = await start()
  expect(first.started).toEqual([first.cluster.url])
  await waitUntil(async () => first.isRunning(), 'the news that it runs')
  const second = await start()
  expect(second.started).toEqual([])
  expect(second.cluster.socket).toBe(first.cluster.socket)

  expect(await getMode(first.cluster.folder)).toBe(0o700)
  const settings = `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync`
  expect(await ask(first.cluster, settings)).toEqual([{ addresses: '', fsync: 'on' }])

  await first.cluster.release()
  expect(await ask(second.cluster, 'select 1 as n')).toEqual([{ n: 1 }])
  const open = await connect(second.cluster)
  await second.cluster.release() // does not wait for those who are connected
  expect(await readPid(second.cluster)).toBe(0)
  await open.end().catch(() => {})
}, 60_000)

test('a hold outlasts the end of the server, however long it takes until it runs again', async () => {
  const { cluster: first } = await start()
  process.kill(await readPid(first), 'SIGKILL')
  await Bun.sleep(1500) // attempts to hold it again fail
  const { cluster: second } = await start()
  await waitUntil(async () => (await countHolds(second)) === 2, 'the hold of the first')

  await second.release()
  expect(await ask(first, 'select 1 as n')).toEqual([{ n: 1 }])

  await first.release()
  expect(await readPid(first)).toBe(0)
}, 60_000)

test('a cluster that ends before it is held is started again', async () => {
  const { cluster: earlier } = await start()
  const pidFile = join(earlier.folder, 'postmaster.pid')
  await earlier.release()
  let starts = 0
  const cluster = await startPostgres(dataDir, 'development', (_, running) => {
    if (++starts > 1) return
    void running.then(() => process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL'))
  })

  expect(starts).toBe(2)
  expect(await ask(cluster, 'select 1 as n')).toEqual([{ n: 1 }])
  await cluster.release()
}, 60_000)

test('lock files whose process is another program do not keep it from starting', async () => {
  const { cluster } = await start()
  const pidFile = join(cluster.folder, 'postmaster.pid')
  const lockFile = join(cluster.socket, '.s.PGSQL.5432.lock')
  const { uid, gid } = await stat(cluster.folder)
  const [lines, socketLines] = [await readFile(pidFile, 'utf8'), await readFile(lockFile, 'utf8')]
  await cluster.release()
  const sleeper = Bun.spawn(['sleep', '100'], isRoot ? { uid, gid } : {})
  await writeFile(pidFile, lines.replace(/^\d+/, String(sleeper.pid)))
  await writeFile(lockFile, socketLines.replace(/^\d+/, String(sleeper.pid)))

  const again = await start()

  expect(await ask(again.cluster, 'select 1 as n')).toEqual([{ n: 1 }])
  await again.cluster.release()
  sleeper.kill()
}, 60_000)
