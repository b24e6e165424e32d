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

/** Starts a standby that shows every acknowledged change, and two servers on it behind a proxy; returns its port. */
export async function startFollowed(machines: Machines) {
  const { database } = machines
  await database.follow()
  const env = {
    DATABASE_REPLICA_URL: database.urlAt(database.socket, STANDBY),
    DATABASE_TIMEOUT_MS: '2500',
  }
  const pair = [
    await startPooledInstance(machines, 'failing-over-0', env),
    await startPooledInstance(machines, 'failing-over-1', env),
  ]
  const proxy = await machines.startProxy([pair])
  await Bun.sleep(REPLICA_TRUST_MS)
  return proxy.ports[0]!
}
