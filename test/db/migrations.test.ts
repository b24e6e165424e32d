import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { getAppliedMigrations, migrate } from '../../db/migrate'
import { migrations } from '../../db/migrations'
import { OnlineMigration } from '../../db/migrations/online-migration'
import { openDatabase, getKysely, type Database } from '../../db/database'
import { freshDatabase } from '../support/database'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('the migrations create exactly the schema of the entities', async () => {
  const orm = openDatabase(database.url)
  expect(await findDifferences(orm)).toBe('')
  await orm.close()
})

test.each(['set_aside', 'jobs'])('a new migration drops nothing of the schema %s', async schema => {
  const temporary = await freshDatabase()
  const orm = openDatabase(temporary.url)
  await sql`create schema ${sql.id(schema)}`.execute(getKysely(orm))
  await sql`create table ${sql.id(schema, 'other')} as select id from users`.execute(getKysely(orm))
  expect(await findDifferences(orm)).toBe('')
  await orm.close()
  await temporary.drop()
})

/** The statements that a new migration would begin with. */
async function findDifferences({ orm }: Database) {
  return (await orm.schema.getUpdateSchemaSQL()).replace("set names 'utf8';", '').trim()
}

test('instances that start together migrate once', async () => {
  const orms = Array.from({ length: 4 }, () => openDatabase(database.url))
  await orms[0]!.orm.migrator.down()
  await Promise.all(orms.map(orm => migrate(orm)))
  expect(await getKysely(orms[0]!.em.fork()).selectFrom('users').selectAll().execute()).toEqual([])
  expect(await orms[1]!.orm.migrator.getPending()).toEqual([])
  await Promise.all(orms.map(orm => orm.close()))
})

test('texts in an array are read as they were written', async () => {
  const orm = openDatabase(database.url)
  const em = orm.em.fork()
  const { User, Property } = await import('../../db/entities')
  const amenities = ['null', ' lift ', '', 'a,b', '"quoted"', 'back\\slash', '{curly}', 'जिम']
  const user = em.create(User, { phone: '9000000001' })
  await em.flush()
  em.create(Property, {
    pin_code: 560048,
    city: 'c',
    district: 'd',
    state: 's',
    alias_name: 'a',
    property_type: 'pg',
    landlord_id: user.id,
    common_amenities: amenities,
  })
  await em.flush()
  expect((await orm.em.fork().findOneOrFail(Property, { landlord_id: user.id })).common_amenities).toEqual(
    amenities,
  )
  expect(
    (await getKysely(orm).selectFrom('properties').select('common_amenities').executeTakeFirstOrThrow())
      .common_amenities,
  ).toEqual(amenities)
  await orm.close()
})

test('a migration writes no file beside the code', async () => {
  const { url, drop } = await freshDatabase({ migrated: false })
  class Empty extends OnlineMigration {
    override up = async () => {}
  }
  const orm = openDatabase(url, { migrations: [{ name: 'empty', class: Empty }] })
  expect(await migrate(orm)).toEqual(['empty'])
  const written = ['.', `${import.meta.dir}/../../db/migrations`].flatMap(folder =>
    readdirSync(folder).filter(name => name.startsWith('.snapshot')),
  )
  expect(written).toEqual([])
  await orm.close()
  await drop()
})

test('the command fails if its target is unknown', async () => {
  const command = ['bun', 'server/process/migrate.ts', '--to', 'nowhere']
  const env = { ...process.env, DATABASE_URL: database.url }
  const run = Bun.spawn(command, { cwd: `${import.meta.dir}/../..`, env, stdout: 'pipe', stderr: 'pipe' })

  expect(await new Response(run.stderr).text()).toContain('Kiraya cannot migrate')
  expect(await run.exited).toBe(1)
})

test('an unknown target is refused with the names of those that there are', async () => {
  const orm = openDatabase(database.url)
  const names = migrations.map(({ name }) => name).join(', ')
  await expect(migrate(orm, 'nowhere')).rejects.toThrow(`There is no migration nowhere; there are ${names}`)
  await orm.close()
})

test('a migration that fails keeps those before it', async () => {
  const { url, drop } = await freshDatabase({ migrated: false })
  class First extends OnlineMigration {
    override up = async () => void (await this.execute('create table first (n int)'))
  }
  class Second extends OnlineMigration {
    override up = async () => void (await this.execute('not a statement'))
  }
  const orm = openDatabase(url, {
    migrations: [
      { name: '2-first', class: First },
      { name: '1-second', class: Second },
    ],
  })
  await expect(migrate(orm)).rejects.toThrow('syntax error')
  expect(await getAppliedMigrations(getKysely(orm))).toEqual(['2-first'])
  await orm.close()
  await drop()
})
