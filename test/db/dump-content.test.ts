import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { Client } from 'pg'
import { dump } from '../../db/backup/dump'
import { restore } from '../../db/backup/restore'
import { listTables } from '../../db/backup/tables'
import { getKysely } from '../../db/database'
import { migrations } from '../../db/migrations'
import { freshDatabase, openFreshDatabase } from '../support/database'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'kiraya-dump-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const readDump = async (file: string) => gunzipSync(await readFile(file)).toString()

test('a dump is its owner’s alone, and has a header, rows in the order of their keys, and the sequences', async () => {
  await using source = await openFreshDatabase()
  const db = getKysely(source.em())
  const phones = [
    { id: 2, phone: '9000000002' },
    { id: 1, phone: '9000000001' },
  ]
  await db.insertInto('users').values(phones).execute()
  const counters = [
    { landlord_id: 2, year: 2026, last_number: 1 },
    { landlord_id: 1, year: 2027, last_number: 2 },
    { landlord_id: 1, year: 2026, last_number: 3 },
  ]
  await db.insertInto('agreement_counters').values(counters).execute()
  await sql`select nextval('users_id_seq'), nextval('users_id_seq'), nextval('users_id_seq')`.execute(db)
  await sql`create schema elsewhere`.execute(db)
  await sql`create sequence elsewhere.other`.execute(db)
  const file = join(folder, 'rows')
  // As someone else may have put it there.
  await writeFile(`${file}.part`, 'text that others may read')
  await chmod(`${file}.part`, 0o666)

  const before = new Date().toISOString()
  const totals = await dump(source.url, file)
  const lines = (await readDump(file)).trimEnd().split('\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const header = JSON.parse(lines[0]!.slice('-- '.length))
  expect(header).toEqual({
    kiraya: 1,
    taken_at: expect.any(String),
    migrations: migrations.map(({ name }) => name),
  })
  expect([before <= header.taken_at, header.taken_at <= new Date().toISOString()]).toEqual([true, true])
  expect(lines.filter(line => /\t900000000/.test(line)).map(line => line[0])).toEqual(['1', '2'])
  expect(lines.filter(line => /^[12]\t202[67]\t/.test(line))).toEqual([
    '1\t2026\t3',
    '1\t2027\t2',
    '2\t2026\t1',
  ])
  const sequences = lines.filter(line => line.startsWith('SELECT'))
  expect(sequences).toContain(`SELECT setval('"users_id_seq"', 3, true);`)
  expect(sequences).toContain(`SELECT setval('"charges_id_seq"', 1, false);`)
  expect(sequences).toEqual(sequences.toSorted())
  expect(sequences.filter(line => line.includes('other'))).toEqual([])
  expect(JSON.parse(lines.at(-1)!.slice('-- '.length))).toEqual(totals)
  const footers = lines.filter(line => line.startsWith('-- {"table"'))
  expect([footers.length, totals.rows]).toEqual([totals.tables, 5 + migrations.length])
})

test('a dump that fails leaves the older one of that name', async () => {
  const { url, drop } = await freshDatabase({ migrated: false })
  const file = join(folder, 'older')
  await Bun.write(file, 'the older dump')

  await expect(dump(url, file)).rejects.toThrow('mikro_orm_migrations')

  expect(await Bun.file(file).text()).toBe('the older dump')
  expect(await Bun.file(`${file}.part`).exists()).toBe(false)
  await drop()
})

async function listTablesOf(...statements: string[]) {
  const { url, drop } = await freshDatabase({ migrated: false })
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
    return await listTables(client)
  } finally {
    await client.end()
    await drop()
  }
}

test('tables come after those that they reference, with the columns that can be written', async () => {
  const tables = await listTablesOf(
    'create table parents (b int, a int, gone int, twice int generated always as (a * 2) stored, primary key (a, b))',
    'alter table parents drop column gone',
    'create table children (a int, b int, "a ""quoted"" name" int, foreign key (a, b) references parents)',
    'create table "early ones" (id int primary key, parent int references "early ones")',
    'alter table children add early int references "early ones"',
    'create view a_view as select 1',
    'create schema elsewhere create table other (n int)',
  )

  expect(tables).toEqual([
    { name: 'early ones', columns: ['id', 'parent'], primaryKey: ['id'], references: [] },
    { name: 'parents', columns: ['b', 'a'], primaryKey: ['a', 'b'], references: [] },
    {
      name: 'children',
      columns: ['a', 'b', 'a "quoted" name', 'early'],
      primaryKey: [],
      references: ['early ones', 'parents'],
    },
  ])
})

test('tables that reference each other cannot be put into an order', async () => {
  const circle = listTablesOf(
    'create table a (id int primary key, b int)',
    'create table b (id int primary key, a int references a)',
    'alter table a add foreign key (b) references b',
  )
  await expect(circle).rejects.toThrow('The foreign keys of the tables form a circle')
})

test('columns may be in another order; the restored tables have statistics', async () => {
  await using source = await openFreshDatabase()
  await using target = await openFreshDatabase()
  const db = getKysely(source.em())
  await sql`alter table users drop column email`.execute(db)
  await sql`alter table users add column email varchar(255)`.execute(db)
  const user = { phone: '9000000001', email: 'asha@example.com', last_name: 'Rao' }
  await db.insertInto('users').values(user).execute()
  const file = join(folder, 'reordered')
  await dump(source.url, file)

  const totals = await restore(target.url, file)

  const restored = getKysely(target.em())
  const users = await restored.selectFrom('users').select(['phone', 'email', 'last_name']).execute()
  expect([users, totals.rows]).toEqual([[user], 1 + migrations.length])
  const { rows } = await sql`select reltuples as rows from pg_class where relname = 'users'`.execute(restored)
  expect(rows).toEqual([{ rows: 1 }])
})
