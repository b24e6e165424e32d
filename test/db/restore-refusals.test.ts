import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { dump } from '../../db/backup/dump'
import { restore } from '../../db/backup/restore'
import { getKysely, openDatabase } from '../../db/database'
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
