import { afterAll, describe, expect, test } from 'bun:test'
import net from 'node:net'
import { freshDatabase } from '../../support/database'
import { sendRequest, signInUser } from '../../support/users'
import { getPort, serverProcess } from '../../support/process'
import { enveloped } from '../../server/http/forms'

const full = process.env.TIER === 'full'
const EACH = full ? 60 : 3
const PER_SECOND = full ? 100 : 20
/** Of a connection that says too little: Bun's 10 seconds and what its timers take up. */
const CUT_OFF_MS = 30_000
const KIB = 1024
const TOO_SLOW = {
  code: 'REQUEST_TIMEOUT',
  reason: 'body_too_slow',
  message: expect.stringContaining('did not arrive in time'),
}
const TOO_LARGE = {
  code: 'PAYLOAD_TOO_LARGE',
  reason: 'body_too_large',
  message: `The body is too large: send at most ${64 * KIB} bytes`,
}
const name = 'x'.repeat(64 * KIB)
const body = JSON.stringify({ name })

const database = await freshDatabase()
const server = serverProcess({
  PORT: '0',
  DATABASE_URL: database.url,
  BODY_TIMEOUT_MS: '3000',
  KEEP_ALIVE_S: '8',
  DATABASE_TIMEOUT_MS: '10000',
})
await server.listening
const port = getPort(server)
const url = `http://127.0.0.1:${port}`
afterAll(async () => {
  await server.end('SIGKILL')
  await database.drop()
})

