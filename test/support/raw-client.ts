import { connect, type Socket } from 'node:net'

export type RawResponse = { status: number; headers: Record<string, string>; text: string }
type RawRequest = { method: string; target: string; headers?: [string, string][]; body?: string }

const ENDLESS = /^(1\d\d|204|304)$/

/** One connection that sends exactly what it is given, where fetch would refuse or change it; the body's length is announced. */
export function createRawClient(url: string) {
  const { hostname, port } = new URL(url)
  let socket: Socket | undefined
  let received = Buffer.alloc(0)
  let wake = () => {}
  const more = () => new Promise<void>(done => (wake = done))
  const open = () =>
    new Promise<Socket>((done, failed) => {
      const fresh = connect({ host: hostname, port: Number(port) }, () => done(fresh))
      received = Buffer.alloc(0)
      fresh.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        wake()
      })
      fresh.on('error', error => (failed(error), wake()))
      fresh.on('close', () => {
        if (socket === fresh) socket = undefined
        wake()
      })
    })
  /** Waits for `ready` to be found in what has been received. */
  async function until<T>(ready: () => T | undefined): Promise<T> {
    for (;;) {
      const found = ready()
      if (found !== undefined) return found
      if (!socket)
        throw new Error(
          `The connection was closed after ${JSON.stringify(received.toString('latin1').slice(0, 200))}`,
        )
      await more()
    }
  }

  async function send({ method, target, headers = [], body = '' }: RawRequest): Promise<RawResponse> {
    socket ??= await open()
    const bytes = Buffer.from(body)
    const given = headers.some(([name]) => name.toLowerCase() === 'host')
      ? headers
      : [['host', `${hostname}:${port}`], ...headers]
    const head = [
      `${method} ${target} HTTP/1.1`,
      ...given.map(([name, value]) => `${name}: ${value}`),
      ...(bytes.length || method !== 'GET' ? [`content-length: ${bytes.length}`] : []),
    ].join('\r\n')
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes]))
    const end = await until(() => {
      const at = received.indexOf('\r\n\r\n')
      return at < 0 ? undefined : at
    })
    const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
    const status = first.split(' ')[1] ?? ''
    const told = Object.fromEntries(
      lines.map(line => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    received = received.subarray(end + 4)
    const isEmpty = method === 'HEAD' || ENDLESS.test(status)
    const text = isEmpty
      ? ''
      : told['transfer-encoding'] === 'chunked'
        ? await chunked()
        : await exactly(Number(told['content-length'] ?? 0))
    if (told.connection?.toLowerCase() === 'close') close()
    return { status: Number(status), headers: told, text }
  }
  async function exactly(length: number) {
    await until(() => received.length >= length || undefined)
    const part = received.subarray(0, length).toString()
    received = received.subarray(length)
    return part
  }
  async function chunked() {
    for (let text = ''; ;) {
      const line = await until(() => {
        const at = received.indexOf('\r\n')
        return at < 0 ? undefined : at
      })
      const length = Number.parseInt(received.subarray(0, line).toString(), 16)
      received = received.subarray(line + 2)
      text += (await exactly(length + 2)).slice(0, -2)
      if (!length) return text
    }
  }
  function close() {
    socket?.destroy()
    socket = undefined
  }
  return { send, close }
}
