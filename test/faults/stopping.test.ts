import { afterAll, expect, test } from 'bun:test'
import net from 'node:net'
import { freshDatabase } from '../support/database'
import { signInUser, type TestUser } from '../support/users'
import { freePort, serverProcess } from './process'

const full = process.env.FAULTS === 'full'
const ROUNDS = full ? 20 : 2
const KEPT = full ? 60 : 16
const NEW = full ? 12 : 4
const SLOW = 4
const GRACE_MS = 1200
const PROVIDER_MS = full ? 2500 : 1700

/** An identity check that is long in coming. */
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async ({ url }) => {
    await Bun.sleep(url.includes('very-slow') ? 8000 : PROVIDER_MS)
    return Response.json(
      { id: crypto.randomUUID(), status: 'CREATED', kycURL: 'https://kyc.example.com', data: null },
      { status: 201 },
    )
  },
})
const children = new Set<Bun.Subprocess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  return provider.stop(true)
})

type Outcome = { what: string; began: number; outcome: string }
/** One request over a connection as it goes over the wire. */
function ask(socket: net.Socket, text: string) {
  const { promise, resolve } = Promise.withResolvers<
    { status: number; closes: boolean } | { error: string }
  >()
  let got = ''
  const read = (piece: Buffer) => {
    got += piece
    const [head, body] = got.split('\r\n\r\n', 2)
    const length = Number(/^content-length: (\d+)/im.exec(head!)?.[1] ?? NaN)
    if (body !== undefined && Buffer.byteLength(body) >= length)
      settle({ status: Number(got.slice(9, 12)), closes: /^connection: close/im.test(head!) })
  }
  const failed = (error: NodeJS.ErrnoException) => settle({ error: error.code ?? error.message })
  const ended = () => settle({ error: got ? 'cut off' : 'closed unanswered' })
  const settle = (outcome: Parameters<typeof resolve>[0]) => {
    socket.off('data', read).off('error', failed).off('close', ended)
    socket.on('error', () => {}) // of a connection that is not used any more
    resolve(outcome)
  }
  socket.on('data', read).on('error', failed).on('close', ended)
  if (socket.destroyed) ended()
  socket.write(text)
  return promise
}
const connect = (port: number) =>
  new Promise<net.Socket | string>(resolve => {
    const socket: net.Socket = net.connect(port, '127.0.0.1', () =>
      resolve(socket.off('error', failed).on('error', () => {})),
    )
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    socket.on('error', failed)
  })
