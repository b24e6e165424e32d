import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listMissingPrograms } from './cluster/daemons'
import { failOver } from './cluster/failover'
import { startMachines } from './cluster/machines'
import { measureRoutes, type Measurement } from './cluster/measure-routes'
import { writeReport } from './cluster/report'
import { measureInstances, measureWorkers, startFollowed, type Measure } from './cluster/sections'
import { root } from './processes'
import { exitWithError, print, readScale } from './terminal'

const SCALES = { '1k': 1000, '10k': 10_000, '100k': 100_000, '1m': 1_000_000 }

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '10k' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1.5' },
    out: { type: 'string', default: join(root, '.data/bench/report') },
  },
})
const { scale } = values
const owned = readScale(SCALES, scale)
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const out = resolve(values.out)
const missing = listMissingPrograms()
if (missing.length)
  exitWithError(`This needs ${missing.join(' and ')}. On Debian: apt-get install -y ${missing.join(' ')}`)

const ends: (() => Promise<unknown>)[] = []
let ending: Promise<void> | undefined
const endAll = () => (ending ??= endInReverse())
async function endInReverse() {
  for (const end of ends.toReversed()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endAll().finally(() => process.exit(1)))

try {
  await main()
} finally {
  await endAll()
}

async function main() {
  await mkdir(out, { recursive: true })
  const machines = await startMachines(owned, ends)
  print(`PostgreSQL runs, with ${scale} properties`)
  const measured: Measurement[] = []
  const measure: Measure = async (routes, caseNames) => {
    measured.push(...(await measureRoutes(machines.world, routes, caseNames, { rounds, seconds })))
  }
  await measureWorkers(machines, measure)
  await measureInstances(machines, measure)
  const failover = await failOver(machines, await startFollowed(machines))
  await machines.endPrograms()
  await writeReport(out, { scale, rounds, measured, failover })
}
