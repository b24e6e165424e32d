import { AsyncLocalStorage } from 'node:async_hooks'

/** What work without a limit of its own lets the database take for one statement: jobs. */
export const UNHURRIED_MS = 20_000

/** What the log calls a piece of work, and what the database may still take of it in all. */
export type Work = { id?: string; leftMs: number | undefined }
const context = new AsyncLocalStorage<Work>()
export const underWay = () => context.getStore()

/** Does a piece of work for which the database takes `leftMs` in all, waiting for a connection included, or is found not to answer. What the work leaves running behind it is not hurried. */
export async function patiently<T>(mine: Work, work: () => T): Promise<Awaited<T>> {
  try {
    return await context.run(mine, work)
  } finally {
    mine.leftMs = undefined
  }
}

class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('The database does not answer in time')
  }
}

/** What is waited for, until when, and what happens then. One timer looks after all of it, since one for each statement cost more than sending it. */
type Wait = { untilMs: number; end: () => void }
const waits = new Set<Wait>(), LOOK_MS = 20
let looking: ReturnType<typeof setInterval> | undefined
const look = () => {
  const now = performance.now()
  for (const { untilMs, end } of waits) if (untilMs <= now) end()
  if (waits.size) return
  clearInterval(looking)
  looking = undefined
}

/** Waits for the database as long as its caller may, and never longer than `limitMs`; `late` is what then happens. */
export function within<T>(work: (done: (value: T) => void, failed: (error: unknown) => void) => void, late: () => void, limitMs?: number): Promise<T> {
  const mine = underWay(), began = performance.now(), ms = mine?.leftMs === undefined ? limitMs ?? UNHURRIED_MS : Math.min(mine.leftMs, limitMs ?? Infinity)
  return new Promise((resolve, reject) => {
    const ended = () => {
      const first = waits.delete(wait)
      if (first && mine?.leftMs !== undefined) mine.leftMs -= performance.now() - began
      return first
    }
    const wait = { untilMs: began + ms, end: () => {
      ended()
      late()
      reject(new NoAnswer())
    } }
    waits.add(wait)
    if (ms <= 0) return wait.end()
    looking ??= setInterval(look, LOOK_MS)
    const failed = (error: unknown) => void (ended() && reject(error))
    try {
      work(value => void (ended() && resolve(value)), failed)
    } catch (error) {
      failed(error)
    }
  })
}
