import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase } from '../../db/database'
import { migrate } from '../../db/migrate'
import { OnlineMigration } from '../../db/migrations/online-migration'
import { freshDatabase } from '../support/database'

type Step = (migration: Steps) => Promise<void>

/** Makes the steps of a migration public. */
class Steps extends OnlineMigration {
  override async up() {}
  shortLock = this.runWithShortLock
  index = this.createIndex
  constraint = this.addConstraint
  batches = this.updateInBatches
}

/** A database whose migrations are these steps. */
async function createDatabase(up: Step) {
  class Migration extends Steps {
    override up = () => up(this)
  }
  const { url, drop } = await freshDatabase({ migrated: false })
  const orm = openDatabase(url, { migrations: [{ name: 'Migration', class: Migration }] })
  const db = getKysely(orm)
  const ask = async (text: string) => (await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(db)).rows
  return { up: () => migrate(orm), ask, [Symbol.asyncDispose]: () => orm.close().then(drop) }
}

const remember = `insert into seen select current_setting('lock_timeout'), current_setting('statement_timeout')`

test('a step that blocks requests gives up soon', async () => {
  await using database = await createDatabase(steps => steps.shortLock(remember))
  await database.ask('create table seen (waits text, lasts text)')

  await database.up()

  expect(await database.ask('table seen')).toEqual([{ waits: '150ms', lasts: '5s' }])
})

test.each([
  ['55P03', 'a lock that others hold, and tried again', true],
  ['40P01', 'a deadlock, and tried again', true],
  ['22012', 'another error, and not tried again', false],
])('%s: a step fails on %s', async (sqlState, _, isRepeated) => {
  await using database = await createDatabase(steps => steps.shortLock('select fail_once()'))
  await database.ask('create sequence attempts')
  await database.ask(`create function fail_once() returns void language plpgsql as $$
    begin if nextval('attempts') = 1 then raise exception using errcode = '${sqlState}'; end if; end $$`)

  const error = await database.up().catch(thrown => thrown.code)

  expect(error).toEqual(isRepeated ? ['Migration'] : sqlState)
})

test('the statements of a step happen all or not at all', async () => {
  await using database = await createDatabase(steps => steps.shortLock('insert into seen values (1)', 'x'))
  await database.ask('create table seen (n int)')

  await expect(database.up()).rejects.toThrow('syntax error')

  expect(await database.ask('table seen')).toEqual([])
})

test('rows are updated 2,000 ids at a time, each once', async () => {
  await using database = await createDatabase(steps => steps.batches('counters', 'set n = n + 1 where true'))
  await database.ask('create table counters as select id, 0 as n from generate_series(1, 4001) id')
  await database.ask('create table batches (first int, last int, size int)')
  await database.ask(`create function note_batch() returns trigger language plpgsql as
    'begin insert into batches select min(id), max(id), count(*) from changed; return null; end'`)
  await database.ask(`create trigger noted after update on counters referencing new table as changed
    for each statement execute function note_batch()`)

  await database.up()

  expect(await database.ask('select distinct n from counters')).toEqual([{ n: 1 }])
  expect(await database.ask('table batches')).toEqual([
    { first: 1, last: 2000, size: 2000 },
    { first: 2001, last: 4000, size: 2000 },
    { first: 4001, last: 4001, size: 1 },
  ])
})

/** Notes the statements that change the schema, as PostgreSQL received them. */
async function noteChanges(ask: (text: string) => Promise<unknown>) {
  await ask('create table changes (text text)')
  await ask(`create function note_change() returns event_trigger language plpgsql as
    'begin insert into changes values (current_query()); end'`)
  await ask('create event trigger noted on ddl_command_end execute function note_change()')
}

test('an index is made while the table is in use, once', async () => {
  const definitions = { one: 'letters (letter)', two: 'unique letters (letter)' }
  await using database = await createDatabase(async steps => {
    for (const [name, definition] of [...Object.entries(definitions), ...Object.entries(definitions)])
      await steps.index(name, definition)
  })
  await database.ask('create table letters (letter text)')
  await noteChanges(database.ask)

  await database.up()

  const indexes = await database.ask(`select text from changes where text like '%letters%'`)
  expect(indexes).toEqual([
    { text: 'create index concurrently "one" on letters (letter)' },
    { text: 'create unique index concurrently "two" on letters (letter)' },
  ])
})

test('an index that an interrupted attempt left invalid is made again', async () => {
  await using database = await createDatabase(steps => steps.index('once', 'unique letters (letter)'))
  await database.ask(`create table letters as select 'a' as letter from generate_series(1, 2)`)
  await expect(
    database.ask('create unique index concurrently once on letters (letter)'),
  ).rejects.toMatchObject({ code: '23505' })
  await database.ask('truncate letters')

  await database.up()

  const indexes = await database.ask(`select indisvalid from pg_index where indexrelid = 'once'::regclass`)
  expect(indexes).toEqual([{ indisvalid: true }])
})

const addPositive: Step = steps => steps.constraint('numbers', 'positive', 'check (n > 0)')

test('a constraint is checked after it holds for new rows', async () => {
  await using database = await createDatabase(addPositive)
  await database.ask('create table numbers (n int)')
  await noteChanges(database.ask)

  await database.up()

  expect(await database.ask(`select text from changes where text like '%numbers%'`)).toEqual([
    { text: 'alter table "numbers" add constraint "positive" check (n > 0) not valid' },
    { text: 'alter table "numbers" validate constraint "positive"' },
  ])
})

test('a constraint that an interrupted attempt added is checked by the next one', async () => {
  await using database = await createDatabase(addPositive)
  await database.ask('create table numbers as select -1 as n')

  await expect(database.up()).rejects.toMatchObject({ code: '23514' })
  await database.ask('update numbers set n = 1')
  await database.up()

  const [found] = await database.ask(`select convalidated from pg_constraint where conname = 'positive'`)
  expect(found).toEqual({ convalidated: true })
})
