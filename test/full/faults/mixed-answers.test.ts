import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startOwnCluster, PORT } from '../../support/cluster'
import { startChaos } from './database-chaos'
import { startFaultyProxy } from './faulty-proxy'
import { createMarkedClient, type MarkedClient } from './marked-client'
import { createLane, type Lane, type UnitRow } from './marked-lane'
import { createRandom } from '../../support/random'
import { chooseByRound, report, runTogether, waitUntil } from '../../support/round'
import { freePort, serverProcess, type ServerProcess } from '../../support/process'

// No response may hold what belongs to another user or to another request, whatever happens between
// the server and its database. SEED=… repeats the same choices; what happens when is up to the machine.
const REQUESTS = chooseByRound(50_000, 3000)
const CLIENTS = 16
const LANES = 3
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const random = createRandom(seed)

const port = freePort()
const url = `http://127.0.0.1:${port}`
let cluster: Awaited<ReturnType<typeof startOwnCluster>>
let proxy: Awaited<ReturnType<typeof startFaultyProxy>>
let server: ServerProcess
let clients: MarkedClient[]
let lanes: Lane[]

beforeAll(async () => {
  cluster = await startOwnCluster()
  await createClients()
  proxy = await startFaultyProxy(`${cluster.socket}/.s.PGSQL.${PORT}`, random)
  server = serverProcess({
    PORT: port,
    DATABASE_URL: cluster.urlAt(proxy.folder),
    RUN_JOBS: 'false',
  })
  await server.listening
}, 60_000)

afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.child.exited
  await proxy?.stop()
  await cluster?.end()
})

test(
  `each of ${REQUESTS} responses belongs to its request, while connections, backends and clients fail (seed ${seed})`,
  async () => {
    const chaos = startChaos(cluster, random)
    let left = REQUESTS
    try {
      await Promise.all(
        lanes.map(async lane => {
          while (left-- > 0) await lane.sendRandomRequest()
        }),
      )
    } finally {
      await chaos.stop()
      proxy.calm(true)
    }

    const totals = { answered: 0, refused: 0, gone: 0 }
    for (const { outcomes } of clients) {
      totals.answered += outcomes.answered
      totals.refused += outcomes.refused
      totals.gone += outcomes.gone
    }
    report('mixed answers', { seed, ...totals, ...chaos.counts, ...proxy.counts })
    expect(clients.flatMap(client => client.violations)).toEqual([])
    // The faults were felt, and most requests still went well: otherwise nothing was tried.
    expect(totals.refused).toBeGreaterThan(0)
    expect(totals.gone).toBeGreaterThan(0)
    expect(totals.answered).toBeGreaterThan(REQUESTS / 2)
    expect(Math.min(proxy.counts.cuts, chaos.counts.terminated, chaos.counts.frozen)).toBeGreaterThan(0)
  },
  chooseByRound(900_000, 90_000),
)

test('afterwards every acknowledged change is there, and the server answers normally', async () => {
  await waitUntil(async () => (await fetch(`${url}/health/ready`)).status === 200, 'ready again')
  const rows = await cluster.ask(
    `select p.id, p.landlord_id, p.alias_name, u.id as unit_id, u.unit_notes
     from properties p join property_units u on u.property_id = p.id`,
  )
  expect(lanes.flatMap(lane => lane.findLostChanges(rows as UnitRow[]))).toEqual([])

  for (const lane of lanes) await lane.getUnit()
  expect(clients.flatMap(client => client.violations)).toEqual([])
  expect(await server.end('SIGTERM')).toBe(0)
}, 60_000)

/** Signs in at a server of its own, which is as patient as a busy machine needs. */
async function createClients() {
  const setup = serverProcess({
    PORT: port,
    DATABASE_URL: cluster.urlAt(cluster.socket),
    DATABASE_TIMEOUT_MS: '30000',
    RUN_JOBS: 'false',
  })
  try {
    await setup.listening
    clients = await runTogether(CLIENTS, () => createMarkedClient(url, random))
    const eachLane = clients.flatMap(client => Array.from({ length: LANES }, () => client))
    lanes = await Promise.all(eachLane.map(client => createLane(client, random)))
  } finally {
    await setup.end('SIGTERM')
  }
}
