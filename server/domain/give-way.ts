import { setImmediate } from 'node:timers/promises'

const MAX_BLOCK_MS = 10

/** Lets the requests that wait be served, again and again within a long computation. */
export function createGiveWay() {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_BLOCK_MS) return
    await setImmediate()
    since = performance.now()
  }
}

/** Does the work for each item, and lets the requests that wait be served in between. */
export async function forEachGivingWay<Item>(items: Iterable<Item>, work: (item: Item) => void) {
  const giveWay = createGiveWay()
  for (const item of items) {
    await giveWay()
    work(item)
  }
}
