import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getKysely } from '../../db/database'
import { dump } from '../../db/backup/dump'
import { restore } from '../../db/backup/restore'
import { openFreshDatabase } from '../support/database'
import { interrupt } from '../support/locks'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'kiraya-restore-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a restore refuses a database that gets a row after it looked empty', async () => {
  await using source = await openFreshDatabase()
  await using target = await openFreshDatabase()
  await getKysely(source.em()).insertInto('users').values({ phone: '9876543210' }).execute()
  const file = join(folder, 'dump')
  await dump(source.url, file)

  // The row is not visible yet when the restore looks first, and none that it brings is in its way.
  const outcome = await interrupt(target, {
    lock: db => db.insertInto('users').values({ id: 4711, phone: '9000000001' }).execute(),
    start: () =>
      restore(target.url, file).then(
        () => 'restored',
        (error: Error) => error.message,
      ),
  })

  expect(outcome).toBe('The database is not empty: users has rows')
  const users = await getKysely(target.em()).selectFrom('users').select('phone').execute()
  expect(users).toEqual([{ phone: '9000000001' }])
})
