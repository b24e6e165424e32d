import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cases, createWorld, type Case, type World } from './cases'
import { coldFigures } from './cold'
import { openFilled } from './database'
import { layoutOf } from './fill'
import { ask, drive, type Answer } from './load'
import { isPinned, root, settingsOf, startServer, stepAside, stepBack, type Server } from './processes'
import {
  comparisonOf,
  markdownOf,
  plotOf,
  rowOf,
  shapeOf,
  type Figures,
  type Report,
  type Row,
} from './report'

const SCALES = { '1k': 1000, '100k': 100_000, '1m': 1_000_000 } as const
const CONNECTIONS = 32
const PILOT = 200
const FEW = 4
const MEMORY_MB = 150
const PARTS = 10
const LOGIN = 'login'
/** After so many requests of a kind their code has been compiled, as in a server in use. */
const WARM = 6000

const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '1k' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    compare: { type: 'string' },
    out: { type: 'string', default: join(root, '.data/bench/report') },
    cold: { type: 'boolean', default: false },
    endure: { type: 'string' },
    profile: { type: 'string' },
  },
})
const wrong = (text: string): never => {
  process.stderr.write(`${text}\n`)
  return process.exit(1)
}
const named =
  (options.profile ?? options.only)?.split(',') ??
  ((options.cold || options.endure) && !options.requests ? [] : cases.map(({ name }) => name))
const unknown = named.filter(name => !cases.some(each => each.name === name))
if (unknown.length)
  wrong(`No such case: ${unknown.join(', ')}. There are ${cases.map(({ name }) => name).join(', ')}`)
const owned =
  SCALES[options.scale as keyof typeof SCALES] ??
  wrong(`--scale must be one of ${Object.keys(SCALES).join(', ')}`)
const before: Report | undefined = options.compare ? await Bun.file(options.compare).json() : undefined
const rounds = Number(options.rounds)
const out = resolve(options.out)
const say = (text: string) => void process.stdout.write(`${text}\n`)

stepAside()
await mkdir(out, { recursive: true })
const dataDir = join(root, '.data/bench')
const database = await openFilled(dataDir, owned)
say(
  database.filledS === undefined
    ? 'A filled database was there already'
    : `Filled in ${database.filledS.toFixed(0)} s`,
)
const random = () => randomBytes(48).toString('base64')
const secrets = { JWT_SECRET: random(), ESIGN_WEBHOOK_SECRET: random(), SANDBOX_OTP: '314159' }
const env = {
  ...settingsOf(database.url, dataDir, secrets),
  DATABASE_SOCKET: database.socket,
  DATABASE_NAME: new URL(database.url).pathname.slice(1),
}
const servers: Server[] = []
const start = async (name: string, program: string[]) => {
  const server = await startServer(name, program, env, join(dataDir, `${name}.log`))
  servers.push(server)
  return server
}

try {
  const world = await createWorld(database.sql, layoutOf(owned), secrets)
  if (options.profile)
    await profile(
      world,
      cases.find(({ name }) => name === named[0])!,
    )
  else await measure(world)
} finally {
  await Promise.all(servers.map(server => server.end()))
  await database.end()
}

async function measure(world: World) {
  const rows: Row[] = []
  const memory: Report['memory'] = []
  const endurance = options.endure ? await endure(world, Number(options.endure)) : []
  if (named.length && !options.endure) {
    const floor = await start('floor', ['test/bench/floor.ts'])
    const kiraya = await start('kiraya', ['server/index.ts'])
    const remember = (what: string, which: 'nowMb' | 'peakMb', bar?: number) =>
      memory.push({ what, floorMb: floor.memory()[which], kirayaMb: kiraya.memory()[which], bar })
    remember('before the first request', 'nowMb')
    // Password hashing, which takes 64 MiB each, comes last, after the memory of all the rest is known.
    for (const each of cases.filter(({ name }) => named.includes(name))) {
      if (each.name === LOGIN) remember('most so far, outside password hashing', 'peakMb', MEMORY_MB)
      rows.push(await measureCase(world, each, floor, kiraya))
    }
    if (rows.at(-1)?.name === LOGIN) remember('most, with password hashing', 'peakMb')
    else remember('most', 'peakMb', MEMORY_MB)
  }
  await Promise.all(servers.splice(0).map(server => server.end()))
  stepBack()
  const report: Report = {
    date: new Date().toISOString(),
    scale: options.scale,
    rounds,
    rows,
    memory,
    endurance,
    machine: `${cpus()[0]!.model.trim()}, ${cpus().length} cores`,
    settings: `Bun ${Bun.version}, ${CONNECTIONS} connections; ${isPinned ? 'a core for the server, one for load and PostgreSQL' : 'cores are shared'}; Kiraya logs at ${env.LOG_LEVEL} to a file, the floor does not log.`,
    starts: options.cold ? await coldFigures(5) : [],
  }
  const text = markdownOf(report)
  say(`\n${text}`)
  for (const [file, content] of [
    ['bench.md', text],
    ['bench.json', `${JSON.stringify(report, null, 2)}\n`],
    ['bench.svg', plotOf(report)],
  ] as const)
    await Bun.write(join(out, file), content)
  if (before) say(comparisonOf(before, report))
  say(`bench.md, bench.json and bench.svg are in ${out}`)
}

