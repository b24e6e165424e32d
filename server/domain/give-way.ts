import { setImmediate } from 'node:timers/promises'

const MAX_BLOCK_MS = 10

/** A computation that waits, and how long it has computed so far. */
type Waiting = { spentMs: number; resume: () => void }

/** In the order in which they came. */
const waiting: Waiting[] = []
let isServing = false

/**
 * Lets the requests that wait be served before a computation begins or goes on. Computations that wait here go on one
 * at a time, so that together they block no longer than one. Turns alternate between the one that has computed least,
 * so that short ones end early, and the one that has waited longest, so that long ones go on.
 */
export async function giveWay(spentMs = 0) {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push({ spentMs, resume: resolve })
  if (!isServing) void serve()
  await promise
}

async function serve() {
  isServing = true
  for (let turn = 0; waiting.length > 0; turn++) {
    await setImmediate()
    const next = turn % 2 === 0 ? findShortest() : 0
    waiting.splice(next, 1)[0]!.resume()
  }
  isServing = false
}

function findShortest() {
  const least = Math.min(...waiting.map(({ spentMs }) => spentMs))
  return waiting.findIndex(({ spentMs }) => spentMs === least)
}

/** Gives way again and again within a long computation. */
export function createGiveWay() {
  let spentMs = 0
  let since = performance.now()
  return async () => {
    const blockedMs = performance.now() - since
    if (blockedMs < MAX_BLOCK_MS) return
    spentMs += blockedMs
    await giveWay(spentMs)
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
