import { EventEmitter } from 'node:events'
import { Socket as NodeSocket } from 'node:net'
import type { Connection, QueryResult, Submittable } from 'pg'

/** As pg writes any value, but for times: those travel as ISO 8601, whose years PostgreSQL reads as we do. */
const { prepareValue } = import.meta.require('pg/lib/utils') as {
  prepareValue: (value: unknown) => string | Buffer | null
}
const written = (value: unknown) =>
  typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : prepareValue(value)

type Types = { getTypeParser: (oid: number, format?: 'text') => (text: string) => unknown }
type Column = { name: string; read: (text: string) => unknown }
type Described = { fields: { name: string; dataTypeID: number }[] }
/** The columns of the statements that a connection has prepared, by their names. */
export type Prepared = Map<string, Column[]>

/**
 * A statement with values, which pg's client sends in its turn. Its own kind asks for the description of every answer and
 * makes of each a result with all that pg knows; this one is described once, when it is prepared. Without a name it is
 * prepared for this one time.
 */
export class Statement implements Submittable {
  readonly values: (string | Buffer | null)[]
  private readonly result = { command: '', rowCount: null, rows: [], fields: [], oid: 0 } as QueryResult
  private columns: Column[] = []

  constructor(
    readonly text: string,
    values: unknown[],
    readonly name: string,
    private readonly prepared: Prepared,
    private readonly types: Types,
    private readonly answer: { done: (result: QueryResult) => void; failed: (error: Error) => void },
  ) {
    this.values = values.map(written)
  }

  submit(connection: Connection & { parsedStatements?: Record<string, string> }) {
    const { name, text, values } = this
    connection.stream.cork() // all of it is one write
    if (connection.parsedStatements?.[name]) this.columns = this.prepared.get(name) ?? []
    else {
      connection.parse({ name, text, types: [] }, true)
      connection.describe({ type: 'S', name }, true)
    }
    connection.bind({ statement: name, values }, true)
    connection.execute({}, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: Described) {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.types.getTypeParser(dataTypeID, 'text'),
    }))
    this.prepared.set(this.name, this.columns)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
    const row: Record<string, unknown> = {}
    const { columns } = this
    for (let index = 0; index < columns.length; index++) {
      const { name, read } = columns[index]!
      const text = fields[index]!
      row[name] = text === null ? null : read(text)
    }
    this.result.rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }) {
    const words = text.split(' ')
    this.result.command = words[0]!
    if (words.length > 1) this.result.rowCount = Number(words.at(-1))
  }

  handleReadyForQuery() {
    this.answer.done(this.result)
  }

  handleError(error: Error) {
    this.answer.failed(error)
  }

  handleEmptyQuery() {}

  handleCopyInResponse(connection: Connection & { sendCopyFail: (reason: string) => void }) {
    connection.sendCopyFail('No rows are sent with a statement')
  }

  handleCopyData() {}
}

/** What pg's client opens for a connection: with TLS what it would open itself. */
export const streamOf = ({ ssl }: { ssl?: unknown }) => (ssl ? new NodeSocket() : new Socket())

/** The runtime's own socket, as much of a stream as pg needs: node:net's, which is built upon it, takes a third of what a statement costs. */
class Socket extends EventEmitter {
  writable = true
  private socket: Bun.Socket<undefined> | undefined
  private corked: Uint8Array[] | undefined
  private unsent: Uint8Array[] = []
  private isEnding = false
  private isClosed = false

  connect(port: number | string, host = 'localhost') {
    const socket: Bun.SocketHandler<undefined> = {
      open: opened => {
        this.socket = opened
        if (this.isClosed) return void opened.terminate()
        this.emit('connect')
      },
      data: (_, bytes) => void this.emit('data', bytes),
      drain: () => this.flush(),
      error: (_, error) => void this.destroy(error),
      close: () => this.close(),
    }
    const opening =
      typeof port === 'string'
        ? Bun.connect({ unix: port, socket })
        : Bun.connect({ port, hostname: host, socket })
    opening.catch((error: Error) => this.destroy(error))
    return this
  }

  cork() {
    this.corked ??= []
  }

  uncork() {
    const { corked } = this
    this.corked = undefined
    if (corked?.length) this.write(Buffer.concat(corked))
  }

  write(bytes: Uint8Array, done?: () => void) {
    if (this.corked) this.corked.push(bytes)
    else {
      this.unsent.push(bytes)
      if (this.unsent.length === 1) this.flush()
    }
    done?.()
    return true
  }

  /** Sends until there is no room, or nothing is left. */
  private flush() {
    while (this.socket && this.unsent[0]) {
      const bytes = this.unsent[0]
      const sent = this.socket.write(bytes)
      if (sent < bytes.length) {
        if (sent > 0) this.unsent[0] = bytes.subarray(sent)
        return
      }
      this.unsent.shift()
    }
    if (this.isEnding) this.socket?.end()
  }

  end() {
    this.writable = false
    this.isEnding = true
    if (!this.unsent.length) this.socket?.end()
    return this
  }

  destroy(error?: Error) {
    this.close(error)
    this.socket?.terminate()
    return this
  }

  /** Told once, and to whoever begins to listen in this turn too. */
  private close(error?: Error) {
    if (this.isClosed) return
    this.isClosed = true
    this.writable = false
    process.nextTick(() => {
      if (error) this.emit('error', error)
      this.emit('close')
    })
  }

  setNoDelay(on?: boolean) {
    this.socket?.setNoDelay(on)
    return this
  }

  setKeepAlive(on: boolean, afterMs?: number) {
    this.socket?.setKeepAlive(on, afterMs)
    return this
  }

  ref() {
    this.socket?.ref()
    return this
  }

  unref() {
    this.socket?.unref()
    return this
  }
}
