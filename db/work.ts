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

/** One timer looks after all that is waited for, since one for each statement cost more than sending it. */
const waits = new Set<Wait<any>>()
const LOOK_MS = 20
let looking: ReturnType<typeof setInterval> | undefined
const look = () => {
  const now = performance.now()
  for (const wait of waits) if (wait.untilMs <= now) wait.end()
  if (waits.size) return
  clearInterval(looking)
  looking = undefined
}

/** Waits for the database as long as its caller may, and never longer than `limitMs`; `late` is what then happens. An object, since each statement has one. */
export abstract class Wait<T> {
  readonly promise: Promise<T>
  readonly untilMs: number
  private readonly beganMs = performance.now()
  private readonly mine = underWay()
  private readonly resolve: (value: T) => void
  private readonly reject: (error: unknown) => void

  constructor(limitMs?: number) {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const leftMs = this.mine?.leftMs
    this.promise = promise
    this.resolve = resolve
    this.reject = reject
    this.untilMs =
      this.beganMs +
      (leftMs === undefined ? (limitMs ?? UNHURRIED_MS) : Math.min(leftMs, limitMs ?? Infinity))
    waits.add(this)
    looking ??= setInterval(look, LOOK_MS)
  }

  protected abstract late(): void

  /** Nothing is left of what its caller may wait. */
  get isTooLate() {
    return this.untilMs <= this.beganMs
  }

  done(value: T) {
    if (this.ends()) this.resolve(value)
  }

  failed(error: unknown) {
    if (this.ends()) this.reject(error)
  }

  /** Nobody may wait for it any longer. */
  end() {
    if (!this.ends()) return
    this.late()
    this.reject(new NoAnswer())
  }

  /** It is over; whether it was not before. */
  private ends() {
    const first = waits.delete(this)
    if (first && this.mine?.leftMs !== undefined) this.mine.leftMs -= performance.now() - this.beganMs
    return first
  }
}
