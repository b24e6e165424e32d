import { sql } from 'kysely'
import { getKysely, type Db } from '../../db/database'
import { waitUntil } from '../faults/round'
import type { TestResponse } from './requests'
import type { TestServer } from './server'

/** Sends a request against a transaction of the test's own, which commits once the request waits for its locks. */
export async function sendDuring(
  server: TestServer,
  write: (tx: Db) => Promise<unknown>,
  send: () => Promise<TestResponse>,
): Promise<TestResponse> {
  let response: Promise<TestResponse> | undefined
  await getKysely(server.em())
    .transaction()
    .execute(async tx => {
      await write(tx)
      response = send()
      await waitUntil(() => isWaitingForLock(server), 'the request waits for a lock')
    })
  return response!
}

async function isWaitingForLock(server: TestServer) {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(getKysely(server.em()))
  return rows.length > 0
}
