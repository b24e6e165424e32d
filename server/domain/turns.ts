import { setImmediate } from 'node:timers/promises'

const MAX_BLOCK_MS = 10

/** Lets the requests that wait be served, again and again within a long computation. */
export function createTurns() {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_BLOCK_MS) return
    await setImmediate()
    since = performance.now()
  }
}

/** Does the work for each item in turn, and lets the requests that wait be served in between. */
export async function forEachInTurns<Item>(items: Iterable<Item>, work: (item: Item) => void) {
  const giveWay = createTurns()
  for (const item of items) {
    await giveWay()
    work(item)
  }
}
