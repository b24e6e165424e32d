import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PORT, startOwnCluster, type OwnCluster } from '../../support/cluster'
import { startFaultyProxy } from '../../support/mixed/faulty-proxy'
import { expectUnmixedAnswers } from '../../support/mixed/mixing'
import { getPort, serverProcess, type ServerProcess } from '../../support/process'
import { chooseSeed, createRandom } from '../../support/random'
import { startChaos } from './database-chaos'

// No response may hold what belongs to another user or to another request, whatever happens between
// the server and its database. SEED=… repeats the same choices; what happens when is up to the machine.
const REQUESTS = 20_000
const seed = chooseSeed()
const random = createRandom(seed)

let cluster: OwnCluster
let proxy: Awaited<ReturnType<typeof startFaultyProxy>>
let server: ServerProcess

beforeAll(async () => {
  cluster = await startOwnCluster()
  proxy = await startFaultyProxy(`${cluster.socket}/.s.PGSQL.${PORT}`, random)
  proxy.calm(true)
  server = serverProcess({ PORT: '0', DATABASE_URL: cluster.urlAt(proxy.folder), RUN_JOBS: 'false' })
  await server.listening
}, 60_000)

afterAll(async () => {
  await server?.end('SIGKILL')
  await proxy?.stop()
  await cluster?.end()
})

test(`each of ${REQUESTS} responses belongs to its request, while connections, backends and clients fail (seed ${seed})`, async () => {
  await expectUnmixedAnswers({
    url: `http://127.0.0.1:${getPort(server)}`,
    proxy,
    startChaos: () => startChaos(cluster, random),
    requests: REQUESTS,
    clients: 16,
    lanes: 3,
    random,
    loadUnits: cluster.ask,
  })
  expect(await server.end('SIGTERM')).toBe(0)
}, 900_000)
