import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { listPersonalTables } from '../../../server/privacy/tables'
import { testServer } from '../../support/server'

const server = testServer()

test('every table that refers to a user says what of it is a person’s', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where confrelid = 'users'::regclass and contype = 'f'`.execute(server.db)
  const personal = new Set<string>(listPersonalTables().map(({ name }) => name))

  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter(({ name }) => !personal.has(name))).toEqual([])
})
