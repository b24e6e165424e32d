import { END_OF_ROWS, parseJsonLine } from './format'

const LINE_BREAK = '\n'.charCodeAt(0)
const MAX_LINE_BYTES = 100_000
const END_MARKER = `\n${END_OF_ROWS}`

/** Reads lines and rows from a stream, and buffers little more than one chunk of it. */
export class DumpReader {
  private readonly chunks: AsyncIterator<Buffer>
  private buffered: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]()
  }

  /** Reads a line, without its line break. */
  async readLine(): Promise<string> {
    for (;;) {
      const end = this.buffered.indexOf(LINE_BREAK)
      if (end >= 0) {
        const line = this.take(end).toString()
        this.take(1)
        return line
      }
      if (this.buffered.length > MAX_LINE_BYTES) throw new Error('The dump is damaged: a line does not end')
      await this.readChunk()
    }
  }

  async readJson<T>(): Promise<T> {
    return parseJsonLine<T>(await this.readLine())
  }

  /** Reads the rows of a table in chunks, which may split a row: one row can hold a PDF of many megabytes. */
  async *readRows(): AsyncGenerator<Buffer> {
    // A table without rows has no line break before the marker, so one is added and never yielded.
    this.buffered = Buffer.concat([Buffer.from([LINE_BREAK]), this.buffered])
    let addedBytes = 1
    for (;;) {
      const markerStart = this.buffered.indexOf(END_MARKER)
      const isEnd = markerStart >= 0
      // The last bytes may be the start of a marker that the next chunk completes.
      const length = isEnd ? markerStart + 1 : this.buffered.length - END_MARKER.length + 1
      if (length > 0) {
        const rows = this.take(length).subarray(addedBytes)
        addedBytes = 0
        if (rows.length > 0) yield rows
      }
      if (isEnd) {
        this.take(END_OF_ROWS.length)
        return
      }
      await this.readChunk()
    }
  }

  /** @throws The stream goes on. */
  async requireEnd() {
    const isEnd = this.buffered.length === 0 && (await this.chunks.next()).done
    if (!isEnd) throw new Error('The dump is damaged: something follows its end')
  }

  private take(length: number): Buffer {
    const taken = this.buffered.subarray(0, length)
    this.buffered = this.buffered.subarray(length)
    return taken
  }

  private async readChunk() {
    const { value, done } = await this.chunks.next()
    if (done) throw new Error('The dump is cut off')
    this.buffered = this.buffered.length > 0 ? Buffer.concat([this.buffered, value]) : value
  }
}
