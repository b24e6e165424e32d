import { Client, type ClientConfig, type QueryResult } from 'pg'
import { Statement, streamOf, type Prepared } from './wire'
import { Wait } from './work'

/** One try to connect, or to be given a connection; whoever may wait longer tries again. */
export const CONNECT_MS = 1500

/** Written by a server that was the primary before, or is not yet. */
const READ_ONLY = '25006'

type Refusal = Error & { code?: string; severity?: string }

/** What is waited for from a connection, which is cut when it does not come. */
class Answer extends Wait<QueryResult> {
  constructor(
    private readonly client: PatientClient,
    limitMs?: number,
  ) {
    super(limitMs)
  }

  protected override late() {
    this.client.cut()
  }

  override done(result: QueryResult) {
    this.client.provenAt = performance.now()
    super.done(result)
  }

  override failed(error: Refusal) {
    if (error.code === READ_ONLY) this.client.cut()
    if (error.severity === 'FATAL') this.client.isLost = true // the other end closes it
    super.failed(error)
  }
}

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
  private readonly prepared: Prepared = new Map()

  constructor(config: ClientConfig & { limitMs?: number; prepared?: boolean }) {
    super({ ...config, stream: streamOf as never })
    this.limitMs = config.limitMs
    this.isPreparing = config.prepared !== false
  }

  override query(text: any, values?: any, done?: any): any {
    if (typeof text !== 'string' || typeof values === 'function' || done)
      return super.query(text, values, done)
    const answer = new Answer(this, this.limitMs)
    try {
      if (answer.isTooLate) answer.end()
      else if (values?.length)
        super.query(
          new Statement(text, values, (this.isPreparing && nameOf(text)) || '', this.prepared, this, answer),
        )
      else
        super.query({ text }, (error: Refusal | null, result: QueryResult) =>
          error ? answer.failed(error) : answer.done(result),
        )
    } catch (error) {
      answer.failed(error as Error) // a value that cannot be written
    }
    return answer.promise
  }

  cut() {
    this.isLost = true
    this.onLate()
    void this.end() // from now on it takes no more statements, and the pool does not keep it
    this.connection.stream.destroy()
  }
}
const names = new Map<string, string>()
const nameOf = (text: string) => {
  const known = names.get(text)
  if (known || names.size >= 500 || /select \*|\.\*/.test(text)) return known // a prepared `select *` fails for good after an ALTER TABLE
  const name = `q${names.size}`
  names.set(text, name)
  return name
}
