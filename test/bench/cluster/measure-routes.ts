import { cases, type Case } from '../cases'
import { getMedian, sendLoad, type RawResponse } from '../load'
import { print } from '../terminal'
import type { World } from '../world'

export const CONNECTIONS = 64
/** Warms the code of several processes up. */
const WARM_UP_REQUESTS = 600

type CpuClocks = Record<string, () => number>

/** A way to the servers: the port to ask, and the processes whose CPU time counts. */
export type Route = { section: string; name: string; port: number; clocks: CpuClocks }
type Figures = { perSecond: number; p50: number; p99: number; cpuUs: Record<string, number> }
export type Measurement = Figures & { section: string; name: string; work: string }
export type MeasureOptions = { rounds: number; seconds: number }

/** Measures all routes in turn, so that other work on the machine meets all of them. */
export async function measureRoutes(
  world: World,
  routes: Route[],
  caseNames: string[],
  options: MeasureOptions,
) {
  const measurements: Measurement[] = []
  for (const name of caseNames) {
    const each = cases.find(candidate => candidate.name === name)!
    measurements.push(...(await measureCase(world, routes, each, options)))
  }
  return measurements
}

async function measureCase(world: World, routes: Route[], each: Case, { rounds, seconds }: MeasureOptions) {
  for (const route of routes) await measureRound(world, route, each, WARM_UP_REQUESTS)
  const pilot = await measureRound(world, routes[0]!, each, WARM_UP_REQUESTS / 2)
  const count = Math.max(CONNECTIONS, Math.round(pilot.perSecond * seconds))
  const figures = routes.map((): Figures[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, route] of routes.entries())
      figures[index]!.push(await measureRound(world, route, each, count))
  return routes.map((route, index) => {
    const measurement = toMeasurement(route, each, figures[index]!)
    print(describe(measurement))
    return measurement
  })
}

function toMeasurement({ section, name }: Route, { what }: Case, rounds: Figures[]): Measurement {
  const getMiddle = (pick: (figures: Figures) => number) => getMedian(rounds.map(pick))
  const parts = Object.keys(rounds[0]!.cpuUs)
  return {
    section,
    name,
    work: what,
    perSecond: getMiddle(({ perSecond }) => perSecond),
    p50: getMiddle(({ p50 }) => p50),
    p99: getMiddle(({ p99 }) => p99),
    cpuUs: Object.fromEntries(parts.map(part => [part, getMiddle(({ cpuUs }) => cpuUs[part]!)])),
  }
}

function describe({ name, work, perSecond, p99, cpuUs }: Measurement) {
  const cpu = Object.entries(cpuUs).map(([part, us]) => `${part} ${us.toFixed(0)}`)
  const rate = `${perSecond.toFixed(0).padStart(6)}/s  p99 ${p99.toFixed(1)} ms`
  return `${name.padEnd(60)} ${work.padEnd(22)} ${rate}  ${cpu.join('  ')} µs`
}

async function measureRound(world: World, route: Route, each: Case, count: number): Promise<Figures> {
  const requests = await each.createRequests(world, count)
  const clocks = Object.entries({ ...route.clocks, load: getOwnCpuS })
  const before = clocks.map(([, getCpuS]) => getCpuS())
  const isExpected = ({ status }: RawResponse) => status === each.status
  const { seconds, p50, p99 } = await sendLoad(route.port, requests, CONNECTIONS, isExpected)
  const cpuUs = clocks.map(([part, getCpuS], index) => [part, ((getCpuS() - before[index]!) / count) * 1e6])
  return { perSecond: count / seconds, p50, p99, cpuUs: Object.fromEntries(cpuUs) }
}

function getOwnCpuS() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
