import { expect, test } from 'bun:test'
import { getKysely, type Db } from '../../../db/database'
import { interrupt } from '../../support/locks'
import { testServer } from '../../support/server'
import { createLandlord, signInUser } from '../../support/users'

const server = testServer()

const lockUser = (db: Db, id: number) =>
  db.selectFrom('users').where('id', '=', id).select('id').forUpdate().execute()

/** What an erasure does to the phone number. */
const freePhone = (db: Db, id: number) =>
  db
    .updateTable('users')
    .set({ phone: `erased-${id}` })
    .where('id', '=', id)
    .execute()

test('201: the known user is erased while a landlord names the phone number, which gets a new user', async () => {
  const landlord = await createLandlord(server)
  const known = await signInUser(server)

  // The number is taken when the landlord's request inserts it, and free once the request has the lock.
  const response = await interrupt(server, {
    lock: db => lockUser(db, known.id),
    start: () => landlord.post('/tenants', { phone_number: known.phone, first_name: 'Ravi' }),
    meanwhile: db => freePhone(db, known.id),
  })

  expect(response.status).toBe(201)
  expect(response.data).toMatchObject({ phone: known.phone, first_name: 'Ravi' })
  const users = await getKysely(server.em())
    .selectFrom('users')
    .where('phone', '=', known.phone)
    .select('id')
    .execute()
  expect(users).toEqual([{ id: response.data.id }])
  expect(response.data.id).not.toBe(known.id)
})
