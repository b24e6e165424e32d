import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { lockActiveUsers } from '../../../server/auth/queries'
import { waitForLocks } from '../../support/locks'
import { testServer } from '../../support/server'
import { signInUser } from '../../support/users'

const server = testServer()

test('users are locked in the order of their ids: two who lock the same ones cannot deadlock', async () => {
  const db = getKysely(server.em())
  const [first, second] = [await signInUser(server), await signInUser(server)]
  // To write a row anew moves it to the end of the table.
  await db.updateTable('users').set({ first_name: 'Asha' }).where('id', '=', first.id).execute()
  const selectUser = (id: number) => db.selectFrom('users').where('id', '=', id).select('id').forUpdate()

  const { locking, free } = await db.transaction().execute(async tx => {
    await tx.selectFrom('users').where('id', '=', first.id).select('id').forUpdate().execute()
    const locking = server.em().transactional(async em => {
      await sql`set local enable_indexscan = off`.execute(getKysely(em))
      await sql`set local enable_bitmapscan = off`.execute(getKysely(em))
      return lockActiveUsers(em, [second.id, first.id])
    })
    await waitForLocks(server)
    return { locking, free: await selectUser(second.id).skipLocked().execute() }
  })

  expect(free).toEqual([{ id: second.id }])
  expect(await locking).toEqual(new Set([first.id, second.id]))
})
