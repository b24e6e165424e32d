import { setImmediate } from 'node:timers/promises'

const MAX_BLOCK_MS = 10

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Lets the requests that wait be served before a computation begins or goes on. Computations that wait here go on one
 * at a time, so that together they block no longer than one.
 */
export async function giveWay() {
  lastTurn = lastTurn.then(() => setImmediate())
  await lastTurn
}

/** Gives way again and again within a long computation. */
export function createGiveWay() {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_BLOCK_MS) return
    await giveWay()
    since = performance.now()
  }
}

/** Does the work for each item, and lets the requests that wait be served in between. */
export async function forEachGivingWay<Item>(items: Iterable<Item>, work: (item: Item) => void) {
  const giveWayInTime = createGiveWay()
  for (const item of items) {
    await giveWayInTime()
    work(item)
  }
}
