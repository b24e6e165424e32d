import type { Pool, PoolClient } from 'pg'
import type { PatientClient } from './connections'
import { UNHURRIED_MS, Wait } from './work'

/** A connection; `leave` closes it, if that has not happened yet. */
type Held = { client: PoolClient & PatientClient; restsAtMs: number; leave: () => void }
/** Somebody who waits for one. */
class Turn extends Wait<Held> {
  constructor(
    private readonly waiting: Turn[],
    limitMs?: number,
  ) {
    super(limitMs)
    waiting.push(this)
  }

  protected override late() {
    const at = this.waiting.indexOf(this)
    if (at >= 0) this.waiting.splice(at, 1)
  }
}
/** A connection that nobody needs for so long is closed. */
const IDLE_MS = 10_000
const SWEEP_MS = 1000

/**
 * Keeps a pool usable whatever becomes of the database. The pool opens and closes connections; between two of their users
 * they rest here, since its own way to pass one on takes several timers and turns of the event loop. `limitMs` is the most that
 * anybody waits for one. Tells how many there are.
 */
export function guard(pool: Pool, limitMs?: number) {
  const connect = pool.connect.bind(pool) as () => Promise<Held['client']>
  const end = pool.end.bind(pool) as () => Promise<void>
  const resting: Held[] = []
  const waiting: Turn[] = []
  let opening = 0
  let lateAtMs = -Infinity
  let sweeping: ReturnType<typeof setInterval> | undefined

  /** Opens as many as are waited for and may be. */
  const open = () => {
    while (opening < waiting.length && pool.totalCount < pool.options.max) {
      opening++
      connect()
        .finally(() => opening--)
        .then(
          client => rest(adopt(client)),
          error => {
            waiting.shift()?.failed(error)
            open()
          },
        )
    }
  }
  const adopt = (client: Held['client']) => {
    const give = client.release.bind(client)
    const held: Held = {
      client,
      restsAtMs: 0,
      leave: () => {
        held.leave = () => {}
        client.isLost = true
        client.off('error', lost).off('end', lost)
        if (resting.includes(held)) resting.splice(resting.indexOf(held), 1)
        give(true)
        open()
      },
    }
    // Whoever fails to begin or to roll back on a dead connection never gives it back.
    const lost = () => held.leave()
    client.on('error', lost).on('end', lost)
    client.onLate = () => void (lateAtMs = performance.now())
    client.provenAt = performance.now()
    return held
  }

  // Once somebody waited in vain, a connection that has not answered since may lead to the same place.
  const isGood = ({ client }: Held) => !client.isLost && client.provenAt >= lateAtMs && !pool.ending
  const rest = (held: Held) => {
    if (!isGood(held)) return held.leave()
    const next = waiting.shift()
    if (next) return next.done(held)
    held.restsAtMs = performance.now()
    resting.push(held)
    sweeping ??= setInterval(sweep, SWEEP_MS).unref()
  }
  const sweep = () => {
    for (const held of resting.filter(({ restsAtMs }) => restsAtMs < performance.now() - IDLE_MS))
      held.leave()
    if (resting.length) return
    clearInterval(sweeping)
    sweeping = undefined
  }
  const take = (held: Held) => {
    let isTaken = true
    held.client.release = error => {
      if (!isTaken) return
      isTaken = false
      if (error) held.leave()
      else rest(held)
    }
    return held.client
  }

  /** The last one that came to rest. */
  const rested = () => {
    for (let held = resting.pop(); held; held = resting.pop()) {
      if (isGood(held)) return take(held)
      held.leave()
    }
    return undefined
  }
  /** In turn the next that is given back or opened. */
  const next = () => {
    const turn = new Turn(waiting, limitMs)
    if (turn.isTooLate) turn.end()
    else open()
    return turn.promise
  }

  pool.connect = async (): Promise<PoolClient> => {
    for (const began = performance.now(); ;) {
      try {
        return rested() ?? take(await next())
      } catch (error) {
        if (!isTimeout(error) || performance.now() - began > UNHURRIED_MS) throw error
      }
    }
  }
  pool.end = () => {
    const ended = end()
    while (resting[0]) resting[0].leave()
    return ended
  }

  return () => ({ open: pool.totalCount, idle: resting.length, waiting: waiting.length })
}
const isTimeout = (error: unknown) => error instanceof Error && /timeout/.test(error.message)
