import { mkdir } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Case } from './cases'
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
import { toComparison, toMarkdown, type MemoryFigure, type Report, type Row } from './report'
import { print } from './terminal'
import { createSecrets, createWorld, type World } from './world'

const MEMORY_BAR_MB = 150
const START_REPEATS = 5
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
  const { rows, memory } = options.cases.length ? await measureCases(world) : { rows: [], memory: [] }
  await endServers()
  useAllCores()
  const starts = options.isCold ? await measureStarts(START_REPEATS) : []
  const report: Report = {
    date: new Date().toISOString(),
    scale: options.scale,
    rounds: pace.rounds,
    rows,
    memory,
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
    const row = await measureCase(world, each, { floor: each.bar ? floor : undefined, kiraya }, pace)
    print(describeRow(row))
    rows.push(row)
  }
  if (rows.at(-1)?.name === LOGIN) recordMemory('peak with password hashing', 'peakMb')
  else recordMemory('peak', 'peakMb', MEMORY_BAR_MB)
  return { rows, memory }
}

function describeRow({ name, kiraya, floor, ratio, bar, requests }: Row) {
  const cpu = `${name.padEnd(18)} ${kiraya.cpuUs.toFixed(0).padStart(7)} µs`
  const compared = floor
    ? `floor ${floor.cpuUs.toFixed(0).padStart(6)}  ratio ${ratio?.toFixed(2) ?? '–'} of ${bar}`
    : ''
  return `${cpu}  ${compared.padEnd(28)}  p99 ${kiraya.p99.toFixed(1)} ms  ${requests} × ${pace.rounds}`
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
