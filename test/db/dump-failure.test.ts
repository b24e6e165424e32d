import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { dump } from '../../db/backup/dump'
import { getKysely, openDatabase } from '../../db/database'
import { freshDatabase } from '../support/database'

test('a dump that fails in the middle leaves no file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-dump-'))
  const { url, name, drop } = await freshDatabase()
  const orm = openDatabase(url)
  await sql`alter database ${sql.id(name)} set lock_timeout = '500ms'`.execute(getKysely(orm))

  await getKysely(orm)
    .transaction()
    .execute(async held => {
      await sql`lock table webhook_deliveries in access exclusive mode`.execute(held)
      await expect(dump(url, join(folder, 'dump'))).rejects.toThrow('lock timeout')
    })

  expect(await readdir(folder)).toEqual([])
  await orm.close()
  await drop()
  await rm(folder, { recursive: true })
})
