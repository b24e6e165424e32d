import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase, type Database } from '../../db/database'
import { migrate } from '../../db/migrate'
import { OnlineMigration } from '../../db/migrations/online-migration'
import { freshDatabase } from '../support/database'

type Step = (migration: Steps) => Promise<void>

/** Makes the steps of a migration public. */
class Steps extends OnlineMigration {
  override async up() {}
  shortLock = this.runWithShortLock
  oneTransaction = this.runInOneTransaction
  index = this.createIndex
  constraint = this.addConstraint
  isConstrained = this.hasConstraint
  isTable = this.hasTable
  batches = this.updateInBatches
  archive = this.archiveColumns
  setTablesAside = this.archiveTables
  bringTablesBack = this.restoreTables
  restore = this.restoreColumns
}

/** A database whose migrations are these steps. */
async function createDatabase(up: Step, down: Step = async () => {}) {
  class Migration extends Steps {
    override up = () => up(this)
    override down = () => down(this)
  }
  const { url, drop } = await freshDatabase({ migrated: false })
  const orm = openDatabase(url, { migrations: [{ name: 'Migration', class: Migration }] })
  const db = getKysely(orm)
  const ask = async (text: string) => (await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(db)).rows
  return { orm, ask, [Symbol.asyncDispose]: () => orm.close().then(drop) }
}

const up = (orm: Database) => migrate(orm)
const down = (orm: Database) => migrate(orm, '0')

const remember = `insert into seen select current_setting('lock_timeout'), current_setting('statement_timeout')`

test('a step that blocks requests gives up soon; one of a way down has the time that it needs', async () => {
  await using database = await createDatabase(async steps => {
    await steps.shortLock(remember)
    await steps.oneTransaction(remember)
  })
  await database.ask('create table seen (waits text, lasts text)')

  await up(database.orm)

  expect(await database.ask('table seen')).toEqual([
    { waits: '150ms', lasts: '5s' },
    { waits: '150ms', lasts: '0' },
  ])
})

test('the statements of a step happen all or not at all', async () => {
  await using database = await createDatabase(steps => steps.shortLock('insert into seen values (1)', 'x'))
  await database.ask('create table seen (n int)')

  await expect(up(database.orm)).rejects.toThrow('syntax error')

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

  await up(database.orm)

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

  await up(database.orm)

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

  await up(database.orm)

  const indexes = await database.ask(`select indisvalid from pg_index where indexrelid = 'once'::regclass`)
  expect(indexes).toEqual([{ indisvalid: true }])
})

const addPositive: Step = steps => steps.constraint('numbers', 'positive', 'check (n > 0)')

test('a constraint is checked after it holds for new rows', async () => {
  await using database = await createDatabase(addPositive)
  await database.ask('create table numbers (n int)')
  await noteChanges(database.ask)

  await up(database.orm)

  expect(await database.ask(`select text from changes where text like '%numbers%'`)).toEqual([
    { text: 'alter table "numbers" add constraint "positive" check (n > 0) not valid' },
    { text: 'alter table "numbers" validate constraint "positive"' },
  ])
})

test('a constraint that an interrupted attempt added is checked by the next one', async () => {
  await using database = await createDatabase(addPositive)
  await database.ask('create table numbers as select -1 as n')

  await expect(up(database.orm)).rejects.toMatchObject({ code: '23514' })
  await database.ask('update numbers set n = 1')
  await up(database.orm)

  const [found] = await database.ask(`select convalidated from pg_constraint where conname = 'positive'`)
  expect(found).toEqual({ convalidated: true })
})

test('constraints and tables are found by their names', async () => {
  const found: boolean[] = []
  await using database = await createDatabase(async steps => {
    found.push(await steps.isConstrained('pairs', 'once'), await steps.isConstrained('pairs', 'none'))
    found.push(await steps.isConstrained('none', 'once'), await steps.isConstrained('pairs', 'once', 2))
    found.push(await steps.isConstrained('pairs', 'once', 1))
    found.push(await steps.isTable('pairs'), await steps.isTable('none'))
  })
  await database.ask('create table pairs (a int, b int, constraint once unique (a, b))')

  await up(database.orm)

  expect(found).toEqual([true, false, false, true, false, true, false])
})

const COLUMNS = ['a', 'b']

test('columns are set aside and brought back, also after an interrupted attempt', async () => {
  await using database = await createDatabase(
    async steps => {
      await steps.shortLock('alter table pairs add if not exists a int, add if not exists b int')
      await steps.restore('pairs', 'pairs_archive', COLUMNS)
    },
    async steps => steps.oneTransaction(...(await steps.archive('pairs', 'pairs_archive', COLUMNS))),
  )
  await database.ask('create table pairs (id int primary key)')
  await up(database.orm)
  await database.ask('insert into pairs values (1, 2, 3), (4, 5, null)')
  await database.ask('create schema set_aside')
  await database.ask('create table set_aside.pairs_archive as select 99 as id')

  await down(database.orm)
  expect(await database.ask('select * from pairs order by id')).toEqual([{ id: 1 }, { id: 4 }])
  expect(
    await database.ask(
      `select indisprimary from pg_index where indrelid = 'set_aside.pairs_archive'::regclass`,
    ),
  ).toEqual([{ indisprimary: true }])
  await up(database.orm)

  expect(await database.ask('select * from pairs order by id')).toEqual([
    { id: 1, a: 2, b: 3 },
    { id: 4, a: 5, b: null },
  ])
  expect(await database.ask(`select to_regclass('set_aside.pairs_archive') as left`)).toEqual([
    { left: null },
  ])
})

test('columns that are gone are not set aside again, so that their rows stay', async () => {
  await using database = await createDatabase(
    async () => {},
    async steps => {
      expect(await steps.archive('pairs', 'pairs_archive', COLUMNS)).toEqual([])
    },
  )
  await database.ask('create table pairs (id int primary key)')
  await up(database.orm)
  expect(await down(database.orm)).toEqual(['Migration'])
})

test('tables are set aside and brought back; one that is missing is passed over', async () => {
  const names = ['one', 'two']
  await using database = await createDatabase(
    steps => steps.bringTablesBack(...names),
    steps => steps.oneTransaction(...steps.setTablesAside(...names)),
  )
  const listTables = () =>
    database.ask(
      `select schemaname || '.' || tablename as name from pg_tables where tablename in ('one', 'two', 'other') order by 1`,
    )
  await database.ask('create table one (n int)')
  await up(database.orm)
  await down(database.orm)
  await database.ask('create table set_aside.other (n int)')
  expect(await listTables()).toEqual([{ name: 'set_aside.one' }, { name: 'set_aside.other' }])
  await up(database.orm)
  expect(await listTables()).toEqual([{ name: 'public.one' }, { name: 'set_aside.other' }])
})
