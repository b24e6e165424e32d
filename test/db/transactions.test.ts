import { afterAll, beforeAll, expect, test } from 'bun:test'
import { LockMode } from '@mikro-orm/core'
import { openDatabase, type Database } from '../../db/database'
import { Property, PropertyUnit, User } from '../../db/entities'
import { waitUntil } from '../support/round'
import { freshDatabase } from '../support/database'

/** Connections without work end by themselves after 10 s. */
const CLOSED_WITHIN_MS = 5000

let temporary: Awaited<ReturnType<typeof freshDatabase>>
let db: Database
beforeAll(async () => {
  temporary = await freshDatabase()
  db = openDatabase(temporary.url, { poolSize: 3 })
})
afterAll(async () => {
  await db.close()
  await temporary.drop()
})

const place = {
  pin_code: 560_048,
  city: 'Bengaluru',
  district: 'Bengaluru Urban',
  state: 'Karnataka',
  alias_name: 'Home',
  property_type: 'pg',
} as const

test('a lock on a unit leaves its property free', async () => {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
  const owner = await db.transactional(async em => em.create(User, { phone: '9000000002' }))
  const property = await db.transactional(async em =>
    em.create(Property, { ...place, landlord_id: owner.id }),
  )
  const { id } = await db.transactional(async em =>
    em.create(PropertyUnit, {
      property_id: property.id,
      landlord_id: owner.id,
      managed_by_id: owner.id,
      unit_name: 'A',
    }),
  )

  const free = await db.transactional(async em => {
    await em.findOneOrFail(PropertyUnit, id, lock)
    // Beside the transaction, in which no lock is in the way.
    return db.sendStatement('select id from properties where id = $1 for update nowait', [property.id])
  })

  expect(free).toEqual([{ id: property.id }])
})

test('a database that is closed has no connection, whatever was sent on it', async () => {
  const own = openDatabase(temporary.url, { poolSize: 1 })
  const [connection] = await own.sendStatement<{ pid: number }>('select pg_backend_pid() as pid', [])
  const isOpen = async () => {
    const sessions = await db.sendStatement('select 1 from pg_stat_activity where pid = $1', [
      connection!.pid,
    ])
    return sessions.length > 0
  }
  expect(await isOpen()).toBe(true)

  await own.close()

  await waitUntil(async () => !(await isOpen()), 'its connection ends', CLOSED_WITHIN_MS)
})
