import { expect, test } from 'bun:test'
import { createServer, type AddressInfo } from 'node:net'
import { getSqlState } from '../../db/database-errors'
import { ConnectionPool } from '../../db/connection-pool'
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
