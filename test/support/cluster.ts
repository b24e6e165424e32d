import { appendFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { startPostgres } from '../../db/embedded-postgres'
import { prepareFolders, type ClusterOwner } from '../../db/embedded-postgres/folders'
import { runPostgresProgram } from '../../db/embedded-postgres/programs'
import { readProcesses } from './process'

export const PORT = 5432
export const STANDBY = 5433
const FOLLOWER = 'follower'

/** Files that a base backup leaves out. */
const NOT_COPIED =
  /^(postmaster\.\w+|\.s\.PGSQL.*|(pg_wal|pg_replslot|pg_stat_tmp|pg_subtrans|pg_notify|pg_snapshots|pg_serial|pg_dynshmem)\/.+)$/

/** Starts a PostgreSQL that belongs to one test, which can kill, freeze and copy it. */
export async function startOwnCluster() {
  const dataDir = await mkdtemp(join(tmpdir(), 'kiraya-failures-'))
  const first = await startPostgres(dataDir)
  const started = [first]
  const { socket, folder: data } = first
  const standby = `${data}-standby`
  const folders = await prepareFolders(dataDir, 'development')
  const runPgCtl = (...args: string[]) => runPostgresProgram(folders, 'pg_ctl', args)
  const ask = (text: string, port = PORT) => runSql(socket, text, port)
  const waitFor = (names: string) => setSynchronousStandbys(socket, names)
  const signal = (name: NodeJS.Signals, folder = data, max = Infinity) => signalProcesses(folder, name, max)

  async function startStandby() {
    const options = ['-l', `${standby}.log`, '-o', `-k "${socket}" -p ${STANDBY}`]
    const { ok } = await runPgCtl('start', '-w', '-D', standby, ...options)
    if (!ok) throw new Error(`The standby does not start: ${await readFile(`${standby}.log`, 'utf8')}`)
  }
  async function end() {
    for (const folder of [standby, data]) await signal('SIGKILL', folder)
    // The servers are dead already.
    for (const each of started) await each.release().catch(() => {})
    for (const folder of [standby, data, dirname(data), dataDir])
      await rm(folder, { recursive: true, force: true })
  }

  return {
    socket,
    data,
    standby,
    signal,
    ask,
    urlAt: (folder: string, port = PORT) =>
      `postgresql://kiraya@localhost:${port}/postgres?host=${encodeURIComponent(folder)}`,
    stop: (folder = data) => runPgCtl('stop', '-m', 'immediate', '-D', folder),
    start: async () => void started.push(await startPostgres(dataDir)),
    /** Copies the running primary to a standby that applies every transaction before it is acknowledged. */
    follow: async () => {
      await copyToStandby(socket, data, standby, folders.owner)
      await startStandby()
      await ask(`alter system set synchronous_commit = 'remote_apply'`)
      await waitFor('*')
    },
    startStandby,
    /** Makes the primary wait for the standbys of these names, or for none. */
    waitFor,
    promote: async () => {
      await ask('select pg_promote()', STANDBY)
      await ask(`alter system set synchronous_standby_names = ''`, STANDBY)
      await ask('select pg_reload_conf()', STANDBY)
    },
    end,
  }
}

/** Returns the ids of the postmaster and its children. */
async function listProcesses(folder: string) {
  const pidFile = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const postmaster = Number(pidFile.split('\n')[0])
  if (!postmaster) return []
  const children = readProcesses().filter(({ parent }) => parent === postmaster)
  return [postmaster, ...children.map(({ pid }) => pid)]
}

async function signalProcesses(folder: string, name: NodeJS.Signals, max: number) {
  for (const pid of (await listProcesses(folder)).slice(0, max)) {
    try {
      process.kill(pid, name)
    } catch (error) {
      const hasEnded = error instanceof Error && 'code' in error && error.code === 'ESRCH'
      if (!hasEnded) throw error
    }
  }
}

async function runSql(socket: string, text: string, port: number) {
  const client = new Client({
    host: socket,
    port,
    user: 'kiraya',
    database: 'postgres',
    connectionTimeoutMillis: 2000,
  })
  // The connection fails when the cluster is killed.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function setSynchronousStandbys(socket: string, names: string) {
  await runSql(socket, `alter system set synchronous_standby_names = '${names}'`, PORT)
  await runSql(socket, 'select pg_reload_conf()', PORT)
  if (!names) return
  for (let tries = 0; tries < 100; tries++) {
    const rows = await runSql(socket, `select 1 from pg_stat_replication where sync_state = 'sync'`, PORT)
    if (rows.length) return
    await Bun.sleep(50)
  }
}

/** Takes a base backup, and configures it as a standby. */
async function copyToStandby(socket: string, data: string, standby: string, owner?: ClusterOwner) {
  await runSql(socket, `select pg_create_physical_replication_slot('${FOLLOWER}', true)`, PORT)
  const session = new Client({ host: socket, port: PORT, user: 'kiraya', database: 'postgres' })
  await session.connect()
  await session.query(`select pg_backup_start('${FOLLOWER}', true)`)
  await cp(data, standby, {
    recursive: true,
    mode: 0,
    preserveTimestamps: true,
    filter: from => !NOT_COPIED.test(from.slice(data.length + 1)),
  })
  const { rows } = await session.query('select * from pg_backup_stop(false)')
  await session.end()
  const settings = `
primary_conninfo = 'host=${socket} port=${PORT} user=kiraya'
primary_slot_name = '${FOLLOWER}'
cluster_name = '${FOLLOWER}'
`
  await appendFile(join(standby, 'backup_label'), rows[0].labelfile)
  await appendFile(join(standby, 'standby.signal'), '')
  await appendFile(join(standby, 'postgresql.auto.conf'), settings)
  if (owner) Bun.spawnSync(['chown', '-R', `${owner.uid}:${owner.gid}`, standby])
}
