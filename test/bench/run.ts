import { mkdir } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { cases, type Case } from './cases'
import { measureStarts } from './cold'
import { openFilledDatabase, type BenchDatabase } from './database'
import { getLayout } from './layout'
import { CONNECTIONS, countRequests, measureCase, measureRound } from './measure'
import { readOptions } from './options'
import {
  getServerEnv,
  isPinned,
  leaveServerCore,
  root,
  SERVER,
  startServer,
  useAllCores,
  type Server,
} from './processes'
import {
  toComparison,
  toMarkdown,
  type EnduranceFigure,
  type MemoryFigure,
  type Report,
  type Row,
} from './report'
import { print } from './terminal'
import { createSecrets, createWorld, type World } from './world'

const MEMORY_BAR_MB = 150
const START_REPEATS = 5
const ENDURANCE_PARTS = 10
const FLOOR = ['test/bench/floor.ts']
/** Hashes passwords, which takes 64 MiB each; it comes after the memory of the other cases is known. */
const LOGIN = 'login'

const options = await readOptions()
const { out, pace } = options
const dataDir = join(root, '.data/bench')

leaveServerCore()
await mkdir(out, { recursive: true })
const database = await openFilledDatabase(dataDir, options.owned)
print(
  database.filledS === undefined
    ? 'An earlier run has filled the database'
    : `Filled the database in ${database.filledS.toFixed(0)} s`,
)
const secrets = createSecrets()
const env = createEnv(database)
const running: Server[] = []

try {
  const world = await createWorld(database.sql, getLayout(options.owned), secrets)
  if (options.isProfile) await profile(world, options.cases[0]!)
  else await measureAll(world)
} finally {
  await endServers()
  await database.end()
}

function createEnv({ url, socket }: BenchDatabase) {
  const name = new URL(url).pathname.slice(1)
  return { ...getServerEnv(url, dataDir, secrets), DATABASE_SOCKET: socket, DATABASE_NAME: name }
}

async function start(name: string, command: string[]) {
  const server = await startServer({ name, command, env, log: join(dataDir, `${name}.log`) })
  running.push(server)
  return server
}

async function endServers() {
  await Promise.all(running.splice(0).map(server => server.end()))
}

async function measureAll(world: World) {
  const endurance = options.endure === undefined ? [] : await endure(world, options.endure)
  const hasCases = options.cases.length > 0 && options.endure === undefined
  const { rows, memory } = hasCases ? await measureCases(world) : { rows: [], memory: [] }
  await endServers()
  useAllCores()
  const starts = options.isCold ? await measureStarts(START_REPEATS) : []
  const report: Report = {
    date: new Date().toISOString(),
    scale: options.scale,
    rounds: pace.rounds,
    rows,
    memory,
    endurance,
    machine: `${cpus()[0]!.model.trim()}, ${cpus().length} cores`,
    settings: describeSettings(),
    starts,
  }
  await writeReport(report)
}

function describeSettings() {
  const pinning = isPinned ? 'a core for the server, one for load and PostgreSQL' : 'shared cores'
  const logs = `Kiraya logs at ${env.LOG_LEVEL} to a file, the floor does not log.`
  return `Bun ${Bun.version}, ${CONNECTIONS} connections; ${pinning}; ${logs}`
}

async function writeReport(report: Report) {
  const text = toMarkdown(report)
  print(`\n${text}`)
  await Bun.write(join(out, 'bench.md'), text)
  await Bun.write(join(out, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`)
  if (options.earlier) print(toComparison(options.earlier, report))
  print(`bench.md and bench.json are in ${out}`)
}

async function measureCases(world: World) {
  const rows: Row[] = []
  const memory: MemoryFigure[] = []
  const floor = await start('floor', FLOOR)
  const kiraya = await start('kiraya', SERVER)
  const recordMemory = (what: string, field: 'nowMb' | 'peakMb', bar?: number) =>
    memory.push({ what, floorMb: floor.getMemory()[field], kirayaMb: kiraya.getMemory()[field], bar })
  recordMemory('before the first request', 'nowMb')
  for (const each of options.cases) {
    if (each.name === LOGIN) recordMemory('peak without password hashing', 'peakMb', MEMORY_BAR_MB)
    const row = await measureCase(world, each, { floor, kiraya }, pace)
    print(describeRow(row))
    rows.push(row)
  }
  if (rows.at(-1)?.name === LOGIN) recordMemory('peak with password hashing', 'peakMb')
  else recordMemory('peak', 'peakMb', MEMORY_BAR_MB)
  return { rows, memory }
}

function describeRow({ name, kiraya, floor, ratio, bar, requests }: Row) {
  const cpu = `${kiraya.cpuUs.toFixed(0).padStart(7)} µs  floor ${floor.cpuUs.toFixed(0).padStart(6)}`
  const compared = `ratio ${ratio.toFixed(2)} of ${bar ?? '–'}`
  return `${name.padEnd(18)} ${cpu}  ${compared}  p99 ${kiraya.p99.toFixed(1)} ms  ${requests} × ${pace.rounds}`
}

/** Measures memory over many reads of every kind. */
async function endure(world: World, total: number) {
  const kiraya = await start('kiraya', SERVER)
  const selected = options.cases.length ? options.cases : cases
  const reads = selected.filter(({ isRead }) => isRead)
  const count = Math.ceil(total / ENDURANCE_PARTS / reads.length)
  const figures: EnduranceFigure[] = []
  for (let part = 1; part <= ENDURANCE_PARTS; part++) {
    for (const each of reads) await measureRound(world, each, kiraya, count)
    const figure = { requests: part * count * reads.length, mb: kiraya.getMemory().nowMb }
    figures.push(figure)
    print(`after ${figure.requests} requests: ${figure.mb.toFixed(0)} MB`)
  }
  await endServers()
  return figures
}

/** Runs a case under Bun's sampling profiler, which writes when the server ends. */
async function profile(world: World, each: Case) {
  const profiler = ['--cpu-prof', '--cpu-prof-md', `--cpu-prof-dir=${out}`, `--cpu-prof-name=${each.name}`]
  const kiraya = await start('kiraya', [...profiler, ...SERVER])
  const count = await countRequests(world, each, kiraya, pace)
  for (let round = 0; round < pace.rounds; round++) await measureRound(world, each, kiraya, count)
  await endServers()
  const files = [...new Bun.Glob(`${each.name}*`).scanSync(out)]
  print(`${count * pace.rounds} requests of ${each.name}; the profile is in ${out}: ${files.join(', ')}`)
}
