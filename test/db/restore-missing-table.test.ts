import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { dump } from '../../db/backup/dump'
import { restore } from '../../db/backup/restore'
import { getKysely, openDatabase } from '../../db/database'
import { freshDatabase } from '../support/database'

/** Removes a table from a dump, and from its totals. */
function removeTable(text: string, table: string) {
  const part = new RegExp(`^COPY "${table}" [^]*?^-- \\{"table":"${table}".*\\n`, 'm')
  expect(text).toMatch(part)
  return text
    .replace(part, '')
    .replace(/"tables":(\d+)/, (_, count: string) => `"tables":${Number(count) - 1}`)
}

test('a dump whose totals hide that a table is missing restores nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-restore-'))
  const file = join(folder, 'dump')
  const [source, target] = [await freshDatabase(), await freshDatabase()]
  const orm = openDatabase(source.url)
  await getKysely(orm).insertInto('users').values({ phone: '9876543210' }).execute()
  await orm.close()
  await dump(source.url, file)
  const damaged = removeTable(gunzipSync(await Bun.file(file).bytes()).toString(), 'rate_limits')
  await Bun.write(file, gzipSync(damaged))

  await expect(restore(target.url, file)).rejects.toThrow('The dump is damaged: tables are missing')

  await rm(folder, { recursive: true })
  await Promise.all([source.drop(), target.drop()])
})
