import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { recordLog } from '../../support/log'
import { testServer } from '../../support/server'
import { createProperty, signInUser } from '../../support/users'

const { lines, log } = recordLog('warn')
const server = testServer({ overrides: { log } })
/** What tells operators: those who call see no cause. */
const levels: Record<number, string[]> = { 400: [], 500: ['error'], 503: ['warn'] }

/** PostgreSQL's errors for a change, and how they are answered. */
const cases: [sqlState: string, meaning: string, status: number, code: string][] = [
  ['40P01', 'a deadlock', 503, 'SERVICE_UNAVAILABLE'],
  ['40001', 'a serialization failure', 503, 'SERVICE_UNAVAILABLE'],
  ['53200', 'out of memory', 503, 'SERVICE_UNAVAILABLE'],
  ['53300', 'too many connections', 503, 'SERVICE_UNAVAILABLE'],
  ['57014', 'a cancelled statement', 503, 'SERVICE_UNAVAILABLE'],
  ['57P01', 'a shutdown', 503, 'SERVICE_UNAVAILABLE'],
  ['57P03', 'a start', 503, 'SERVICE_UNAVAILABLE'],
  ['08006', 'a lost connection', 503, 'SERVICE_UNAVAILABLE'],
  ['25006', 'a standby', 503, 'SERVICE_UNAVAILABLE'],
  ['22003', 'a number out of range', 400, 'BAD_REQUEST'],
  ['22021', 'a character that no text can hold', 400, 'BAD_REQUEST'],
  ['23514', 'a broken constraint', 500, 'INTERNAL_SERVER_ERROR'],
  ['42P01', 'a table that is missing', 500, 'INTERNAL_SERVER_ERROR'],
  ['XX000', 'an internal error', 500, 'INTERNAL_SERVER_ERROR'],
]

test.each(cases)('%s: %s is answered with %d', async (sqlState, _, status, code) => {
  const landlord = await signInUser(server)
  const { path } = await createProperty(landlord)
  const db = server.db
  await sql`create or replace function fail() returns trigger language plpgsql as ${sql.lit(
    `begin raise exception using errcode = '${sqlState}', message = 'secret'; end`,
  )}`.execute(db)
  await sql`create trigger fail before update on properties execute function fail()`.execute(db)

  lines.length = 0
  const response = await landlord.patch(path, { landmark: 'The old well' })
  await sql`drop trigger fail on properties`.execute(db)

  expect([response.status, response.error.code]).toEqual([status, code])
  expect(lines.map(({ level }) => level)).toEqual(levels[status]!)
  expect(response.headers.has('retry-after')).toBe(status === 503)
  expect(JSON.stringify(response.body)).not.toContain('secret')
  expect((await landlord.get(path)).data.landmark).toBeNull()
})
