import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { dump } from '../../db/backup/dump'
import { restore } from '../../db/backup/restore'
import { getKysely, openDatabase } from '../../db/database'
import { getAppliedMigrations, migrate } from '../../db/migrate'
import { migrations } from '../../db/migrations'
import { freshDatabase } from '../support/database'

let folder: string
let original: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiraya-restore-'))
  const source = await freshDatabase()
  const orm = openDatabase(source.url)
  await getKysely(orm).insertInto('users').values({ phone: '9876543210' }).execute()
  await orm.close()
  await dump(source.url, join(folder, 'dump'))
  original = gunzipSync(await Bun.file(join(folder, 'dump')).bytes()).toString()
  await source.drop()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const decrement = (_: string, name: string, count: string) => `"${name}":${Number(count) - 1}`

/** Removes a table from a dump, and from its totals. */
const removeTable = (text: string) =>
  text
    .replace(/^COPY "rate_limits" [^]*?^-- \{"table":"rate_limits".*\n/m, '')
    .replace(/"(tables)":(\d+)/, decrement)

const damages: [what: string, damage: (text: string) => string, message: string][] = [
  ['lacks a table, which its totals hide', removeTable, 'The dump is damaged: tables are missing'],
  [
    'is of a later form',
    text => text.replace('{"kiraya":1,', '{"kiraya":2,'),
    'The dump is of another version',
  ],
  [
    'has no migrations',
    text => text.replace(/"migrations":\[.*\]/, '"migrations":[]'),
    'The dump is of another version: it has no migrations',
  ],
  [
    'lacks the list of migrations',
    text => text.replace(/,"migrations":\[.*\]/, ''),
    'The dump is of another version: it has no migrations',
  ],
  [
    'has an unknown migration',
    text => text.replace(migrations.at(-1)!.name, '9999-later'),
    `The dump is of another version: it has ${migrations
      .slice(0, -1)
      .map(({ name }) => name)
      .join(', ')}, 9999-later`,
  ],
  [
    'does not begin with its header',
    text => text.slice(text.indexOf('\n') + 1),
    'The dump is damaged at: COPY "',
  ],
  [
    'has more statements in a line',
    text => text.replace(/(SELECT setval.*;)\n/, '$1 drop table charges;\n'),
    `The dump is damaged at: SELECT setval('"`,
  ],
  [
    'copies from a program',
    text => text.replace(/(COPY "rate_limits" .* FROM) stdin/, `$1 program 'true'`),
    'The dump is damaged at: COPY "rate_limits" (',
  ],
  [
    'has a line that is long',
    text => text.replace('COPY "rate_limits"', `COPY "${'x'.repeat(90)}"`),
    `The dump is damaged at: COPY "${'x'.repeat(74)}`,
  ],
  [
    'lacks a column',
    text => text.replace(/(COPY "rate_limits" \()"\w+", /, '$1'),
    `The dump's rate_limits has other columns`,
  ],
  [
    'has a column under another name',
    text => text.replace(/(COPY "rate_limits" \()"\w+"/, '$1"others"'),
    `The dump's rate_limits has other columns`,
  ],
  [
    'has another number of rows in a table',
    text => text.replace('{"table":"users","rows":1', '{"table":"users","rows":2'),
    'The dump is damaged in users',
  ],
  [
    'has the end of another table',
    text => text.replace('{"table":"users"', '{"table":"charges"'),
    'The dump is damaged in users',
  ],
  [
    'has another number of rows in all',
    text => text.replace(/"rows":(\d+)\}\n$/, (_, count) => `"rows":${Number(count) + 1}}\n`),
    'The dump is damaged: tables are missing',
  ],
  [
    'has another number of tables',
    text => text.replace(/\{"tables":(\d+)/, (_, count) => `{"tables":${Number(count) + 1}`),
    'The dump is damaged: tables are missing',
  ],
  ['goes on', text => `${text}\n`, 'The dump is damaged: something follows its end'],
]

test.each(damages)('a dump that %s restores nothing', async (_, damage, message) => {
  const target = await freshDatabase()
  const file = join(folder, 'damaged')
  const damaged = damage(original)
  expect(damaged).not.toBe(original)
  await Bun.write(file, gzipSync(damaged))

  await expect(restore(target.url, file)).rejects.toThrow(message)

  const orm = openDatabase(target.url)
  expect(await getKysely(orm).selectFrom('users').select('id').execute()).toEqual([])
  await orm.close()
  await target.drop()
})

test('a dump of an older version does not take back the migrations of a database with rows', async () => {
  const [older, target] = [await freshDatabase({ migrated: false }), await freshDatabase()]
  const file = join(folder, 'older')
  const [olderOrm, orm] = [openDatabase(older.url), openDatabase(target.url)]
  await migrate(olderOrm, '0012-invitations')
  await dump(older.url, file)
  await getKysely(orm).insertInto('users').values({ phone: '9000000001' }).execute()

  await expect(restore(target.url, file)).rejects.toThrow('The database is not empty: users has rows')

  expect(await getAppliedMigrations(getKysely(orm))).toEqual(migrations.map(({ name }) => name))
  await Promise.all([olderOrm.close(), orm.close()])
  await Promise.all([older.drop(), target.drop()])
})
