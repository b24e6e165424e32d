import { expect, test } from 'bun:test'
import { getKysely, openDatabase } from '../../db/database'
import { migrate } from '../../db/migrate'
import { freshDatabase } from '../support/database'

const LANDLORD = { phone: '9000000001', first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const NAMED = { phone: '9000000002', first_name: 'Ravi', last_name: 'Iyer', email: null }
const HALF_NAMED = { phone: '9000000003', first_name: null, last_name: 'Iyer', email: null }

test('names leave the accounts without a profile, and stay with the landlord who gave them', async () => {
  const database = await freshDatabase()
  const orm = openDatabase(database.url)
  const db = getKysely(orm)
  const selectUsers = () =>
    db.selectFrom('users').orderBy('id').select(['phone', 'first_name', 'last_name', 'email']).execute()
  try {
    await migrate(orm, '0009-listings')
    const users = await db.insertInto('users').values([LANDLORD, NAMED, HALF_NAMED]).returning('id').execute()
    const contact = { landlord_id: users[0]!.id, tenant_id: users[1]!.id }
    const names = { first_name: NAMED.first_name, last_name: NAMED.last_name }
    await db
      .insertInto('tenant_contacts')
      .values({ ...contact, ...names })
      .execute()

    await migrate(orm)

    const cleared = { first_name: null, last_name: null }
    expect(await selectUsers()).toEqual([LANDLORD, { ...NAMED, ...cleared }, { ...HALF_NAMED, ...cleared }])
    expect(await db.selectFrom('tenant_contacts').selectAll().execute()).toEqual([{ ...contact, ...names }])
    await migrate(orm, '0009-listings')
    await migrate(orm)
    expect(await selectUsers()).toHaveLength(3)
  } finally {
    await orm.close()
    await database.drop()
  }
})
