import { getQuantile } from '../support/round'

export type RawResponse = { status: number; body: string }
type LoadResult = { seconds: number; p50: number; p99: number }

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** Parses the first response in the received bytes, with its length, once it is complete. */
function parseResponse(received: Buffer): (RawResponse & { bytes: number }) | undefined {
  const end = received.indexOf(END_OF_HEAD)
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`A response without a length: ${head}`)
  const bytes = end + END_OF_HEAD.length + Number(length)
  if (received.length < bytes) return undefined
  const body = received.toString('utf8', end + END_OF_HEAD.length, bytes)
  return { status: Number(head.slice(9, 12)), body, bytes }
}

type RequestOptions = { token?: string; body?: unknown; headers?: Record<string, string> }

/** Creates a request as it travels over a connection that is kept open. */
export function createRequest(method: string, path: string, options: RequestOptions = {}) {
  const { token, body, headers } = options
  const text = toBodyText(body)
  const fields = {
    host: '127.0.0.1',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...headers,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

function toBodyText(body: unknown) {
  if (body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}

type IsExpected = (response: RawResponse) => boolean

/** The requests that connections share: each is sent once, and each response is checked. */
class RequestQueue {
  readonly done = Promise.withResolvers<void>()
  readonly latenciesMs: Float64Array
  #next = 0
  #answered = 0

  constructor(
    readonly requests: Buffer[],
    readonly isExpected: IsExpected,
  ) {
    this.latenciesMs = new Float64Array(requests.length)
  }

  takeIndex() {
    return this.#next < this.requests.length ? this.#next++ : undefined
  }

  /** Returns whether the connection may go on. */
  accept(index: number, latencyMs: number, response: RawResponse) {
    this.latenciesMs[index] = latencyMs
    if (!this.isExpected(response)) {
      const { status, body } = response
      this.done.reject(new Error(`Request ${this.#answered} was answered ${status} ${body.slice(0, 500)}`))
      return false
    }
    this.#answered++
    if (this.#answered === this.requests.length) this.done.resolve()
    return true
  }
}

/** Opens a connection that sends its next request as soon as it has the response to the one before. */
function openConnection(port: number, queue: RequestQueue) {
  let received: Buffer = Buffer.alloc(0)
  let unsent: Buffer | undefined
  let sentAt = 0
  let index: number | undefined
  const write = (socket: Bun.Socket, bytes: Buffer) => {
    const written = socket.write(bytes)
    unsent = written < bytes.length ? bytes.subarray(Math.max(written, 0)) : undefined
  }
  const sendNext = (socket: Bun.Socket) => {
    index = queue.takeIndex()
    if (index === undefined) {
      socket.end()
      return
    }
    sentAt = performance.now()
    write(socket, queue.requests[index]!)
  }
  return Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: sendNext,
      drain: socket => {
        if (unsent) write(socket, unsent)
      },
      data: (socket, chunk) => {
        received = received.length ? Buffer.concat([received, chunk]) : Buffer.from(chunk)
        const response = parseResponse(received)
        if (!response || index === undefined) return
        const answered = index
        index = undefined
        received = received.subarray(response.bytes)
        if (queue.accept(answered, performance.now() - sentAt, response)) sendNext(socket)
      },
      close: () => {
        if (index !== undefined)
          queue.done.reject(new Error('A connection was closed before its request was answered'))
      },
      error: (_, error) => queue.done.reject(error),
    },
  })
}

/** Sends each request once over this many connections. */
export async function sendLoad(
  port: number,
  requests: Buffer[],
  connections: number,
  isExpected: IsExpected,
): Promise<LoadResult> {
  const queue = new RequestQueue(requests, isExpected)
  const count = Math.min(connections, requests.length)
  const startedAt = performance.now()
  const opening = Promise.all(Array.from({ length: count }, () => openConnection(port, queue)))
  await Promise.all([opening, queue.done.promise])
  const seconds = (performance.now() - startedAt) / 1000
  const latencies = [...queue.latenciesMs]
  return { seconds, p50: getMedian(latencies), p99: getQuantile(latencies, 0.99) }
}

/** Sends one request, and returns its response. */
export async function sendRaw(port: number, request: Buffer): Promise<RawResponse> {
  let response: RawResponse | undefined
  await sendLoad(port, [request], 1, received => {
    response = received
    return true
  })
  return response!
}

export const getMedian = (values: number[]) => getQuantile(values, 0.5)
