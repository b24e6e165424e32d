import { expect, test } from 'bun:test'
import { openDatabase } from '../../../db/database'
import type { Config } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { createReadReplica } from '../../../server/process/read-replica'
import { waitUntil } from '../../support/round'
import { freshDatabase } from '../../support/database'

/** Connections without work end by themselves after 10 s. */
const CLOSED_WITHIN_MS = 5000

test('a replica that is closed is left by all connections', async () => {
  const [main, other] = [await freshDatabase(), await freshDatabase()]
  const primary = openDatabase(main.url)
  const settings = { DATABASE_REPLICA_URL: other.url, DATABASE_TIMEOUT_MS: 2500, REPLICA_SETTLE_MS: 1000 }
  const replica = createReadReplica(settings as Config, primary, createLog('silent', false))!
  const countConnections = async () => {
    const sessions = await primary.sendStatement('select 1 from pg_stat_activity where datname = $1', [
      new URL(other.url).pathname.slice(1),
    ])
    return sessions.length
  }
  await waitUntil(async () => (await countConnections()) > 0, 'the first check of the replica')

  await replica.close()

  await waitUntil(
    async () => (await countConnections()) === 0,
    'the end of its connections',
    CLOSED_WITHIN_MS,
  )
  expect((await replica.read('select 1 as n', []))[0]).toEqual({ n: 1 })
  await primary.close()
  for (const { drop } of [main, other]) await drop()
})
