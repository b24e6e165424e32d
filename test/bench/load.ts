export type Answer = { status: number; body: string }
export type Driven = { requests: number; seconds: number; p50: number; p99: number }

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** The first answer in what was received and the bytes that it took, once it is there as a whole. */
export function answerIn(received: Buffer): (Answer & { bytes: number }) | undefined {
  const end = received.indexOf(END_OF_HEAD)
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer without a length: ${head}`)
  const bytes = end + 4 + Number(length)
  return received.length < bytes
    ? undefined
    : { status: Number(head.slice(9, 12)), body: received.toString('utf8', end + 4, bytes), bytes }
}

/** A request as it travels over a connection that is kept open. */
export function requestOf(
  method: string,
  path: string,
  { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const lines = {
    host: '127.0.0.1',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...headers,
  }
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${text}`,
  )
}

/** Sends each request once, each connection its next one as soon as the one before is answered; every answer is looked at. */
export async function drive(
  port: number,
  requests: Buffer[],
  connections: number,
  isRight: (answer: Answer) => boolean,
): Promise<Driven> {
  const latencies = new Float64Array(requests.length)
  const done = Promise.withResolvers<void>()
  let next = 0
  let answered = 0
  const open = () => {
    let received: Buffer = Buffer.alloc(0)
    let sent = 0
    let index = -1
    let unsent: Buffer | undefined
    const write = (socket: Bun.Socket, bytes: Buffer) => {
      const taken = socket.write(bytes)
      unsent = taken < bytes.length ? bytes.subarray(Math.max(taken, 0)) : undefined
    }
    const send = (socket: Bun.Socket) => {
      if (next >= requests.length) return void socket.end()
      index = next++
      sent = performance.now()
      write(socket, requests[index]!)
    }
    return Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: send,
        drain: socket => void (unsent && write(socket, unsent)),
        data: (socket, chunk) => {
          received = received.length ? Buffer.concat([received, chunk]) : Buffer.from(chunk)
          const answer = answerIn(received)
          if (!answer) return
          latencies[index] = performance.now() - sent
          index = -1
          received = received.subarray(answer.bytes)
          if (!isRight(answer))
            return done.reject(
              new Error(`Request ${answered} was answered ${answer.status} ${answer.body.slice(0, 500)}`),
            )
          if (++answered === requests.length) done.resolve()
          send(socket)
        },
        close: () =>
          void (
            index >= 0 && done.reject(new Error('A connection was closed before its request was answered'))
          ),
        error: (_, error) => done.reject(error),
      },
    })
  }
  const began = performance.now()
  const opening = Promise.all(Array.from({ length: Math.min(connections, requests.length) }, open))
  await Promise.all([opening, done.promise])
  const seconds = (performance.now() - began) / 1000
  latencies.sort()
  return { requests: requests.length, seconds, p50: at(latencies, 0.5), p99: at(latencies, 0.99) }
}

/** One request and its answer. */
export async function ask(port: number, request: Buffer): Promise<Answer> {
  let answer: Answer | undefined
  await drive(port, [request], 1, given => (answer = given) !== undefined)
  return answer!
}

/** The value below which that share of sorted values lies. */
export const at = (sorted: ArrayLike<number>, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
export const median = (values: number[]) =>
  at(
    values.toSorted((a, b) => a - b),
    0.5,
  )
