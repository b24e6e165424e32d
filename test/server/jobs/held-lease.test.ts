import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { postCharges } from '../../../server/jobs/post-charges'
import { createLease, listCharges, startBooksServer } from '../../support/books/lease-fixture'

test('a lease that another change holds is left to the next run, and holds up no other', async () => {
  await using server = await startBooksServer('2026-12-07')
  const [held, other] = [await createLease(server), await createLease(server)]
  server.setDay('2026-12-29')

  await server.em().transactional(async em => {
    await sql`select from agreements where id = ${held.agreement.id} for update`.execute(getKysely(em))
    await postCharges(server.deps)
  })
  expect(await listCharges(other)).toHaveLength(2)
  expect(await listCharges(held)).toHaveLength(0)

  await postCharges(server.deps)
  expect(await listCharges(held)).toHaveLength(2)
}, 15_000)
