import { expect, test } from 'bun:test'
import { sql, type Kysely } from 'kysely'
import { getKysely } from '../../../db/database'
import { eraseRelatedRows } from '../../../server/privacy/erase-related-rows'
import { testServer } from '../../support/server'
import { signInUser } from '../../support/users'

const server = testServer()

/** Counts how often this transaction has read long values of the table, which PostgreSQL stores apart. */
async function countLongReads(db: Kysely<any>) {
  const { rows } = await sql<{ reads: string }>`
    select t.idx_scan as reads from pg_stat_xact_all_tables t join pg_class c on c.reltoastrelid = t.relid
    where c.oid = 'idempotency_keys'::regclass`.execute(db)
  return Number(rows[0]!.reads)
}

test('an erasure reads no long stored responses, of strangers or of those who named the user', async () => {
  const [user, landlord, stranger] = [
    await signInUser(server),
    await signInUser(server),
    await signInUser(server),
  ]
  await landlord.post('/tenants', { phone_number: user.phone })
  for (const { id } of [landlord, stranger])
    await sql`insert into idempotency_keys (user_id, key, digest, claimed_until, answer)
      select ${id}::int, 'long', '', now(), jsonb_build_object('of', jsonb_agg(gen_random_uuid()))
      from generate_series(1, 2000)`.execute(getKysely(server.em()))

  const reads = await server.em().transactional(async em => {
    await eraseRelatedRows(em, user.id, user.phone)
    return countLongReads(getKysely(em))
  })

  expect(reads).toBe(0)
})
