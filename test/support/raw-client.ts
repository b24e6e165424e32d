import { connect, type Socket } from 'node:net'

export type RawResponse = { status: number; headers: Record<string, string>; text: string }
type RawRequest = { method: string; target: string; headers?: [string, string][]; body?: string | Uint8Array }

const STATUS_WITHOUT_BODY = /^(1\d\d|204|304)$/

/**
 * Sends requests byte for byte on one connection; fetch would refuse or change some of them. Adds content-length,
 * unless the headers say how long the body is.
 */
export function createRawClient(url: string) {
  const { hostname, port } = new URL(url)
  const connection = createConnection(hostname, Number(port))

  async function send({ method, target, headers = [], body = '' }: RawRequest): Promise<RawResponse> {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const hasHost = headers.some(([name]) => name.toLowerCase() === 'host')
    const hasLength = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
    const sentHeaders = hasHost ? headers : [['host', `${hostname}:${port}`], ...headers]
    const head = [
      `${method} ${target} HTTP/1.1`,
      ...sentHeaders.map(([name, value]) => `${name}: ${value}`),
      ...(!hasLength && (bytes.length || method !== 'GET') ? [`content-length: ${bytes.length}`] : []),
    ].join('\r\n')
    await connection.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes]))

    const [statusLine = '', ...lines] = (await connection.readUntil('\r\n\r\n')).split('\r\n')
    const status = statusLine.split(' ')[1] ?? ''
    const received = Object.fromEntries(lines.map(parseHeader))
    const isEmpty = method === 'HEAD' || STATUS_WITHOUT_BODY.test(status)
    const text = isEmpty ? '' : await readBody(connection, received)
    if (received.connection?.toLowerCase() === 'close') connection.close()
    return { status: Number(status), headers: received, text }
  }

  return { send, isOpen: connection.isOpen, close: connection.close }
}

type Connection = ReturnType<typeof createConnection>

/** Opens a socket when it is first written to, and again after it was closed. */
function createConnection(hostname: string, port: number) {
  let socket: Socket | undefined
  let received = Buffer.alloc(0)
  let wake = () => {}
  const waitForChange = () => new Promise<void>(resolve => (wake = resolve))

  function open() {
    return new Promise<Socket>((resolve, reject) => {
      const fresh = connect({ host: hostname, port }, () => resolve(fresh))
      received = Buffer.alloc(0)
      fresh.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        wake()
      })
      fresh.on('error', error => {
        reject(error)
        wake()
      })
      fresh.on('close', () => {
        if (socket === fresh) socket = undefined
        wake()
      })
    })
  }
  async function write(bytes: Buffer) {
    socket ??= await open()
    socket.write(bytes)
  }
  async function waitUntil(isReceived: () => boolean) {
    while (!isReceived()) {
      const start = received.toString('latin1').slice(0, 200)
      if (!socket) throw new Error(`The connection was closed after ${JSON.stringify(start)}`)
      await waitForChange()
    }
  }
  async function read(length: number) {
    await waitUntil(() => received.length >= length)
    const part = received.subarray(0, length).toString()
    received = received.subarray(length)
    return part
  }
  /** Returns the text before the separator, and skips the separator. */
  async function readUntil(separator: string) {
    await waitUntil(() => received.includes(separator))
    const end = received.indexOf(separator)
    const text = received.subarray(0, end).toString('latin1')
    received = received.subarray(end + separator.length)
    return text
  }
  function close() {
    socket?.destroy()
    socket = undefined
  }
  return { write, read, readUntil, isOpen: () => socket !== undefined, close }
}

function parseHeader(line: string) {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
}

async function readBody(connection: Connection, headers: Record<string, string>) {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(connection)
  return connection.read(Number(headers['content-length'] ?? 0))
}

async function readChunks(connection: Connection) {
  for (let text = ''; ;) {
    const length = Number.parseInt(await connection.readUntil('\r\n'), 16)
    text += (await connection.read(length + 2)).slice(0, -2)
    if (!length) return text
  }
}