/** What memory is like over many reads of every kind. */
async function endure(world: World, total: number) {
  const kiraya = await start('kiraya', ['server/index.ts'])
  const reads = cases.filter(({ name, isRead }) => isRead && (!named.length || named.includes(name)))
  const n = Math.ceil(total / PARTS / reads.length)
  const parts: Report['endurance'] = []
  for (let part = 1; part <= PARTS; part++) {
    for (const each of reads) await once(world, each, kiraya, n)
    parts.push({ requests: part * n * reads.length, mb: kiraya.memory().nowMb })
    say(`after ${parts.at(-1)!.requests} requests: ${parts.at(-1)!.mb.toFixed(0)} MB`)
  }
  await servers.pop()!.end()
  return parts
}

/** Floor and Kiraya in turn, so that what else happens on the machine meets both. */
async function measureCase(world: World, each: Case, floor: Server, kiraya: Server): Promise<Row> {
  await compare(world, each, floor, kiraya)
  const n = await countOf(world, each, kiraya)
  const turns: { floor: Figures; kiraya: Figures }[] = []
  for (const server of [floor, kiraya]) await once(world, each, server, Math.max(n, atLeast(each, WARM)))
  for (let round = 0; round < rounds; round++)
    turns.push({ floor: await once(world, each, floor, n), kiraya: await once(world, each, kiraya, n) })
  const row = rowOf(
    { name: each.name, what: each.what, bar: each.bar, requests: n, rssMb: kiraya.memory().nowMb },
    turns,
  )
  say(
    `${each.name.padEnd(18)} ${row.kiraya.cpuUs.toFixed(0).padStart(7)} µs  floor ${row.floor.cpuUs.toFixed(0).padStart(6)}  ratio ${row.ratio.toFixed(2)} of ${each.bar ?? '–'}  p99 ${row.kiraya.p99.toFixed(1)} ms  ${n} × ${rounds}`,
  )
  return row
}

async function once(world: World, each: Case, server: Server, n: number): Promise<Figures> {
  const requests = await each.requests(world, n)
  const before = server.cpuS()
  const { seconds, p50, p99 } = await drive(
    server.port,
    requests,
    CONNECTIONS,
    ({ status }) => status === each.status,
  )
  return { perSecond: n / seconds, p50, p99, cpuUs: ((server.cpuS() - before) / n) * 1e6 }
}

/** That many, or of what takes long a share of them. */
function atLeast({ share = 1 }: Case, n: number) {
  return Math.max(share < 1 ? FEW : CONNECTIONS, Math.round(n * share))
}

/** As many as were asked for, or as Kiraya answers in the seconds that a round is to take. */
async function countOf(world: World, each: Case, kiraya: Server) {
  if (options.requests) return atLeast(each, Number(options.requests))
  const { perSecond } = await once(world, each, kiraya, atLeast(each, PILOT))
  return atLeast(each, (perSecond * Number(options.seconds)) / (each.share ?? 1))
}

/** Both must answer the same: a read the same JSON, a change JSON of the same shape. */
async function compare(world: World, each: Case, floor: Server, kiraya: Server) {
  const few = 3
  const left = await each.requests(world, few)
  const right = each.isRead ? left : await each.requests(world, few)
  const view = ({ status, body }: Answer) =>
    status !== each.status ? `${status} ${body}` : each.isRead ? JSON.parse(body) : shapeOf(JSON.parse(body))
  for (let index = 0; index < few; index++) {
    const its = view(await ask(floor.port, left[index]!))
    const ours = view(await ask(kiraya.port, right[index]!))
    if (typeof its !== 'object' || !Bun.deepEquals(its, ours))
      throw new Error(
        `${each.name}: the answers differ\nfloor:  ${JSON.stringify(its)}\nKiraya: ${JSON.stringify(ours)}`,
      )
  }
}

/** Runs a case under Bun's sampling profiler, which writes when the server ends. */
async function profile(world: World, each: Case) {
  const kiraya = await start('kiraya', [
    '--cpu-prof',
    '--cpu-prof-md',
    `--cpu-prof-dir=${out}`,
    `--cpu-prof-name=${each.name}`,
    'server/index.ts',
  ])
  const n = await countOf(world, each, kiraya)
  for (let round = 0; round < rounds; round++) await once(world, each, kiraya, n)
  await Promise.all(servers.splice(0).map(server => server.end()))
  say(
    `${n * rounds} requests of ${each.name}; the profile is in ${out}: ${[...new Bun.Glob(`${each.name}*`).scanSync(out)].join(', ')}`,
  )
}
