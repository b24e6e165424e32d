import { expect, spyOn, test } from 'bun:test'
import { ConnectionPool } from '../../db/connection-pool'
import { withQueryDeadline } from '../../db/deadlines'
import { openDatabase } from '../../db/database'
import { waitUntil } from '../support/round'
import { ask, databaseOfFile, refusal } from './database'
import { startGate } from './gate'

const { url } = await databaseOfFile({ migrated: false })

/** A gate to the database, and a database behind it that closes with it. */
async function startGated(options: Parameters<typeof openDatabase>[1]) {
  const gate = await startGate(url)
  const gated = openDatabase(gate.url, options)
  const end = async () => {
    await gate.end()
    await Promise.race([gated.close(), Bun.sleep(1000)])
  }
  return { gate, gated, [Symbol.asyncDispose]: end }
}

test('connections to an unresponsive server are replaced, and their transactions end', async () => {
  await using started = await startGated({ poolSize: 3 })
  const { gate, gated } = started
  const within = (work: () => Promise<unknown>) => refusal(withQueryDeadline({ leftMs: 300 }, work))
  await Promise.all([1, 2, 3].map(() => ask(gated, 'select pg_sleep(0.05)')))
  gate.shut()
  const began = performance.now()
  const transaction = () => gated.transactional(em => ask(em, 'select 1'))
  expect(await Promise.all([within(() => ask(gated, 'select 1')), within(transaction)])).toEqual([
    'SERVICE_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ])
  expect(performance.now() - began).toBeLessThan(1000)
  await Bun.sleep(500)
  gate.open()
  // The two that wait for an answer would wait on; the third was idle.
  for (let n = 0; n < 3; n++) {
    const answers = [1, 2, 3].map(() => ask(gated, 'select pg_backend_pid() as pid, pg_sleep(0.5)::text'))
    const pids = (await Promise.all(answers)).map(([answer]) => answer!.pid)
    if (n > 0) expect(new Set(pids).size).toBe(3)
  }
  expect(gated.getConnectionCounts()).toMatchObject({ in_use: 0, waiting: 0 })
})

test('a connection that gets no answer at first is made again until there is one', async () => {
  await using started = await startGated({ poolSize: 2 })
  const { gate, gated } = started
  gate.shut()
  const answers = [
    gated.sendStatement('select 1 as n', []),
    gated.transactional(em => ask(em, 'select 1 as n')),
  ]
  await Bun.sleep(100)
  gate.open()
  expect(await Promise.all(answers)).toEqual([[{ n: 1 }], [{ n: 1 }]])
})

test('the connections that were left are closed once whatever ran there has reached its deadline', async () => {
  await using started = await startGated({ poolSize: 2, limitMs: 1000 })
  const { gate, gated } = started
  const statements = () => Promise.all([1, 2].map(() => refusal(ask(gated, 'select pg_sleep(0.05)'))))
  expect(await statements()).toEqual(['none', 'none'])
  gate.shut()

  expect(await statements()).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])

  await waitUntil(() => gate.countClients() === 0, 'the end of the connections', 8000)
})

test('connections are replaced once, however many statements get no answer', async () => {
  await using started = await startGated({ poolSize: 2 })
  const { gate, gated } = started
  const findBackends = async () => {
    const answers = [1, 2].map(() => ask(gated, 'select pg_backend_pid() as pid, pg_sleep(0.1)::text'))
    return (await Promise.all(answers)).map(([answer]) => Number(answer!.pid)).toSorted()
  }
  const within = (leftMs: number) => refusal(withQueryDeadline({ leftMs }, () => ask(gated, 'select 1')))
  await Promise.all([1, 2].map(() => ask(gated, 'select pg_sleep(0.05)')))
  gate.shut()
  const [early, late] = [within(300), within(3000)]
  await early
  await Bun.sleep(500) // the server does not cancel the statement in time
  gate.open()
  const before = await findBackends()

  expect(await late).toBe('SERVICE_UNAVAILABLE')

  await Bun.sleep(500) // nor this one
  expect(await findBackends()).toEqual(before)
})

test('a statement that no request waits for may take 20 seconds', async () => {
  const pool = new ConnectionPool(url, { poolSize: 1 })
  using timers = spyOn(globalThis, 'setTimeout')

  await pool.send('select 1', [])

  expect(timers.mock.calls.map(([, ms]) => ms)).toContain(20_000)
  await pool.close()
})
