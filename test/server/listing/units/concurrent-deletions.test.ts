import { describe, expect, test } from 'bun:test'
import type { Db } from '../../../../db/database'
import { interrupt, lockRow } from '../../../support/locks'
import { testServer } from '../../../support/server'
import { agreementTerms, createDraft, createProperty, createUnit, signInUser } from '../../../support/users'

const server = testServer()

type Table = 'properties' | 'property_units' | 'agreements'
const deleteRow = (table: Table, id: number) => (db: Db) =>
  db.updateTable(table).set({ is_active: false }).where('id', '=', id).execute()

/** Starts a request that waits until the row is deleted. */
const deleteMeanwhile = <T>(table: Table, id: number, start: () => Promise<T>) =>
  interrupt(server, { lock: lockRow(table, id), start, meanwhile: deleteRow(table, id) })

describe('404: a unit that is deleted while', () => {
  test('an agreement for it is drawn up', async () => {
    const [owner, tenant] = [await signInUser(server), await signInUser(server)]
    const { unit } = await createUnit(owner)
    const terms = agreementTerms(unit.id, [tenant.id])

    const { status } = await deleteMeanwhile('property_units', unit.id, () =>
      owner.post('/agreements', terms),
    )

    expect(status).toBe(404)
  })

  test('a draft moves to it', async () => {
    const [owner, tenant] = [await signInUser(server), await signInUser(server)]
    const { path, agreement } = await createDraft(owner, [tenant])
    const { unit } = await createUnit(owner)

    const { status } = await deleteMeanwhile('property_units', unit.id, () =>
      owner.patch(path, { property_unit_id: unit.id }),
    )

    expect(status).toBe(404)
    expect((await owner.get(path)).data.property_unit_id).toBe(agreement.property_unit_id)
  })
})

test('404: a property that is deleted while a unit is added to it', async () => {
  const owner = await signInUser(server)
  const { property, path } = await createProperty(owner)

  const { status } = await deleteMeanwhile('properties', property.id, () =>
    owner.post(`${path}/units`, { unit_name: 'B' }),
  )

  expect(status).toBe(404)
})

test('a change of a draft waits for a change of its unit, and finds the manager who was appointed', async () => {
  const [owner, manager] = [await signInUser(server), await signInUser(server)]
  const tenant = await signInUser(server)
  const { unit, path } = await createDraft(owner, [tenant])

  const { status, error } = await interrupt(server, {
    lock: lockRow('property_units', unit.id),
    start: () => owner.patch(path, { tenant_ids: [manager.id] }),
    meanwhile: db =>
      db.updateTable('property_units').set({ managed_by_id: manager.id }).where('id', '=', unit.id).execute(),
  })

  expect([status, error.details[0].property]).toEqual([400, 'tenant_ids'])
})

test('400: a unit is not deleted whose draft is sent for signature meanwhile', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { property, unit, agreement } = await createDraft(owner, [tenant])
  const path = `/properties/${property.id}/units/${unit.id}`

  const { status } = await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => owner.delete(path),
    meanwhile: db =>
      db.updateTable('agreements').set({ status: 'PENDING' }).where('id', '=', agreement.id).execute(),
  })

  expect(status).toBe(400)
  expect((await owner.get(path)).status).toBe(200)
})

test.each([
  ['property', (propertyId: number) => `/properties/${propertyId}`],
  ['unit', (propertyId: number, unitId: number) => `/properties/${propertyId}/units/${unitId}`],
])('400: a %s is not deleted that gets an agreement meanwhile', async (_, toPath) => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { property, unit } = await createUnit(owner)
  const { agreement } = await createDraft(owner, [tenant])

  const { status } = await interrupt(server, {
    lock: async db => {
      await db.selectFrom('property_units').where('id', '=', unit.id).select('id').forShare().execute()
      const moved = { property_unit_id: unit.id, status: 'PENDING' as const }
      await db.updateTable('agreements').set(moved).where('id', '=', agreement.id).execute()
    },
    start: () => owner.delete(toPath(property.id, unit.id)),
  })

  expect(status).toBe(400)
  expect((await owner.get(`/agreements/${agreement.id}`)).status).toBe(200)
})
