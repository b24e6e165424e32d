import { AsyncLocalStorage } from 'node:async_hooks'
import { Client, type ClientConfig, type Pool, type PoolClient } from 'pg'

/** What work without a limit of its own lets the database take for one statement: jobs. */
const UNHURRIED_MS = 20_000
/** One try to connect, or to be given a connection; whoever may wait longer tries again. */
export const CONNECT_MS = 1500

/** What the database may still take of a piece of work in all. */
type Patience = { leftMs?: number }
const patience = new AsyncLocalStorage<Patience>()

/** Does a piece of work for which the database takes `ms` in all, waiting for a connection included, or is found not to answer. What the work leaves running behind it is not hurried. */
export const patiently = <T>(ms: number, work: () => Promise<T>): Promise<T> => {
  const mine: Patience = { leftMs: ms }
  return patience.run(mine, work).finally(() => delete mine.leftMs)
}

class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('The database does not answer in time')
  }
}

/** Waits for the database as long as its caller may, and never longer than `limitMs`; `late` is what then happens. */
async function within<T>(work: () => Promise<T>, late: () => void, limitMs?: number): Promise<T> {
  const mine = patience.getStore(), began = performance.now(), ms = mine?.leftMs === undefined ? limitMs ?? UNHURRIED_MS : Math.min(mine.leftMs, limitMs ?? Infinity)
  if (ms <= 0) {
    late()
    throw new NoAnswer()
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await Promise.race([work(), new Promise<never>((_, reject) => {
      timer = setTimeout(() => (late(), reject(new NoAnswer())), ms)
    })])
  } finally {
    clearTimeout(timer)
    if (mine?.leftMs !== undefined) mine.leftMs -= performance.now() - began
  }
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
    return within(() => super.query({ name, text, values }), () => this.cut(), this.limitMs).then(result => {
      this.provenAt = performance.now()
      return result
    }, error => {
      if (error.code === READ_ONLY) this.cut()
      throw error
    })
  }

  private cut() {
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

/** Keeps a pool of them usable whatever becomes of the database. `limitMs` is the most that anybody waits for a connection. */
export function guard(pool: Pool, limitMs?: number) {
  const give = pool.connect.bind(pool) as () => Promise<PoolClient & PatientClient>
  let lateAt = -Infinity

  const once = async () => {
    const asked = give()
    const client = await within(() => asked, () => void asked.then(late => late.release(), () => {}), limitMs)        // nobody waits for it any more, nor for why it failed
    client.onLate = () => void (lateAt = performance.now())
    // Once somebody waited in vain, a connection that has not answered since may lead to the same place.
    if (client.provenAt < lateAt) {
      client.release(true)
      return undefined
    }
    // Whoever fails to begin or to roll back on a dead connection never gives it back.
    const release = client.release.bind(client), lost = () => client.release(true)
    let released = false
    client.release = error => {
      if (released) return
      released = true
      client.off('end', lost)
      release(error)
    }
    client.once('end', lost)
    return client
  }

  pool.connect = async (): Promise<PoolClient> => {
    for (const began = performance.now(); ;) {
      const client = await once().catch(error => {
        if (!isTimeout(error) || performance.now() - began > UNHURRIED_MS) throw error
      })
      if (client) return client
    }
  }
}
const isTimeout = (error: unknown) => error instanceof Error && /timeout/.test(error.message)
