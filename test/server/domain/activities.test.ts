import { expect, test } from 'bun:test'
import { recordActivities } from '../../../server/domain/activities'
import { testServer } from '../../support/server'
import { createLandlord, createProperty, createTenant } from '../../support/users'

const server = testServer()

test('users who have no account any more get no activities', async () => {
  const [user, landlord] = [await createTenant(server), await createLandlord(server)]
  const { property } = await createProperty(landlord)
  const db = server.db
  const setActive = (is_active: boolean) =>
    db.updateTable('users').set({ is_active }).where('id', '=', user.id).execute()
  const record = (message: string) =>
    server.em().transactional(em =>
      recordActivities(em, new Date(), {
        type: 'property_created',
        message,
        entity_type: 'property',
        entity_id: property.id,
        actor_id: user.id,
        landlord_id: landlord.id,
        to: [user.id],
      }),
    )

  await setActive(false)
  await record('while away')
  await setActive(true)
  await record('back')

  const rows = db.selectFrom('activities').where('user_id', '=', user.id).select('message')
  expect(await rows.execute()).toEqual([{ message: 'back' }])
})
