import type { Case } from './cases'
import { sendLoad, sendRaw, type RawResponse } from './load'
import type { Server } from './processes'
import { toRow, type Figures, type Round, type Row } from './report'
import type { World } from './world'

export const CONNECTIONS = 32
const PILOT_REQUESTS = 200
const MIN_SLOW_REQUESTS = 4
const COMPARED_REQUESTS = 3
/** By then the code of a case is compiled, as in a server in use; a change takes longer, and compiles more a request. */
const WARM_UP_READS = 20_000
const WARM_UP_CHANGES = 6000

/** `requests` fixes the length of a round; without it a round takes `seconds`. */
type Pace = { rounds: number; requests: number | undefined; seconds: number }
type Servers = { floor: Server | undefined; kiraya: Server }

/** Measures Kiraya, and in turn the floor if the case has one, so that other work on the machine meets both. */
export async function measureCase(world: World, each: Case, servers: Servers, pace: Pace): Promise<Row> {
  const { floor, kiraya } = servers
  if (floor) await compareResponses(world, each, floor, kiraya)
  const requests = await countRequests(world, each, kiraya, pace)
  const warmUp = Math.max(requests, scaleCount(each, each.isRead ? WARM_UP_READS : WARM_UP_CHANGES))
  if (floor) await measureRound(world, each, floor, warmUp)
  await measureRound(world, each, kiraya, warmUp)
  const rounds: Round[] = []
  for (let round = 0; round < pace.rounds; round++)
    rounds.push({
      floor: floor && (await measureRound(world, each, floor, requests)),
      kiraya: await measureRound(world, each, kiraya, requests),
    })
  const { name, what, bar } = each
  return toRow({ name, what, bar, requests, rssMb: kiraya.getMemory().nowMb }, rounds)
}

export async function measureRound(
  world: World,
  each: Case,
  server: Server,
  count: number,
): Promise<Figures> {
  const requests = await each.createRequests(world, count)
  const cpuBeforeS = server.getCpuS()
  const isExpected = ({ status }: RawResponse) => status === each.status
  const { seconds, p50, p99 } = await sendLoad(server.port, requests, CONNECTIONS, isExpected)
  const cpuS = server.getCpuS() - cpuBeforeS
  return { perSecond: count / seconds, p50, p99, cpuUs: (cpuS / count) * 1e6 }
}

/** Counts the requests of a round: as many as asked for, or as Kiraya answers in the round's seconds. */
export async function countRequests(world: World, each: Case, kiraya: Server, pace: Pace) {
  if (pace.requests) return scaleCount(each, pace.requests)
  const { perSecond } = await measureRound(world, each, kiraya, scaleCount(each, PILOT_REQUESTS))
  return scaleCount(each, (perSecond * pace.seconds) / (each.share ?? 1))
}

/** Takes a slow case's share of a count. */
function scaleCount({ share = 1 }: Case, count: number) {
  const min = share < 1 ? MIN_SLOW_REQUESTS : CONNECTIONS
  return Math.max(min, Math.round(count * share))
}

/** Checks that both give the same JSON to a read, and JSON of the same shape to a change. */
async function compareResponses(world: World, each: Case, floor: Server, kiraya: Server) {
  const forFloor = await each.createRequests(world, COMPARED_REQUESTS)
  const forKiraya = each.isRead ? forFloor : await each.createRequests(world, COMPARED_REQUESTS)
  for (const [index, request] of forFloor.entries()) {
    const expected = toComparable(each, await sendRaw(floor.port, request))
    const actual = toComparable(each, await sendRaw(kiraya.port, forKiraya[index]!))
    if (typeof expected !== 'object' || !Bun.deepEquals(expected, actual))
      throw new Error(
        `${each.name}: the responses differ\nfloor:  ${JSON.stringify(expected)}\nKiraya: ${JSON.stringify(actual)}`,
      )
  }
}

function toComparable(each: Case, { status, body }: RawResponse): unknown {
  if (status !== each.status) return `${status} ${body}`
  return each.isRead ? JSON.parse(body) : toShape(JSON.parse(body))
}

/** Replaces values by their types, for responses that cannot be equal; a list counts by its first element. */
function toShape(value: unknown): unknown {
  if (value === null) return null
  if (Array.isArray(value)) return value.slice(0, 1).map(toShape)
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toShape(inner)]))
}
