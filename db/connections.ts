import { AsyncLocalStorage } from 'node:async_hooks'
import { Client, type ClientConfig } from 'pg'

/** What work without a limit of its own lets the database take for one statement: jobs. */
export const UNHURRIED_MS = 20_000
/** One try to connect, or to be given a connection; whoever may wait longer tries again. */
export const CONNECT_MS = 1500

/** What the database may still take of a piece of work in all. */
type Patience = { leftMs: number | undefined }
const patience = new AsyncLocalStorage<Patience>()

/** Does a piece of work for which the database takes `ms` in all, waiting for a connection included, or is found not to answer. What the work leaves running behind it is not hurried. */
export async function patiently<T>(ms: number, work: () => T): Promise<Awaited<T>> {
  const mine: Patience = { leftMs: ms }
  try {
    return await patience.run(mine, work)
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
  const mine = patience.getStore(), began = performance.now(), ms = mine?.leftMs === undefined ? limitMs ?? UNHURRIED_MS : Math.min(mine.leftMs, limitMs ?? Infinity)
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

/** Written by a server that was the primary before, or is not yet. */
const READ_ONLY = '25006'

/**
 * A connection that is cut when an answer does not come in time, so that neither an unfinished statement nor an open
 * transaction goes back to the pool; and that prepares each statement once, which pg does for named ones only.
 */
export class PatientClient extends Client {
  /** When it last showed that there is somebody at its other end. */
  provenAt = performance.now()
  onLate = () => {}
  /** Whoever has it gives it back for good. */
  isLost = false
  private readonly limitMs: number | undefined
  private readonly isPreparing: boolean

  constructor(config: ClientConfig & { limitMs?: number; prepared?: boolean }) {
    super(config)
    this.limitMs = config.limitMs
    this.isPreparing = config.prepared !== false
  }

  override query(text: any, values?: any, done?: any): any {
    if (typeof text !== 'string' || typeof values === 'function' || done) return super.query(text, values, done)
    const name = this.isPreparing && values?.length ? nameOf(text) : undefined
    return within<unknown>((done, failed) => super.query({ name, text, values }, (error: (Error & { code?: string; severity?: string }) | null, result: unknown) => {
      if (!error) {
        this.provenAt = performance.now()
        return done(result)
      }
      if (error.code === READ_ONLY) this.cut()
      if (error.severity === 'FATAL') this.isLost = true              // the other end closes it
      failed(error)
    }), () => this.cut(), this.limitMs)
  }

  private cut() {
    this.isLost = true
    this.onLate()
    void this.end()                       // from now on it takes no more statements, and the pool does not keep it
    this.connection.stream.destroy()
  }
}
const names = new Map<string, string>()
const nameOf = (text: string) => {
  const known = names.get(text)
  if (known || names.size >= 500 || /select \*|\.\*/.test(text)) return known   // a prepared `select *` fails for good after an ALTER TABLE
  const name = `q${names.size}`
  names.set(text, name)
  return name
}
