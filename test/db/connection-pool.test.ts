import { expect, test } from 'bun:test'
import { createServer, type AddressInfo } from 'node:net'
import { getSqlState } from '../../db/database-errors'
import { ConnectionPool, ReservedConnection, toPoolSettings } from '../../db/connection-pool'
import { DatabaseTimeout } from '../../db/deadlines'
import { freshDatabase } from '../support/database'

test('an address without a database is refused with the SQLSTATE, for a statement and for a transaction', async () => {
  const { url, drop } = await freshDatabase({ migrated: false })
  await drop()
  const pool = new ConnectionPool(url, { poolSize: 1 })

  const refusals = [
    await pool.send('select 1', []).catch(getSqlState),
    await pool.reserve().catch(getSqlState),
  ]

  expect(refusals).toEqual(['3D000', '3D000'])
  expect(pool.getCounts()).toEqual({ in_use: 0, waiting: 0, max: 1 })
  await pool.close()
})

test('a server that accepts connections and never answers is given up, also without a request that waits', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  const { port } = silent.address() as AddressInfo
  // More than one attempt to connect takes.
  const pool = new ConnectionPool(`postgresql://kiraya@127.0.0.1:${port}/kiraya`, { limitMs: 2000 })

  expect(await pool.send('select 1', []).catch(getSqlState)).toBe('ERR_POSTGRES_CONNECTION_TIMEOUT')

  silent.close()
}, 15_000)

test('a connection goes back once, and not before its cancelled statement has ended', async () => {
  const steps: string[] = []
  const cancelled = Promise.withResolvers<never>()
  const pool = {
    execute: async (...[, , , , onCancel]: Parameters<ConnectionPool['execute']>) => {
      onCancel?.(cancelled.promise)
      throw new DatabaseTimeout()
    },
  } as unknown as ConnectionPool
  const reserved = { release: () => void steps.push('released') } as unknown as Bun.ReservedSQL
  const connection = new ReservedConnection(pool, {} as Bun.SQL, reserved, () => void steps.push('counted'))

  await connection.unsafe('select pg_sleep(60)').catch(() => {})
  connection.release()
  connection.release()
  await Bun.sleep(0)
  steps.push('cancelled')
  cancelled.reject(new Error('cancelled'))
  await Bun.sleep(0)

  expect(steps).toEqual(['counted', 'cancelled', 'released'])
})

test('who sends a statement gets it back once it is cancelled, to wait for its end', async () => {
  const { url, drop } = await freshDatabase({ migrated: false })
  const pool = new ConnectionPool(url, { poolSize: 1, limitMs: 100 })
  const sql = await new Bun.SQL(toPoolSettings(url, 1)).connect()
  const cancelled: Promise<unknown>[] = []

  const late = pool.execute(sql, sql, 'select pg_sleep(60)', [], query => void cancelled.push(query))

  expect(await late.catch(error => error)).toBeInstanceOf(DatabaseTimeout)
  expect(cancelled).toHaveLength(1)
  expect(await cancelled[0]!.catch(error => error.errno)).toBe('57014')
  await sql.close()
  await pool.close()
  await drop()
})