type Fate = { head: string; body: any; closedAfterMs: number; isOpen: boolean; sent: number }
/** Says `first` and then a little every second, until the other side has enough of it. */
function drip(first: string, drop?: string, everyMs = 1000) {
  const { promise, resolve } = Promise.withResolvers<Fate>()
  const began = performance.now()
  const socket = net.connect(Number(port), '127.0.0.1')
  let got = ''
  let sent = 0
  const ticking = setInterval(() => {
    if (!drop || socket.destroyed) return
    socket.write(drop)
    sent++
  }, everyMs)
  const patience = setTimeout(() => end(true), CUT_OFF_MS)
  const end = (isOpen: boolean) => {
    clearInterval(ticking)
    clearTimeout(patience)
    const [head = '', text = ''] = got.split('\r\n\r\n', 2)
    resolve({
      head,
      body: text.startsWith('{') ? JSON.parse(text) : text,
      closedAfterMs: performance.now() - began,
      isOpen,
      sent,
    })
    socket.destroy()
  }
  socket
    .on('connect', () => void (first && socket.write(first)))
    .on('data', piece => void (got += piece))
    .on('close', () => end(false))
    .on('error', () => {})
  return promise
}
const post = (path: string, ...headers: string[]) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${headers.map(each => `${each}\r\n`).join('')}\r\n`
const get = 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n'

/** Each kind of caller that takes its time; some are told so. */
const slow: Record<string, { first: string; drop?: string; told?: 408 | 404 | 200 }> = {
  'says nothing': { first: '' },
  'says its first line letter by letter': { first: 'G', drop: 'E' },
  'says a header letter by letter': { first: `${get}x-long: `, drop: 'a' },
  'says headers line by line': { first: get, drop: 'x-more: 1\r\n' },
  'says nothing more after an answer': { first: `${get}\r\n`, told: 200 },
  'says its next header letter by letter': { first: `${get}\r\n${get}x-long: `, drop: 'a', told: 200 },
  'sends a body byte by byte': {
    first: post('/auth/send-otp', 'content-length: 1000'),
    drop: 'a',
    told: 408,
  },
  'sends no more of its body': { first: `${post('/auth/send-otp', 'content-length: 1000')}{`, told: 408 },
  'sends a body in chunks of a byte': {
    first: post('/auth/send-otp', 'transfer-encoding: chunked'),
    drop: '1\r\na\r\n',
    told: 408,
  },
  'sends the length of a chunk digit by digit': {
    first: post('/auth/send-otp', 'transfer-encoding: chunked'),
    drop: '0',
    told: 408,
  },
  'sends a webhook byte by byte': {
    first: post('/webhooks/esign', 'content-length: 1000'),
    drop: 'a',
    told: 408,
  },
  'sends a form byte by byte': {
    first: post('/sandbox/clock', 'content-length: 1000'),
    drop: 'a',
    told: 408,
  },
  'sends a body to no route byte by byte': {
    first: post('/nothing', 'content-length: 1000'),
    drop: 'a',
    told: 404,
  },
}

test(`whoever is slow is cut off, ${EACH} of each kind, and nobody else waits`, async () => {
  const person = await signInUser(url)
  const times: number[] = []
  const wrong: number[] = []
  let busy = true
  const healthy = (async () => {
    const asked: Promise<void>[] = []
    while (busy) {
      const began = performance.now()
      asked.push(
        sendRequest(url, 'GET', '/properties', { token: person.token }).then(
          ({ status }) => void (status === 200 ? times.push(performance.now() - began) : wrong.push(status)),
          () => void wrong.push(0),
        ),
      )
      await Bun.sleep(1000 / PER_SECOND)
    }
    await Promise.all(asked)
  })()
  const fates = await Promise.all(
    Object.entries(slow).map(async ([kind, { first, drop, told }]) => ({
      kind,
      told,
      fates: await Promise.all(Array.from({ length: EACH }, () => drip(first, drop))),
    })),
  )
  busy = false
  await healthy

  const sorted = times.toSorted((a, b) => a - b)
  const p = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1]! * 10) / 10
  console.log(
    JSON.stringify({
      promise: 'slow',
      slow_connections: EACH * fates.length,
      healthy_requests: times.length,
      healthy_p50_ms: p(0.5),
      healthy_p99_ms: p(0.99),
      cut_off_after_ms: Object.fromEntries(
        fates.map(({ kind, fates }) => [
          kind,
          Math.round(Math.max(...fates.map(({ closedAfterMs }) => closedAfterMs))),
        ]),
      ),
    }),
  )
  expect(wrong).toEqual([])
  for (const { kind, told, fates: each } of fates) {
    for (const fate of each) {
      expect([kind, fate.isOpen, Number(fate.head.slice(9, 12)) || undefined]).toEqual([kind, false, told])
      if (told === 408)
        expect(fate.body).toEqual({
          ...enveloped(400),
          error: TOO_SLOW,
        })
    }
  }
  if (full) expect(p(0.99)).toBeLessThan(100)
}, 90_000)

test('a body that takes its time and comes in time is taken', async () => {
  const text = JSON.stringify({ phone_number: '9876543210' })
  const answered = await new Promise<string>(resolve => {
    const socket = net.connect(Number(port), '127.0.0.1', async () => {
      socket.write(post('/auth/send-otp', `content-length: ${text.length}`, 'connection: close'))
      for (const letter of text) {
        socket.write(letter)
        await Bun.sleep(40)
      }
    })
    let got = ''
    socket.on('data', piece => void (got += piece)).on('close', () => resolve(got))
  })
  expect(answered).toStartWith('HTTP/1.1 200')
})

describe('413 in the envelope: a body of', () => {
  for (const bytes of [64 * KIB + 1, 2 * 1024 * KIB, 40 * 1024 * KIB, 10_000_000_000, 4_000_000_000_000]) {
    test(`${bytes} bytes, announced, whether it comes or not`, async () => {
      for (const path of ['/auth/send-otp', '/webhooks/esign', '/tenants', '/nothing']) {
        const { head, body, isOpen } = await drip(
          post(path, `content-length: ${bytes}`),
          'x'.repeat(8 * KIB),
          5,
        )
        expect([path, head.slice(0, 12), isOpen]).toEqual([path, 'HTTP/1.1 413', false])
        expect([head, body]).toEqual([
          expect.stringMatching(/x-request-id: .*/i),
          { success: false, data: null, error: TOO_LARGE },
        ])
      }
    })
  }

  test('any length, in chunks, before it is all there', async () => {
    const chunk = `${(16 * KIB).toString(16)}\r\n${'x'.repeat(16 * KIB)}\r\n`
    for (const path of ['/auth/send-otp', '/webhooks/esign', '/tenants']) {
      const { head, body, sent } = await drip(post(path, 'transfer-encoding: chunked'), chunk, 10)
      expect([path, head.slice(0, 12), body.error?.message, sent < 60]).toEqual([
        path,
        'HTTP/1.1 413',
        TOO_LARGE.message,
        true,
      ])
    }
  })

  test('a connection that was refused one serves no other request', async () => {
    const { head, isOpen } = await drip(post('/auth/send-otp', `content-length: ${64 * KIB + 1}`))
    expect([head, isOpen]).toEqual([expect.stringMatching(/connection: close/i), false])
  })
})

test('200 and 400: up to 64 KiB is read, JSON of up to 32 levels, and no deeper', async () => {
  const phone_number = '9876543210'
  const filled = (bytes: number) => {
    const text = JSON.stringify({ phone_number, x: '' })
    return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`)
  }
  expect(filled(64 * KIB).length).toBe(64 * KIB)
  expect((await sendRequest(url, 'POST', '/auth/send-otp', { body: filled(64 * KIB) })).status).toBe(200)
  expect((await sendRequest(url, 'POST', '/auth/send-otp', { body })).status).toBe(413)
  const nested = (levels: number) =>
    `{"phone_number":"${phone_number}","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  expect((await sendRequest(url, 'POST', '/auth/send-otp', { body: nested(32) })).status).toBe(200)
  expect((await sendRequest(url, 'POST', '/auth/send-otp', { body: nested(33) })).status).toBe(400)
  expect((await sendRequest(url, 'POST', '/auth/send-otp', { body: nested(30_000) })).status).toBe(400)
})