const request = (person: TestUser, method: string, path: string, body?: unknown) => {
  const text = body === undefined ? '' : JSON.stringify(body)
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${person.token}\r\n${text && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`}\r\n${text}`
}

test(
  `a stop of one process, and of two workers, under load fails no request, ${ROUNDS} times`,
  async () => {
    const totals = {
      answered: 0,
      on_kept_connections: 0,
      after_the_signal: 0,
      waiting_for_the_provider: 0,
      refused_connections: 0,
      reset_before_answer_for_those_who_ignore_readiness: 0,
      slowest_stop_ms: 0,
    }
    for (let round = 0; round < ROUNDS; round++) {
      const database = await freshDatabase()
      const port = freePort()
      const url = `http://127.0.0.1:${port}`
      const server = serverProcess({
        PORT: port,
        WORKERS: String(1 + (round % 2)),
        DATABASE_URL: database.url,
        SHUTDOWN_DELAY_MS: String(GRACE_MS),
        SHUTDOWN_TIMEOUT_MS: '10000',
        DATABASE_TIMEOUT_MS: '10000',
        EKYC_API_URL: `http://127.0.0.1:${provider.port}`,
        EKYC_CLIENT_ID: 'i',
        EKYC_CLIENT_SECRET: 's',
        EKYC_PRODUCT_INSTANCE_ID: 'p',
      })
      children.add(server.child)
      await server.listening
      const people = await Promise.all(Array.from({ length: 4 }, () => signInUser(url)))
      const slow = await Promise.all(
        Array.from({ length: SLOW }, async () => {
          const person = await signInUser(url)
          await person.call('PUT', '/profile/complete', {
            first_name: 'Asha',
            last_name: 'Rao',
            email: 'asha@example.com',
          })
          return person
        }),
      )
      const outcomes: Outcome[] = []
      let goesElsewhere = false
      let signalled = Infinity
      let busy = true
      const wanted = (n: number) =>
        n % 3
          ? request(people[n % 4]!, 'GET', '/properties?limit=3')
          : request(people[n % 4]!, 'POST', '/properties', {
              pin_code: 560048,
              property_type: 'pg',
              property_units: [{ unit_name: 'A' }],
            })
      const note = async (what: string, socket: net.Socket, text: string) => {
        const began = performance.now()
        const answer = await ask(socket, text)
        outcomes.push({
          what,
          began,
          outcome:
            'error' in answer
              ? answer.error
              : [200, 201].includes(answer.status)
                ? 'answered'
                : String(answer.status),
        })
        return 'closes' in answer && !answer.closes
      }

      /** Keeps its connection as long as it may, as a load balancer does, and makes no other to a server that is not ready. */
      const kept = async (n: number) => {
        for (let turn = n; busy && !goesElsewhere;) {
          const socket = await connect(Number(port))
          if (typeof socket === 'string') return
          while (busy && !socket.destroyed && (await note('kept', socket, wanted(turn++))))
            await Bun.sleep(Math.random() * (n % 2 ? 20 : 800)) // some idle for most of the grace
          socket.destroy()
        }
      }
      /** A connection a request, without a look at anything, until there is nobody to connect to. */
      const careless = async (n: number) => {
        for (let turn = n; busy; turn++) {
          const socket = await connect(Number(port))
          if (typeof socket === 'string') {
            totals.refused_connections++
            if (socket !== 'ECONNREFUSED')
              outcomes.push({ what: 'new', began: performance.now(), outcome: socket })
            return
          }
          await note('new', socket, wanted(turn))
          socket.destroy()
          await Bun.sleep(Math.random() * 10)
        }
      }
      const balancer = (async () => {
        while (busy && !goesElsewhere) {
          await Bun.sleep(50)
          goesElsewhere = await fetch(`${url}/health/ready`).then(
            ({ status }) => status === 503,
            () => true,
          )
        }
      })()
      const clients = [
        ...Array.from({ length: KEPT }, (_, n) => kept(n)),
        ...Array.from({ length: NEW }, (_, n) => careless(n)),
      ]
      await Bun.sleep(500)
      const waiting = slow.map(async person =>
        note(
          'slow',
          (await connect(Number(port))) as net.Socket,
          request(person, 'POST', '/profile/ekyc', {}),
        ),
      )
      await Bun.sleep(200)
      signalled = performance.now()
      server.child.kill('SIGTERM')
      const status = await server.child.exited
      const stopped = performance.now() - signalled
      busy = false
      await Promise.all([...clients, ...waiting, balancer])
      await database.drop()

      expect(status).toBe(0)
      expect(stopped).toBeLessThan(GRACE_MS + 10_000 + 9000)
      const failed = outcomes.filter(({ outcome }) => outcome !== 'answered')
      const resets = failed.filter(
        ({ what, outcome, began }) =>
          what === 'new' &&
          began > signalled + GRACE_MS - 50 &&
          ['ECONNRESET', 'closed unanswered'].includes(outcome),
      )
      // Who connects in the very moment in which the listener closes is in nobody's hands yet.
      expect(
        failed
          .filter(each => !resets.includes(each))
          .map(
            ({ what, outcome, began }) =>
              `${what}: ${outcome}, sent ${Math.round(began - signalled)} ms after the signal`,
          ),
      ).toEqual([])
      expect(outcomes.filter(({ what }) => what === 'slow').length).toBe(SLOW)
      totals.answered += outcomes.length - failed.length
      totals.on_kept_connections += outcomes.filter(({ what }) => what === 'kept').length
      totals.after_the_signal += outcomes.filter(({ began }) => began > signalled).length
      totals.waiting_for_the_provider += SLOW
      totals.reset_before_answer_for_those_who_ignore_readiness += resets.length
      totals.slowest_stop_ms = Math.max(totals.slowest_stop_ms, Math.round(stopped))
    }
    console.log(JSON.stringify({ promise: 'stopping', rounds: ROUNDS, ...totals }))
  },
  full ? 600_000 : 60_000,
)

test('after the signal kept and new connections are answered and told to go, until the grace is over; not ready at once', async () => {
  const database = await freshDatabase()
  const port = freePort()
  const server = serverProcess({ PORT: port, DATABASE_URL: database.url, SHUTDOWN_DELAY_MS: '3000' })
  children.add(server.child)
  await server.listening
  const plain = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
  const kept = [await connect(Number(port)), await connect(Number(port))] as net.Socket[]
  const opened = (await connect(Number(port))) as net.Socket
  for (const socket of kept)
    expect(await ask(socket, plain('/health/live'))).toEqual({ status: 200, closes: false })
  server.child.kill('SIGTERM')
  for (let tries = 0; tries < 100 && !/"Stopping"/.test(server.log()); tries++) await Bun.sleep(10)
  expect(await ask(kept[0]!, plain('/health/ready'))).toEqual({ status: 503, closes: true })
  expect(await ask(kept[1]!, plain('/health/live'))).toEqual({ status: 200, closes: true })
  expect(await ask(opened, plain('/health/live'))).toEqual({ status: 200, closes: true })
  expect(await ask((await connect(Number(port))) as net.Socket, plain('/nothing'))).toEqual({
    status: 404,
    closes: true,
  })
  expect(await server.child.exited).toBe(0)
  expect(await connect(Number(port))).toBe('ECONNREFUSED')
  await database.drop()
}, 30_000)

test('a stop ends within its limit, whoever still waits', async () => {
  const database = await freshDatabase()
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  const server = serverProcess({
    PORT: port,
    DATABASE_URL: database.url,
    SHUTDOWN_TIMEOUT_MS: '500',
    EKYC_API_URL: `http://127.0.0.1:${provider.port}/very-slow`,
    EKYC_CLIENT_ID: 'i',
    EKYC_CLIENT_SECRET: 's',
    EKYC_PRODUCT_INSTANCE_ID: 'p',
  })
  children.add(server.child)
  await server.listening
  const person = await signInUser(url)
  await person.call('PUT', '/profile/complete', {
    first_name: 'Asha',
    last_name: 'Rao',
    email: 'asha@example.com',
  })
  const asked = ask((await connect(Number(port))) as net.Socket, request(person, 'POST', '/profile/ekyc', {}))
  await Bun.sleep(300)
  expect(await server.end('SIGTERM')).toBe(0)
  expect(await asked).toHaveProperty('error')
  await database.drop()
}, 30_000)
