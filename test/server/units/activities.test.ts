import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createLandlord, createUnit, type TestUser } from '../../support/users'

const server = testServer()

type Activity = { type: string; entity_id: number; actor_id: number }

async function listUnitActivities(user: TestUser) {
  const { data } = await user.get('/dashboard')
  return data.recent_activity
    .filter(({ type }: Activity) => type.startsWith('unit_'))
    .map(({ type, entity_id, actor_id }: Activity) => [type, entity_id, actor_id])
}

test('a repeated change of another replaces its entry, and fills no feed', async () => {
  const landlord = await createLandlord(server)
  const managers = [await createLandlord(server), await createLandlord(server)] as const
  const { unit, path } = await createUnit(landlord)
  for (let round = 1; round <= 3; round++) {
    for (const { id } of managers) await landlord.patch(path, { managed_by_id: id })
    await landlord.patch(path, { unit_notes: `Round ${round}` })
  }

  const entry = ['unit_updated', unit.id, landlord.id]
  for (const manager of managers) expect(await listUnitActivities(manager)).toEqual([entry])
  expect((await listUnitActivities(landlord)).length).toBe(10)
})

test('the entries of others, of other records and of other kinds stay', async () => {
  const [landlord, manager] = [await createLandlord(server), await createLandlord(server)]
  const { unit, path } = await createUnit(landlord, { managed_by_id: manager.id })
  const second = await createUnit(landlord, { managed_by_id: manager.id })
  await landlord.patch(path, { unit_notes: 'a' })
  await landlord.patch(second.path, { unit_notes: 'a' })
  await manager.patch(path, { floor_number: 2 })
  await landlord.patch(path, { unit_notes: 'b' })

  const entries = await listUnitActivities(manager)
  expect(entries.filter(([type]: string[]) => type === 'unit_updated')).toEqual([
    ['unit_updated', unit.id, landlord.id],
    ['unit_updated', unit.id, manager.id],
    ['unit_updated', second.unit.id, landlord.id],
  ])
  expect(entries).toHaveLength(5)
})

test('landlord and manager of a unit learn what happens to it, and from whom', async () => {
  const [landlord, manager] = [await createLandlord(server), await createLandlord(server)]
  const { unit, path } = await createUnit(landlord, { managed_by_id: manager.id })
  await landlord.patch(path, { unit_notes: 'Painted' })
  await manager.patch(path, { floor_number: 2 })
  await landlord.delete(path)

  const expected = [
    ['unit_deleted', unit.id, landlord.id],
    ['unit_updated', unit.id, manager.id],
    ['unit_updated', unit.id, landlord.id],
    ['unit_created', unit.id, landlord.id],
  ]
  expect(await listUnitActivities(landlord)).toEqual(expected)
  expect(await listUnitActivities(manager)).toEqual(expected)
})
