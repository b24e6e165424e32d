import net from 'node:net'
import { createLandlord } from '../users'
import type { Random } from '../random'

/** After this time a response counts as missing. */
const HUNG_MS = 20_000
/** Shares of the requests whose client leaves: while it waits, or in the middle of what it sends. */
const LEAVE_SHARE = 0.05
const HALF_SENT_SHARE = 0.01
const ANY_MARK = /mark[0-9a-f]{12}/g

export type MarkedRequest = { method: string; path: string; body?: unknown }
type MarkedResponse = {
  outcome: 'answered' | 'refused' | 'gone'
  text: string
  /** Of an answered request. */
  body?: any
}
export type MarkedClient = Awaited<ReturnType<typeof createMarkedClient>>

/** A user of whom every text in the database holds a mark of their own, so that any response tells whose it is. */
export async function createMarkedClient(url: string, random: Random) {
  const mark = `mark${crypto.randomUUID().slice(-12)}`
  const { id, token, phone, call } = await createLandlord(url)
  await call('PUT', '/profile/complete', { email: `${mark}@example.com` })

  const outcomes = { answered: 0, refused: 0, gone: 0 }
  const violations: string[] = []
  let lastTag = 0

  async function send(request: MarkedRequest, expectedStatus: number): Promise<MarkedResponse> {
    if (random.chance(HALF_SENT_SHARE)) {
      await sendHalf(url, token, request, random)
      return count({ outcome: 'gone', text: '' })
    }
    const leaveAfterMs = random.chance(LEAVE_SHARE) ? random.integer(0, 20) : undefined
    const { status, text } = await exchange(request, leaveAfterMs ?? HUNG_MS)
    if (status === 0 && leaveAfterMs !== undefined) return count({ outcome: 'gone', text })

    const foreignMark = (text.match(ANY_MARK) ?? []).find(found => found !== mark)
    if (foreignMark) report(request, text, `holds ${foreignMark}`)
    if (status === expectedStatus) return count({ outcome: 'answered', text, body: JSON.parse(text) })
    if (status !== 503 || !text.includes('"SERVICE_UNAVAILABLE"')) report(request, text, `is ${status}`)
    return count({ outcome: 'refused', text })
  }

  function exchange({ method, path, body }: MarkedRequest, timeoutMs: number) {
    const init = {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    }
    return fetch(url + path, init)
      .then(async response => ({ status: response.status, text: await response.text() }))
      .catch(error => ({ status: 0, text: String(error) }))
  }

  function count(response: MarkedResponse) {
    outcomes[response.outcome]++
    return response
  }

  function report({ method, path }: MarkedRequest, text: string, what: string) {
    violations.push(`The response of ${mark} to ${method} ${path} ${what}: ${text.slice(0, 300)}`)
  }

  return {
    id,
    phone,
    call,
    outcomes,
    violations,
    /** A text that no other request holds. */
    createTag: () => `${mark}-${++lastTag}-`,
    send,
    /** Notes a response that belongs to another request. */
    requireOwn: (isOwn: boolean, request: MarkedRequest, text: string) => {
      if (!isOwn) report(request, text, 'belongs to another request')
    },
  }
}

/** Sends all but the end of a request and leaves. */
async function sendHalf(url: string, token: string, { method, path, body }: MarkedRequest, random: Random) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
  ].join('\r\n')
  const whole = `${head}\r\n\r\n${text}`
  const { hostname, port } = new URL(url)
  await new Promise<void>(resolve => {
    const socket = net.connect(Number(port), hostname, () => {
      socket.end(whole.slice(0, random.integer(1, whole.length - 1)), () => socket.destroy())
    })
    socket.on('error', () => {}).on('close', () => resolve())
  })
}
