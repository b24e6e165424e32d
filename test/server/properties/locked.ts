import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import type { TestServer } from '../../support/server'
import type { TestResponse } from '../../support/users'
import { waitUntil } from '../../faults/round'

type Work = {
  insert: { landlord_id: number; managed_by_id: number }
  request: () => Promise<TestResponse>
}

/** Adds a unit in a transaction that commits once the request waits for its lock on the property. */
export async function runWhileLocked(server: TestServer, property_id: number, { insert, request }: Work) {
  let response: Promise<TestResponse> | undefined
  await getKysely(server.em())
    .transaction()
    .execute(async tx => {
      await tx.selectFrom('properties').where('id', '=', property_id).select('id').forShare().execute()
      await tx
        .insertInto('property_units')
        .values({ ...insert, property_id, unit_name: 'B' })
        .execute()
      response = request()
      await waitUntil(() => isWaitingForLock(server), 'the lock')
    })
  return response!
}

async function isWaitingForLock(server: TestServer) {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(getKysely(server.em()))
  return rows.length > 0
}
