import { expect, test } from 'bun:test'
import { openDatabase } from '../../../db/database'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { freshDatabase } from '../database'
import { serverSettings } from '../process'
import { chooseSeed, createRandom, type Random } from '../random'
import { report, runTogether, waitUntil } from '../round'
import { startUnreliableProxy } from './unreliable-proxy'
import { createMarkedClient } from './marked-client'
import { createLane, type UnitRow } from './marked-lane'

/** However slow the machine is, so many requests pass from one broken connection to the next. */
const REQUESTS_BETWEEN = 10
/** How many requests of a client are under way at once. */
const LANES = 3

const UNITS = `select p.id, p.landlord_id, p.alias_name, u.id as unit_id, u.unit_notes
  from properties p join property_units u on u.property_id = p.id`

/** Terminates one connection of the server after the other. */
function startTerminating(sql: Bun.SQL, name: string, countLeft: () => number) {
  const counts = { terminated: 0 }
  let isRunning = true
  const running = (async () => {
    for (let next = countLeft(); isRunning; await Bun.sleep(5)) {
      if (countLeft() > next) continue
      next -= REQUESTS_BETWEEN
      const ended = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and application_name = 'kiraya' order by random() limit 1`
      counts.terminated += ended.length
    }
  })()
  const stop = () => {
    isRunning = false
    return running
  }
  return { counts, stop }
}

/** A server behind a proxy that fails, and a connection of the test's own to the database. */
async function startBehindProxy(random: Random) {
  const database = await freshDatabase()
  const socket = `${new URL(database.url).searchParams.get('host')}/.s.PGSQL.5432`
  const proxy = await startUnreliableProxy(socket, random)
  const url = `postgresql://kiraya@localhost/${database.name}?host=${encodeURIComponent(proxy.folder)}`
  const config = readConfig({ ...serverSettings, PORT: '0', DATABASE_URL: url, RUN_JOBS: 'false' })
  const server = startServer(config, openDatabase(url), createLog('silent', false))
  await server.ready
  const sql = new Bun.SQL(database.url, { max: 1 })
  const end = async () => {
    await sql.end()
    await server.stop()
    await proxy.stop()
    await database.drop()
  }
  return { url: server.url, proxy, sql, name: database.name, [Symbol.asyncDispose]: end }
}

const seed = chooseSeed()

// No response may hold what belongs to another user or to another request, whatever happens between
// the server and its database. SEED=… repeats the same choices; what happens when is up to the machine.
export const testMixedAnswers = (requests: number, clients: number) =>
  test(`each of ${requests} responses belongs to its request, while connections break and clients leave (seed ${seed})`, async () => {
    await expectUnmixedAnswers(requests, clients)
  }, 900_000)

/** Requires each response to belong to its request while the database fails, and every acknowledged change to be there. */
async function expectUnmixedAnswers(requests: number, clientCount: number) {
  const random = createRandom(seed)
  await using server = await startBehindProxy(random)
  const { url, proxy, sql } = server
  const clients = await runTogether(clientCount, () => createMarkedClient(url, random))
  const owners = clients.flatMap(client => Array.from({ length: LANES }, () => client))
  const lanes = await Promise.all(owners.map(client => createLane(client, random)))

  proxy.calm(false)
  let left = requests
  const chaos = startTerminating(sql, server.name, () => left)
  const sendInTurn = async (lane: (typeof lanes)[number]) => {
    while (left-- > 0) await lane.sendRandomRequest()
  }
  await Promise.all(lanes.map(sendInTurn)).finally(chaos.stop)
  proxy.calm(true)

  const sum = (outcome: 'answered' | 'refused' | 'gone') =>
    clients.reduce((total, { outcomes }) => total + outcomes[outcome], 0)
  const totals = { answered: sum('answered'), refused: sum('refused'), gone: sum('gone') }
  report('mixed answers', { ...totals, ...chaos.counts, ...proxy.counts })
  expect(clients.flatMap(client => client.violations)).toEqual([])
  // The disturbances were felt, and most requests still went well: otherwise nothing was tried.
  expect(totals.answered).toBeGreaterThan(requests / 2)
  const disturbances = [totals.refused, totals.gone, proxy.counts.cuts, chaos.counts.terminated]
  expect(Math.min(...disturbances)).toBeGreaterThan(0)

  await waitUntil(async () => (await fetch(`${url}/health/ready`)).status === 200, 'ready again')
  const rows: UnitRow[] = await sql.unsafe(UNITS)
  expect(lanes.flatMap(lane => lane.findLostChanges(rows))).toEqual([])
  for (const lane of lanes) await lane.getUnit()
  expect(clients.flatMap(client => client.violations)).toEqual([])
}
