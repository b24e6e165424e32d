import { expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { createLandlord, createUnit } from '../../../support/users'

const server = testServer()

type Activity = { type: string; entity_id: number; actor_id: number }

test('landlord and manager of a unit learn what happens to it, and from whom', async () => {
  const [landlord, manager] = [await createLandlord(server), await createLandlord(server)]
  const { unit, path } = await createUnit(landlord, { managed_by_id: manager.id })
  await landlord.patch(path, { unit_notes: 'Painted' })
  await manager.patch(path, { floor_number: 2 })
  await landlord.delete(path)

  for (const user of [landlord, manager]) {
    const { data } = await user.get('/dashboard')
    const activities = data.recent_activity.filter(({ type }: Activity) => type.startsWith('unit_'))
    expect(activities.map(({ type, entity_id, actor_id }: Activity) => [type, entity_id, actor_id])).toEqual([
      ['unit_deleted', unit.id, landlord.id],
      ['unit_updated', unit.id, manager.id],
      ['unit_updated', unit.id, landlord.id],
      ['unit_created', unit.id, landlord.id],
    ])
  }
})
