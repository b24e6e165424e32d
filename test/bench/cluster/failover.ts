import { STANDBY } from '../../support/cluster'
import { print } from '../terminal'
import type { World } from '../world'
import type { Machines } from './machines'

const CLIENTS = 16
const BEFORE_MS = 3000
/** The time to be sure that the primary is lost. */
const DETECTION_MS = 1000
const AFTER_MS = 6000

export type Failover = {
  killed_to_promoted_ms: number
  acknowledged: Record<'before' | 'during' | 'after', number>
  refused_writes: number
  refused_reads: number
  writes_refused_for_ms: number
  lost: number
}

/** A status of 0 stands for no response. */
type Outcome = { id?: number; status: number; at: number }

/** Kills the primary under load and promotes the replica. */
export async function failOver(machines: Machines, port: number): Promise<Failover> {
  const { database, pooler, world } = machines
  const load = startLoad(world, port)
  await Bun.sleep(BEFORE_MS)
  const killedAt = performance.now()
  await database.signal('SIGKILL')
  await Bun.sleep(DETECTION_MS)
  await database.promote()
  await pooler.pointTo(STANDBY)
  const promotedAt = performance.now()
  await Bun.sleep(AFTER_MS)
  const { writes, reads } = await load.stop()
  const rows = await database.ask('select id from properties', STANDBY)
  const storedIds = new Set(rows.map(({ id }): number => id))
  const failover = toFailover(writes, reads, killedAt, promotedAt, storedIds)
  const others = [...writes, ...reads].filter(({ status }) => ![200, 201, 503].includes(status))
  print(`Failover: ${JSON.stringify(failover)}; responses other than 2xx and 503: ${others.length}`)
  if (failover.lost || !failover.acknowledged.after)
    throw new Error('Acknowledged writes were lost, or none came after the failover')
  return failover
}

function toFailover(
  writes: Outcome[],
  reads: Outcome[],
  killedAt: number,
  promotedAt: number,
  storedIds: Set<number>,
): Failover {
  const created = writes.filter(({ status }) => status === 201)
  const firstAfter = created.find(({ at }) => at > promotedAt)?.at ?? Infinity
  const lastBefore = created.findLast(({ at }) => at < promotedAt)?.at ?? killedAt
  return {
    killed_to_promoted_ms: Math.round(promotedAt - killedAt),
    acknowledged: {
      before: created.filter(({ at }) => at <= killedAt).length,
      during: created.filter(({ at }) => at > killedAt && at < firstAfter).length,
      after: created.filter(({ at }) => at >= firstAfter).length,
    },
    refused_writes: writes.length - created.length,
    refused_reads: reads.filter(({ status }) => status !== 200).length,
    writes_refused_for_ms: Math.round(firstAfter - lastBefore),
    lost: created.filter(({ id }) => !storedIds.has(id!)).length,
  }
}

/** Half of the clients read, the others write. */
function startLoad({ writers, readers }: World, port: number) {
  const writes: Outcome[] = []
  const reads: Outcome[] = []
  let isRunning = true
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const reader = readers[index % readers.length]!
    const writer = writers[index % writers.length]!
    while (isRunning) {
      if (index % 2) reads.push(await readProperties(port, reader.token))
      else writes.push(await createProperty(port, writer.token))
      await Bun.sleep(5)
    }
  })
  const stop = async () => {
    isRunning = false
    await Promise.all(clients)
    return { writes, reads }
  }
  return { stop }
}

const readProperties = (port: number, token: string) => send(port, 'GET', '/properties?limit=20', token)

const createProperty = (port: number, token: string) =>
  send(port, 'POST', '/properties', token, {
    pin_code: 560_048,
    property_type: 'pg',
    property_units: [{ unit_name: 'A' }],
  })

async function send(
  port: number,
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<Outcome> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    const { data } = (await response.json()) as { data?: { id?: number } }
    return { status: response.status, id: data?.id, at: performance.now() }
  } catch {
    return { status: 0, at: performance.now() }
  }
}
