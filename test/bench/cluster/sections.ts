import { STANDBY } from '../../support/cluster'
import { findFreePort, getCpuS, type Server } from '../processes'
import type { Machines } from './machines'
import type { Route } from './measure-routes'

export type Measure = (routes: Route[], caseNames: string[]) => Promise<void>

/** Until the proxy has seen that its servers are healthy. */
const PROXY_CHECK_MS = 1500
/** Until the servers trust the replica, too. */
const REPLICA_TRUST_MS = 8000
const COUNTS = [1, 2, 4]
const INSTANCES = 4

const sumCpu = (servers: Server[]) => () => servers.reduce((sum, server) => sum + server.getCpuS(), 0)

/** Workers on one machine, beside as many processes of the floor. */
export async function measureWorkers(machines: Machines, measure: Measure) {
  const section = 'workers'
  const primary = machines.getPrimaryCpuS
  const routes: Route[] = []
  for (const count of COUNTS) {
    const { port, getCpuS } = await machines.startKiraya(`workers-${count}`, { WORKERS: String(count) })
    routes.push({ section, name: `WORKERS=${count}`, port, clocks: { Kiraya: getCpuS, primary } })
  }
  for (const count of COUNTS) {
    const port = findFreePort()
    const floors: Server[] = []
    for (let index = 0; index < count; index++)
      floors.push(await machines.startFloor(`floor-${count}-${index}`, port))
    routes.push({ section, name: `floor, ${count} of it`, port, clocks: { Kiraya: sumCpu(floors), primary } })
  }
  await measure(routes, ['properties'])
  await machines.endPrograms()
}

/** The cost of statements that are planned anew, and of the pooler. */
export async function measureStatements(machines: Machines, measure: Measure) {
  const { directUrl, pooler, getPrimaryCpuS, getPoolerCpuS } = machines
  const urls = [
    ['prepared', directUrl],
    ['unprepared', `${directUrl}&prepared=false`],
    ['unprepared, through PgBouncer', pooler.url],
  ] as const
  const routes: Route[] = []
  for (const [name, DATABASE_URL] of urls) {
    const { port, getCpuS } = await machines.startKiraya(`statements-${routes.length}`, { DATABASE_URL })
    const clocks = { Kiraya: getCpuS, primary: getPrimaryCpuS, PgBouncer: getPoolerCpuS }
    routes.push({ section: 'statements', name, port, clocks })
  }
  await measure(routes, ['me', 'properties'])
  await machines.endPrograms()
}

const startPooledInstance = (machines: Machines, name: string, env: Record<string, string> = {}) =>
  machines.startKiraya(name, { DATABASE_URL: machines.pooler.url, TRUSTED_PROXIES: '2', ...env })

/** Several machines, as far as one can stand for them: instances behind HAProxy, on PgBouncer. */
export async function measureInstances(machines: Machines, measure: Measure) {
  const { getPrimaryCpuS, getPoolerCpuS } = machines
  const instances: Server[] = []
  for (let index = 0; index < INSTANCES; index++)
    instances.push(await startPooledInstance(machines, `instance-${index}`))
  const proxy = await machines.startProxy(COUNTS.map(count => instances.slice(0, count)))
  await Bun.sleep(PROXY_CHECK_MS)
  const clocks = {
    Kiraya: sumCpu(instances),
    primary: getPrimaryCpuS,
    PgBouncer: getPoolerCpuS,
    HAProxy: () => getCpuS(proxy.pid),
  }
  const routes = COUNTS.map((count, index) => {
    const port = proxy.ports[index]!
    return { section: 'instances', name: `${count} behind HAProxy`, port, clocks }
  })
  await measure(routes, ['properties', 'patch-unit'])
  await machines.endPrograms()
}

/** Starts a standby that shows every acknowledged change; returns the setting that leads reads to it. */
export async function measureReplica(machines: Machines, measure: Measure) {
  const { database, getPrimaryCpuS, getPoolerCpuS } = machines
  await measureWithoutReplica(machines, measure)
  await database.follow()
  const [replicaPid] = await database.processes(database.standby)
  const DATABASE_REPLICA_URL = database.urlAt(database.socket, STANDBY)
  const groups = [
    await startPair(machines, 'primary-reader', {}),
    await startPair(machines, 'replica-reader', { DATABASE_REPLICA_URL }),
  ]
  const proxy = await startTrustingProxy(machines, groups)
  const names = ['a replica that reads do not go to', 'reads from the replica']
  const routes = names.map((name, index) => ({
    section: 'replica',
    name: `2 behind HAProxy, ${name}`,
    port: proxy.ports[index]!,
    clocks: {
      Kiraya: sumCpu(groups[index]!),
      primary: getPrimaryCpuS,
      replica: () => getCpuS(replicaPid!),
      PgBouncer: getPoolerCpuS,
      HAProxy: () => getCpuS(proxy.pid),
    },
  }))
  await measure(routes, ['properties', 'patch-unit'])
  await machines.endPrograms()
  return { DATABASE_REPLICA_URL }
}

async function measureWithoutReplica(machines: Machines, measure: Measure) {
  const { pooler, getPrimaryCpuS, getPoolerCpuS } = machines
  const { port, getCpuS } = await machines.startKiraya('without-replica', { DATABASE_URL: pooler.url })
  const clocks = { Kiraya: getCpuS, primary: getPrimaryCpuS, PgBouncer: getPoolerCpuS }
  await measure([{ section: 'replica', name: '1, no replica', port, clocks }], ['patch-unit'])
  await machines.endPrograms()
}

export const startPair = async (machines: Machines, name: string, env: Record<string, string>) => [
  await startPooledInstance(machines, `${name}-0`, env),
  await startPooledInstance(machines, `${name}-1`, env),
]

export async function startTrustingProxy(machines: Machines, groups: Server[][]) {
  const proxy = await machines.startProxy(groups)
  await Bun.sleep(REPLICA_TRUST_MS)
  return proxy
}
