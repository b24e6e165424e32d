import { appendFile, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { startPostgres, type EmbeddedPostgres } from '../../db/embedded-postgres'

export const PORT = 5432
export const STANDBY = 5433
export const FOLLOWER = 'follower'

/** A PostgreSQL of a test's own, to be killed, frozen and copied. */
export async function startOwnCluster() {
  const dataDir = await mkdtemp(join(tmpdir(), 'kiraya-faults-'))
  let at: EmbeddedPostgres = await startPostgres(dataDir)
  const data = at.folder
  const standby = `${data}-standby`
  const { socket } = at
  const asOwner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  const pgCtl = async (...args: string[]) => {
    const folder = [dirname(data), dirname(dirname(data))].flatMap(home => [
      ...new Bun.Glob('postgresql-*/bin/pg_ctl').scanSync({ cwd: home, absolute: true }),
    ])[0]
    const run = Bun.spawn([folder!, ...args], {
      ...asOwner,
      cwd: dirname(data),
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    return run.exited
  }
  /** The postmaster and all that it has begun. */
  const processes = async (folder: string) => {
    const master = Number(
      (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0],
    )
    if (!master) return []
    const children = (await readdir('/proc'))
      .filter(name => /^\d+$/.test(name))
      .map(async pid =>
        / (\d+) /.exec(
          (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).replace(/^.*\) \S/, ''),
        )?.[1] === String(master)
          ? [Number(pid)]
          : [],
      )
    return [master, ...(await Promise.all(children)).flat()]
  }
  const signal = async (name: NodeJS.Signals, folder = data, only = Infinity) => {
    for (const pid of (await processes(folder)).slice(0, only)) {
      try {
        process.kill(pid, name)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error // it has ended already
      }
    }
  }
  const ask = async (text: string, port = PORT) => {
    const client = new Client({
      host: socket,
      port,
      user: 'kiraya',
      database: 'postgres',
      connectionTimeoutMillis: 2000,
    })
    client.on('error', () => {}) // it dies with its cluster
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  const kept: EmbeddedPostgres[] = [at]
  const startStandby = async () => {
    if (
      await pgCtl('start', '-w', '-D', standby, '-l', `${standby}.log`, '-o', `-k "${socket}" -p ${STANDBY}`)
    )
      throw new Error(`The standby does not start: ${await readFile(`${standby}.log`, 'utf8')}`)
  }
  const waitFor = async (names: string) => {
    await ask(`alter system set synchronous_standby_names = '${names}'`)
    await ask('select pg_reload_conf()')
    for (
      let tries = 0;
      names &&
      tries < 100 &&
      (await ask(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 0;
      tries++
    )
      await Bun.sleep(50)
  }

  return {
    socket,
    data,
    standby,
    signal,
    ask,
    processes,
    owner: asOwner as { uid?: number; gid?: number },
    urlAt: (folder: string, port = PORT) =>
      `postgresql://kiraya@localhost:${port}/postgres?host=${encodeURIComponent(folder)}`,
    stop: (folder = data) => pgCtl('stop', '-m', 'immediate', '-D', folder),
    start: async () => void kept.push((at = await startPostgres(dataDir))),
    /** A copy, made while the primary is in use, that shows every transaction before it is acknowledged. */
    follow: async () => {
      await ask(`select pg_create_physical_replication_slot('${FOLLOWER}', true)`)
      const session = new Client({ host: socket, port: PORT, user: 'kiraya', database: 'postgres' })
      await session.connect()
      await session.query(`select pg_backup_start('${FOLLOWER}', true)`)
      const left =
        /^(postmaster\.\w+|\.s\.PGSQL.*|(pg_wal|pg_replslot|pg_stat_tmp|pg_subtrans|pg_notify|pg_snapshots|pg_serial|pg_dynshmem)\/.+)$/
      await cp(data, standby, {
        recursive: true,
        mode: 0,
        preserveTimestamps: true,
        filter: from => !left.test(from.slice(data.length + 1)),
      })
      const {
        rows: [{ labelfile }],
      } = await session.query('select * from pg_backup_stop(false)')
      await session.end()
      for (const [file, content] of [
        ['backup_label', labelfile],
        ['standby.signal', ''],
        [
          'postgresql.auto.conf',
          `\nprimary_conninfo = 'host=${socket} port=${PORT} user=kiraya'\nprimary_slot_name = '${FOLLOWER}'\ncluster_name = '${FOLLOWER}'\n`,
        ],
      ])
        await appendFile(join(standby, file), content)
      if ('uid' in asOwner) Bun.spawnSync(['chown', '-R', `${asOwner.uid}:${asOwner.gid}`, standby])
      await startStandby()
      await ask(`alter system set synchronous_commit = 'remote_apply'`)
      await waitFor('*')
    },
    startStandby,
    /** Has the primary wait for the standbys of these names, or for none. */
    waitFor,
    promote: async () => {
      await ask('select pg_promote()', STANDBY)
      await ask(`alter system set synchronous_standby_names = ''`, STANDBY)
      await ask('select pg_reload_conf()', STANDBY)
    },
    end: async () => {
      for (const folder of [standby, data]) await signal('SIGKILL', folder)
      for (const each of kept) await each.release().catch(() => {}) // there is nothing left to stop
      for (const folder of [standby, data, dirname(data), dataDir])
        await rm(folder, { recursive: true, force: true })
    },
  }
}
export type OwnCluster = Awaited<ReturnType<typeof startOwnCluster>>
const idOf = (flag: string) => Number(Bun.spawnSync(['id', flag, 'postgres']).stdout.toString())

/** One address behind which the database changes. Connections stay with whom they were made to. */
export async function startForwarder(target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-door-'))
  let to = target
  const server = net.createServer(client => {
    const behind = net.connect(to)
    client.pipe(behind).pipe(client)
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await new Promise<void>(listening => server.listen(join(folder, '.s.PGSQL.5432'), listening))
  return {
    folder,
    lead: (elsewhere: string) => void (to = elsewhere),
    end: async () => {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
