import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { createExports, type Turns } from '../../../server/http/turns'
import { createLog } from '../../../server/observability/log'
import { waitUntil } from '../../support/round'
import { interrupt } from '../../support/locks'
import { startSecondInstance, testServer } from '../../support/server'
import { atServer, createProperty, sendRequest, signInUser, type TestUser } from '../../support/users'

/** More than the buffers of a connection hold. */
const UNITS = 600
const NOTES_BYTES = 60_000

let pages = 0
const runExport = createExports()
const toCounted: Turns = (userId, work) => {
  pages++
  return runExport(userId, work)
}
type Line = { level: string; msg: string; request_id?: string }
const lines: Line[] = []
const server = testServer({
  overrides: {
    runExport: toCounted,
    log: createLog('warn', false, { write: line => lines.push(JSON.parse(line)) }),
  },
})
const findCutOffs = () => lines.filter(({ msg }) => msg === 'A response was cut off')

let user: TestUser
beforeEach(async () => {
  user = await signInUser(server)
  const { property } = await createProperty(user)
  await sql`
    insert into property_units (property_id, landlord_id, managed_by_id, unit_name, unit_notes)
    select ${property.id}::int, ${user.id}::int, ${user.id}::int, n, repeat('x', ${NOTES_BYTES}::int)
    from generate_series(1, ${UNITS}::int) n`.execute(getKysely(server.em()))
  lines.length = 0
})
const opened: (() => void)[] = []
afterEach(() => opened.splice(0).forEach(close => close()))

/** Asks for an export, and stops reading after its first bytes. */
async function startExport({ token }: TestUser, url = server.url) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  opened.push(() => socket.destroy())
  const closed = Promise.withResolvers<void>()
  const received: Buffer[] = []
  socket.on('error', () => {}) // a response that is cut off; the socket closes next
  socket.on('close', () => closed.resolve())
  socket.write(`GET /auth/me/export HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n`)
  socket.write('connection: close\r\n\r\n')
  await new Promise<void>(resolve =>
    socket.once('data', (data: Buffer) => {
      received.push(data)
      socket.pause()
      resolve()
    }),
  )

  /** Reads the rest; whether the document ended. */
  const readRest = async () => {
    socket.on('data', (data: Buffer) => received.push(data))
    socket.resume()
    await closed.promise
    const text = Buffer.concat(received).toString('latin1')
    return { isWhole: text.endsWith('}\r\n0\r\n\r\n'), length: text.length, head: text.slice(0, 500) }
  }
  return { readRest, close: () => socket.destroy() }
}

/** Starts an export, stops reading it, and waits until the server reads no further page for it. */
async function openExport(reader: TestUser, url?: string) {
  const started = await startExport(reader, url)
  await waitUntilIdle()
  return started
}

/** Waits until no export has read a page for a while. */
async function waitUntilIdle() {
  let before = -1
  const isIdle = async () => {
    const isSame = before === pages
    before = pages
    await Bun.sleep(300)
    return isSame && before === pages
  }
  await waitUntil(isIdle, 'the end of the reading')
}

async function countBusyConnections() {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and state <> 'idle'`.execute(getKysely(server.em()))
  return rows[0]!.count
}

test('a reader that stops holds no connection and no turn, and gets the whole export later', async () => {
  const before = pages
  const stopped = await openExport(user)
  const read = pages - before

  expect([await countBusyConnections(), server.deps.db.getConnectionCounts().in_use]).toEqual([0, 0])
  expect(read).toBeLessThan((UNITS * NOTES_BYTES) / 2 ** 21)
  const other = await signInUser(server)
  for (const each of [other, user]) expect((await each.get('/auth/me/export')).status).toBe(200)

  const { isWhole, length, head } = await stopped.readRest()
  expect([isWhole, length > UNITS * NOTES_BYTES]).toEqual([true, true])
  expect(head).toContain('Transfer-Encoding: chunked')
  expect(head).toContain('Content-Type: application/json;charset=utf-8')
  expect(head).toContain('Content-Disposition: attachment; filename="kiraya-export.json"')
  expect(findCutOffs()).toEqual([])
})

const erase = async () => {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  expect((await user.call('DELETE', '/auth/me', { otp: '123456' })).status).toBe(200)
}
const renameTable = (from: string, to: string) =>
  sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(getKysely(server.em()))

test.each<[what: string, level: string, change: () => Promise<unknown>, undo?: () => Promise<unknown>]>([
  ['a sign-out', 'warn', () => user.post('/auth/logout', {})],
  ['an erasure', 'warn', erase],
  [
    'an error of the database',
    'error',
    () => renameTable('property_units', 'away'),
    () => renameTable('away', 'property_units'),
  ],
])('%s in the middle cuts the export off, which is logged', async (_, level, change, undo) => {
  const { readRest } = await openExport(user)

  await change()
  const { isWhole, length } = await readRest()
  await undo?.()

  expect([isWhole, length > 0]).toEqual([false, true])
  expect(findCutOffs()).toEqual([
    expect.objectContaining({ level, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
  ])
})

test('a client sees that an export was cut off', async () => {
  const headers = { authorization: `Bearer ${user.token}` }
  const { status, body } = await fetch(`${server.url}/auth/me/export`, { headers })
  const chunks = body![Symbol.asyncIterator]()
  await chunks.next()
  await user.post('/auth/logout', {})

  const readRest = async () => {
    while (!(await chunks.next()).done);
  }
  expect(status).toBe(200)
  await expect(readRest()).rejects.toThrow()
})

test('the export of a reader that has gone ends', async () => {
  const { close } = await openExport(user)
  const before = pages

  close()
  await waitUntilIdle()

  expect(pages - before).toBeLessThanOrEqual(1)
  expect(findCutOffs()).toEqual([])
})

test('an export goes on after a page that takes longer than a connection may be idle', async () => {
  const second = await startSecondInstance(server, { KEEP_ALIVE_S: '4' })
  const { readRest } = await startExport(user, second.url)

  const { isWhole } = await interrupt(server, {
    lock: tx => sql`lock table property_units in access exclusive mode`.execute(tx),
    start: readRest,
    meanwhile: () => Bun.sleep(9000),
  })

  expect(isWhole).toBe(true)
  await second.stop()
}, 30_000)

test('a shutdown waits for an export that is read', async () => {
  const second = await startSecondInstance(server)
  const { readRest } = await openExport(user, second.url)

  const [stopped, rest] = await Promise.all([second.stop().then(() => true), readRest()])

  expect([stopped, rest.isWhole]).toEqual([true, true])
})

test('a shutdown cuts off an export that is not read', async () => {
  const second = await startSecondInstance(server, { SHUTDOWN_TIMEOUT_MS: '500' })
  const { readRest } = await openExport(atServer(second, user), second.url)

  await second.stop()

  expect((await readRest()).isWhole).toBe(false)
})
