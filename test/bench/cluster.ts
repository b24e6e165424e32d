import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '../../db/migrate'
import { openDatabase } from '../../db/database'
import { startOwnCluster, PORT, STANDBY } from '../faults/cluster'
import { cases, createWorld, type World } from './cases'
import { missing, startPooler, startProxy } from './daemons'
import { fill, layoutOf } from './fill'
import { drive, median } from './load'
import { cpuOf, freePort, root, settingsOf, startServer, type Server } from './processes'
import { table } from './report'

/** As many requests make the code of several processes fast. */
const WARM = 600
const CONNECTIONS = 64
const INSTANCES = 4
const SCALES = { '1k': 1000, '10k': 10_000, '100k': 100_000, '1m': 1_000_000 } as const
const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '10k' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1.5' },
    out: { type: 'string', default: join(root, '.data/bench/report') },
  },
})
const say = (text: string) => void process.stdout.write(`${text}\n`)
const wrong = (text: string): never => {
  process.stderr.write(`${text}\n`)
  return process.exit(1)
}
const owned =
  SCALES[options.scale as keyof typeof SCALES] ??
  wrong(`--scale must be one of ${Object.keys(SCALES).join(', ')}`)
const rounds = Number(options.rounds)
const out = resolve(options.out)
if (missing().length)
  wrong(`This needs ${missing().join(' and ')}. On Debian: apt-get install -y ${missing().join(' ')}`)

/** A way to the server: the port that is asked, and the processes whose time is told. */
type Way = { section: string; name: string; port: number; parts: Record<string, () => number> }
type Measured = {
  section: string
  name: string
  work: string
  perSecond: number
  p50: number
  p99: number
  cpuUs: Record<string, number>
}
type Failover = {
  killed_to_promoted_ms: number
  acknowledged: Record<'before' | 'during' | 'after', number>
  refused_writes: number
  refused_reads: number
  writes_refused_for_ms: number
  lost: number
}
const PARTS = ['Kiraya', 'primary', 'replica', 'PgBouncer', 'HAProxy', 'load']

const ending: (() => Promise<unknown>)[] = []
let ended: Promise<void> | undefined
const endAll = () =>
  (ended ??= (async () => {
    for (const end of ending.toReversed()) await end()
  })())
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endAll().finally(() => process.exit(1)))
try {
  await main()
} finally {
  await endAll()
}

