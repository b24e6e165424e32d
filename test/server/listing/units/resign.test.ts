import { describe, expect, test } from 'bun:test'
import { interrupt } from '../../../support/locks'
import { testServer } from '../../../support/server'
import { createLandlord, createUnit, signInUser } from '../../../support/users'
import { createManagedUnit } from './fixtures'

const server = testServer()

describe('POST /properties/:id/units/:unitId/resign', () => {
  test('200: the manager gives the unit back to its landlord, and no longer sees it', async () => {
    const { manager, landlord, property, path } = await createManagedUnit(server)

    const resigned = await manager.post(`${path}/resign`)

    expect([resigned.status, resigned.data]).toEqual([200, { message: 'You no longer manage the unit' }])
    expect((await landlord.get(path)).data.managed_by_id).toBe(landlord.id)
    expect((await manager.get(path)).status).toBe(404)
    expect((await manager.get(`/properties/${property.id}`)).status).toBe(404)
    expect((await manager.get('/auth/me/export')).data.tables.property_units).toEqual([])
  })

  test('200: both learn of it', async () => {
    const [landlord, manager] = [await createLandlord(server), await createLandlord(server)]
    const { unit, path } = await createUnit(landlord, { managed_by_id: manager.id })

    await manager.post(`${path}/resign`)

    for (const user of [landlord, manager]) {
      const { data } = await user.get('/dashboard')
      expect(data.recent_activity[0]).toMatchObject({
        type: 'unit_resigned',
        message: 'The unit A-101 was given back by its manager',
        entity_id: unit.id,
        actor_id: manager.id,
      })
    }
  })

  test('404: by a manager who is being replaced; the successor stays', async () => {
    const { manager, landlord, unit, path } = await createManagedUnit(server)
    const successor = await signInUser(server)
    const { status } = await interrupt(server, {
      lock: db =>
        db
          .updateTable('property_units')
          .set({ managed_by_id: successor.id })
          .where('id', '=', unit.id)
          .execute(),
      start: () => manager.post(`${path}/resign`),
    })
    expect(status).toBe(404)
    expect((await landlord.get(path)).data.managed_by_id).toBe(successor.id)
  })
})
