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
