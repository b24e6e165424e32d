import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../db/database'
import { startTestServer, type TestServer } from '../support/server'
import { waitUntil } from '../support/round'
import {
  completeSigning,
  createActiveAgreement,
  createDraft,
  createLandlord,
  createTenant,
  onboardLandlord,
  signInByOtp,
  signInUser,
} from '../support/users'

/** What a request leaves beside its records: its count, its one-time password, its webhook. */
const TRACES = new Set(['rate_limits', 'otp_sessions', 'received_webhooks', 'mikro_orm_migrations'])
const VOLATILE =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+00:00)?|127\.0\.0\.1:\d+/g

/** All rows of all tables as text, without what differs from one run to the next. */
async function readTables({ em }: TestServer) {
  const db = getKysely(em())
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
  const found: Record<string, unknown[]> = {}
  for (const { name } of tables.filter(table => !TRACES.has(table.name))) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(name)} t
      where to_jsonb(t) ->> 'kind' is distinct from 'message'`.execute(db)
    if (rows.length > 0) found[name] = rows.map(({ row }) => toComparable(row)).toSorted()
  }
  return found
}

const toComparable = (row: string) =>
  row
    .replace(VOLATILE, '…')
    .replace(/"(id|\w+_id|phone|identifier|\w+_at)": ("?)[\w+…]+\2/g, '"$1": …')
    .replace(/(names\\":{\\")\d+/g, '$1…')

test('stored sign-ins and landlords leave the rows that their requests leave', async () => {
  await using stored = await startDisposableServer()
  await createLandlord(stored.server)
  await signInUser(stored.server)

  await using requested = await startDisposableServer()
  const landlord = await signInByOtp(requested.server)
  await onboardLandlord(landlord)
  await signInByOtp(requested.server)

  expect(await readTables(stored.server)).toEqual(await readTables(requested.server))
})

test('a stored lease leaves the rows that its requests leave', async () => {
  await using stored = await startDisposableServer()
  const [landlord, tenant] = [await createLandlord(stored.server), await createTenant(stored.server)]
  await createActiveAgreement(landlord, [tenant])

  await using requested = await startDisposableServer()
  const parties = [await createLandlord(requested.server), await createTenant(requested.server)] as const
  const { agreement } = await createDraft(parties[0], [parties[1]])
  for (const party of parties) await completeSigning(party, agreement.id, party.id)
  await waitUntil(async () => {
    const { data } = await parties[0].get(`/agreements/${agreement.id}`)
    return data.status === 'ACTIVE'
  }, 'the activation')

  expect(await readTables(stored.server)).toEqual(await readTables(requested.server))
})

async function startDisposableServer() {
  const server = await startTestServer()
  return { server, [Symbol.asyncDispose]: () => server.end() }
}