async function main() {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-cluster-'))
  const logs = join(root, '.data/bench')
  ending.push(() => rm(folder, { recursive: true }))
  await chmod(folder, 0o755)
  await mkdir(logs, { recursive: true })
  await mkdir(out, { recursive: true })
  const database = await startOwnCluster()
  const path = join(database.socket, `.s.PGSQL.${PORT}`)
  const sql = new Bun.SQL({ path, username: 'kiraya', database: 'postgres', max: 2 })
  ending.push(database.end, () => sql.end({ timeout: 1 }))
  for (const setting of [`max_wal_size = '8GB'`, `checkpoint_timeout = '30min'`])
    await database.ask(`alter system set ${setting}`)
  await database.ask('select pg_reload_conf()')
  const orm = openDatabase(database.urlAt(database.socket))
  await migrate(orm)
  await orm.close()
  await fill(sql, owned)
  const sizes: Size[] = await sql.unsafe(
    `select c.relname as table, c.reltuples::int as rows, pg_table_size(c.oid)::float8 as heap, pg_indexes_size(c.oid)::float8 as indexes from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.reltuples > 0 order by pg_total_relation_size(c.oid) desc`,
  )
  const random = () => randomBytes(48).toString('base64')
  const secrets = { JWT_SECRET: random(), ESIGN_WEBHOOK_SECRET: random(), SANDBOX_OTP: '314159' }
  const world = await createWorld(sql, layoutOf(owned), secrets)
  const direct = database.urlAt(database.socket)
  const plain = {
    ...settingsOf(direct, folder, secrets),
    DATABASE_TIMEOUT_MS: '20000',
    DATABASE_SOCKET: path,
    DATABASE_NAME: 'postgres',
  }
  say(`PostgreSQL runs, with ${options.scale} properties`)

  const measured: Measured[] = []
  const own: (() => Promise<unknown>)[] = []
  const started = <T extends { end: () => Promise<unknown> }>(it: T) => {
    own.push(it.end)
    ending.push(it.end)
    return it
  }
  const stopAll = async () => void (await Promise.all(own.splice(0).map(end => end())))
  const kiraya = async (name: string, env: Record<string, string> = {}) =>
    started(
      await startServer(name, ['server/index.ts'], { ...plain, ...env }, join(logs, `cluster-${name}.log`), {
        hasCore: false,
      }),
    )
  const [master] = await database.processes(database.data)
  const primary = () => cpuOf(master!)
  const together = (servers: Server[]) => () => servers.reduce((sum, server) => sum + server.cpuS(), 0)

  // One machine: workers beside as many processes of the floor.
  const alone: Way[] = []
  for (const n of [1, 2, 4]) {
    const server = await kiraya(`workers-${n}`, { WORKERS: String(n) })
    alone.push({
      section: 'workers',
      name: `WORKERS=${n}`,
      port: server.port,
      parts: { Kiraya: server.cpuS, primary },
    })
  }
  for (const n of [1, 2, 4]) {
    const port = freePort()
    const floors: Server[] = []
    for (let i = 0; i < n; i++)
      floors.push(
        started(
          await startServer(
            `floor-${n}-${i}`,
            ['test/bench/floor.ts'],
            { ...plain, REUSE_PORT: 'true' },
            join(logs, `cluster-floor-${n}.log`),
            { port, hasCore: false },
          ),
        ),
      )
    alone.push({
      section: 'workers',
      name: `floor, ${n} of it`,
      port,
      parts: { Kiraya: together(floors), primary },
    })
  }
  await measure(alone, ['properties'])
  await stopAll()

  // What statements cost that are planned anew, and the pooler.
  const pooler = await startPooler(folder, database.socket, PORT, database.owner)
  const pooling = () => cpuOf(pooler.pid)
  ending.push(pooler.end)
  const ways: [string, string][] = [
    ['prepared', direct],
    ['unprepared', `${direct}&prepared=false`],
    ['unprepared, through PgBouncer', pooler.url],
  ]
  const statements: Way[] = []
  for (const [name, DATABASE_URL] of ways) {
    const server = await kiraya(`statements-${statements.length}`, { DATABASE_URL })
    statements.push({
      section: 'statements',
      name,
      port: server.port,
      parts: { Kiraya: server.cpuS, primary, PgBouncer: pooling },
    })
  }
  await measure(statements, ['me', 'properties'])
  await stopAll()

  // Several machines, as far as one can be: instances behind HAProxy, on PgBouncer.
  const instances: Server[] = []
  for (let i = 0; i < INSTANCES; i++)
    instances.push(await kiraya(`instance-${i}`, { DATABASE_URL: pooler.url, TRUSTED_PROXIES: '2' }))
  const counts = [1, 2, 4]
  const proxy = started(
    await startProxy(
      folder,
      counts.map(n => instances.slice(0, n).map(({ port }) => port)),
    ),
  )
  await Bun.sleep(1500) // until the proxy has seen that they are healthy
  await measure(
    counts.map((n, i) => ({
      section: 'instances',
      name: `${n} behind HAProxy`,
      port: proxy.ports[i]!,
      parts: { Kiraya: together(instances), primary, PgBouncer: pooling, HAProxy: () => cpuOf(proxy.pid) },
    })),
    ['properties', 'patch-unit'],
  )
  await stopAll()

  // A replica that shows what is acknowledged.
  const without = await kiraya('without-replica', { DATABASE_URL: pooler.url })
  await measure(
    [
      {
        section: 'replica',
        name: '1, no replica',
        port: without.port,
        parts: { Kiraya: without.cpuS, primary, PgBouncer: pooling },
      },
    ],
    ['patch-unit'],
  )
  await stopAll()
  await database.follow()
  const [second] = await database.processes(database.standby)
  const replica = () => cpuOf(second!)
  const DATABASE_REPLICA_URL = database.urlAt(database.socket, STANDBY)
  const pair = async (name: string, env: Record<string, string>) => [
    await kiraya(`${name}-0`, { DATABASE_URL: pooler.url, TRUSTED_PROXIES: '2', ...env }),
    await kiraya(`${name}-1`, { DATABASE_URL: pooler.url, TRUSTED_PROXIES: '2', ...env }),
  ]
  const before = async (...groups: Server[][]) => {
    const it = started(
      await startProxy(
        folder,
        groups.map(group => group.map(({ port }) => port)),
      ),
    )
    await Bun.sleep(8000) // until it has seen that they are healthy, and they trust the replica
    return it
  }
  const readers = [await pair('primary-reader', {}), await pair('replica-reader', { DATABASE_REPLICA_URL })]
  const front = await before(...readers)
  await measure(
    ['a replica that reads do not go to', 'reads from the replica'].map((name, i) => ({
      section: 'replica',
      name: `2 behind HAProxy, ${name}`,
      port: front.ports[i]!,
      parts: {
        Kiraya: together(readers[i]!),
        primary,
        replica,
        PgBouncer: pooling,
        HAProxy: () => cpuOf(front.pid),
      },
    })),
    ['properties', 'patch-unit'],
  )
  await stopAll()
  const left = await pair('failing-over', { DATABASE_REPLICA_URL, DATABASE_TIMEOUT_MS: '2500' })
  const failover = await failOver(world, (await before(left)).ports[0]!)
  await stopAll()
  await report()

  /** All ways in turn, so that what else happens on the machine meets all of them. */
  async function measure(ways: Way[], works: string[]) {
    for (const name of works) {
      const work = cases.find(each => each.name === name)!
      for (const way of ways) await once(way, WARM)
      const pilot = await once(ways[0]!, WARM / 2)
      const n = Math.max(CONNECTIONS, Math.round(pilot.perSecond * Number(options.seconds)))
      const all = ways.map(() => [] as Omit<Measured, 'section' | 'name' | 'work'>[])
      for (let round = 0; round < rounds; round++)
        for (const [i, way] of ways.entries()) all[i]!.push(await once(way, n))
      for (const [i, { section, name }] of ways.entries()) {
        const middle = (of: (each: (typeof all)[number][number]) => number) => median(all[i]!.map(of))
        const row: Measured = {
          section,
          name,
          work: work.what,
          perSecond: middle(each => each.perSecond),
          p50: middle(each => each.p50),
          p99: middle(each => each.p99),
          cpuUs: Object.fromEntries(
            Object.keys(all[i]![0]!.cpuUs).map(part => [part, middle(each => each.cpuUs[part]!)]),
          ),
        }
        measured.push(row)
        say(
          `${name.padEnd(60)} ${work.what.padEnd(22)} ${row.perSecond.toFixed(0).padStart(6)}/s  p99 ${row.p99.toFixed(1)} ms  ${Object.entries(
            row.cpuUs,
          )
            .map(([part, us]) => `${part} ${us.toFixed(0)}`)
            .join('  ')} µs`,
        )
      }

      async function once({ port, parts }: Way, n: number) {
        const requests = await work.requests(world, n)
        const all: Way['parts'] = {
          ...parts,
          load: () => {
            const { user, system } = process.cpuUsage()
            return (user + system) / 1e6
          },
        }
        const before = Object.entries(all).map(([, cpuS]) => cpuS())
        const { seconds, p50, p99 } = await drive(
          port,
          requests,
          CONNECTIONS,
          ({ status }) => status === work.status,
        )
        return {
          perSecond: n / seconds,
          p50,
          p99,
          cpuUs: Object.fromEntries(
            Object.entries(all).map(([part, cpuS], i) => [part, ((cpuS() - before[i]!) / n) * 1e6]),
          ),
        }
      }
    }
  }

  /** Kills the primary under load and lets the replica take its place. */
  async function failOver({ writers, readers }: World, port: number): Promise<Failover> {
    type Write = { id?: number; status: number; at: number }
    const writes: Write[] = []
    const reads: { status: number; at: number }[] = []
    let busy = true
    const send = (method: string, target: string, token: string, body?: unknown) =>
      fetch(`http://127.0.0.1:${port}${target}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      }).then(
        async response => ({
          status: response.status,
          id: ((await response.json()) as { data?: { id?: number } }).data?.id,
          at: performance.now(),
        }),
        () => ({ status: 0, id: undefined, at: performance.now() }),
      )
    const clients = Array.from({ length: 16 }, async (_, i) => {
      while (busy) {
        if (i % 2) reads.push(await send('GET', '/properties?limit=20', readers[i % readers.length]!.token))
        else
          writes.push(
            await send('POST', '/properties', writers[i % writers.length]!.token, {
              pin_code: 560_048,
              property_type: 'pg',
              property_units: [{ unit_name: 'A' }],
            }),
          )
        await Bun.sleep(5)
      }
    })
    await Bun.sleep(3000)
    const killed = performance.now()
    await database.signal('SIGKILL')
    await Bun.sleep(1000) // what somebody takes to be sure of it
    await database.promote()
    await pooler.lead(STANDBY)
    const promoted = performance.now()
    await Bun.sleep(6000)
    busy = false
    await Promise.all(clients)
    const made = writes.filter(({ status }) => status === 201)
    const first = made.find(({ at }) => at > promoted)?.at ?? Infinity
    const last = made.findLast(({ at }) => at < promoted)?.at ?? killed
    const there = new Set(
      (await database.ask('select id from properties', STANDBY)).map(({ id }) => id as number),
    )
    const failover = {
      killed_to_promoted_ms: Math.round(promoted - killed),
      acknowledged: {
        before: made.filter(({ at }) => at <= killed).length,
        during: made.filter(({ at }) => at > killed && at < first).length,
        after: made.filter(({ at }) => at >= first).length,
      },
      refused_writes: writes.length - made.length,
      refused_reads: reads.filter(({ status }) => status !== 200).length,
      writes_refused_for_ms: Math.round(first - last),
      lost: made.filter(({ id }) => !there.has(id!)).length,
    }
    say(
      `Failover: ${JSON.stringify(failover)}; answers other than 2xx and 503: ${[...writes, ...reads].filter(({ status }) => ![200, 201, 503].includes(status)).length}`,
    )
    if (failover.lost || !failover.acknowledged.after)
      throw new Error('Acknowledged writes were lost, or none came after the failover')
    return failover
  }

  async function report() {
    const machine = `${cpus()[0]!.model.trim()}, ${cpus().length} cores`
    const date = new Date().toISOString()
    const count = (value: number) => value.toLocaleString('en')
    const parts = [
      `${date.slice(0, 10)}, ${machine}, shared by servers, databases and load; ${options.scale} properties, ${CONNECTIONS} connections, the middle of ${rounds} rounds. CPU in µs a request.`,
    ]
    for (const section of new Set(measured.map(each => each.section))) {
      const rows = measured.filter(each => each.section === section)
      const shown = PARTS.filter(part => rows.some(({ cpuUs }) => part in cpuUs))
      parts.push(
        table(
          [section, 'work', 'requests/s', 'p50 ms', 'p99 ms', ...shown],
          rows.map(({ name, work, perSecond, p50, p99, cpuUs }) => [
            name,
            work,
            perSecond.toFixed(0),
            p50.toFixed(1),
            p99.toFixed(1),
            ...shown.map(part => cpuUs[part]?.toFixed(0) ?? ''),
          ]),
        ),
      )
    }
    parts.push(
      table(
        ['failover', ''],
        Object.entries({ ...failover, acknowledged: JSON.stringify(failover.acknowledged) }).map(
          ([name, value]) => [name.replaceAll('_', ' '), String(value)],
        ),
      ),
    )
    parts.push(
      table(
        ['table', 'rows', 'heap, bytes a row', 'indexes, bytes a row', 'MB'],
        sizes.map(({ table, rows, heap, indexes }) => [
          table,
          count(rows),
          (heap / rows).toFixed(0),
          (indexes / rows).toFixed(0),
          ((heap + indexes) / 1e6).toFixed(1),
        ]),
      ),
    )
    const text = `${parts.join('\n\n')}\n`
    say(`\n${text}`)
    await Bun.write(join(out, 'cluster.md'), text)
    await Bun.write(
      join(out, 'cluster.json'),
      `${JSON.stringify({ date, machine, scale: options.scale, rounds, measured, failover, sizes }, null, 2)}\n`,
    )
    say(`cluster.md and cluster.json are in ${out}`)
  }
}
type Size = { table: string; rows: number; heap: number; indexes: number }
