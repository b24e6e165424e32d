import { describe, expect, test } from 'bun:test'
import { interrupt } from '../../../support/locks'
import { testServer } from '../../../support/server'
import { agreementTerms, completeSigning, createTenant } from '../../../support/users'
import { enveloped } from '../../http/forms'
import { createManagedUnit, createOwnedUnit, type AgreementStatus } from './fixtures'

const server = testServer()

const setStatus = (id: number, status: AgreementStatus) =>
  server.db.updateTable('agreements').set({ status }).where('id', '=', id).execute()

describe('the manager of a unit', () => {
  test('200: reads the property and the managed units alone', async () => {
    const { manager, property, unit, units } = await createManagedUnit(server)

    const { data } = await manager.get(`/properties/${property.id}`)
    const list = await manager.get(units)

    expect(data).toMatchObject({ id: property.id, property_units: [{ id: unit.id }] })
    expect(list.body).toMatchObject({ data: [{ id: unit.id }], metadata: { total: 1 } })
  })

  test('200: changes the unit, and sends managed_by_id back as it is', async () => {
    const { manager, landlord, unit, path } = await createManagedUnit(server)
    const change = { unit_notes: 'Painted', managed_by_id: manager.id }

    const { data } = await manager.patch(path, change)

    expect(data).toMatchObject({ ...change, landlord_id: landlord.id })
    expect((await landlord.get(path)).data).toMatchObject({ id: unit.id, unit_notes: 'Painted' })
  })

  test('403: does not appoint another manager', async () => {
    const { manager, landlord, unit, path } = await createManagedUnit(server)
    await manager.patch(path, { unit_notes: 'Painted' })
    for (const managed_by_id of [null, landlord.id, 2_000_000_000]) {
      const { status, body } = await manager.patch(path, { unit_notes: 'x', managed_by_id })
      expect([status, body]).toEqual([403, enveloped(403)])
    }
    expect((await landlord.get(path)).data).toMatchObject({ id: unit.id, unit_notes: 'Painted' })
  })

  test('404: a unit of the property that the manager does not manage', async () => {
    const { manager, landlord, units } = await createManagedUnit(server)
    const other = (await landlord.get(`${units}?q=unmanaged`)).data[0]
    const path = `${units}/${other.id}`

    expect((await manager.get(path)).status).toBe(404)
    expect((await manager.patch(path)).status).toBe(404)
    expect((await manager.delete(path)).status).toBe(404)
  })
})

test.each([
  ['Flat 3.5 (A)', 'The unit Flat 3.5 (A) was changed'],
  ['Pay rent at evil.com', 'A unit was changed'],
])("the name %p of a unit in others' feeds: %s", async (unit_name, message) => {
  const { manager, landlord, path } = await createManagedUnit(server)
  await landlord.patch(path, { unit_name })

  const { data } = await manager.get('/auth/me/export')

  expect(data.tables.activities.at(-1)).toMatchObject({ type: 'unit_updated', message })
})

describe('a tenant of the unit', () => {
  test.each<[answer: number, status: AgreementStatus]>([
    [400, 'DRAFT'],
    [400, 'PENDING'],
    [400, 'ACTIVE'],
    [200, 'TERMINATED'],
    [200, 'COMPLETED'],
  ])('%d: becomes its manager while an agreement that is %s names them', async (answer, status) => {
    const { landlord, unit, path } = await createOwnedUnit(server)
    const tenant = await createTenant(server)
    const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
    await setStatus(data.id, status)

    const response = await landlord.patch(path, { managed_by_id: tenant.id })

    expect(response.status).toBe(answer)
    if (answer === 200) return
    expect(response.error.details).toMatchObject([{ property: 'managed_by_id' }])
    expect((await landlord.get(path)).data.managed_by_id).toBe(landlord.id)
  })

  test('400: cannot become its manager while a draft that names them is being created', async () => {
    const { landlord, unit, path, units } = await createOwnedUnit(server)
    const tenant = await createTenant(server)
    const { data: other } = await landlord.post(units, { unit_name: 'B' })
    const { data: draft } = await landlord.post('/agreements', agreementTerms(other.id, [tenant.id]))

    const refused = await interrupt(server, {
      lock: async tx => {
        await tx.selectFrom('property_units').where('id', '=', unit.id).select('id').forShare().execute()
        const moved = { property_unit_id: unit.id }
        await tx.updateTable('agreements').set(moved).where('id', '=', draft.id).execute()
      },
      start: () => landlord.patch(path, { managed_by_id: tenant.id }),
    })

    expect(refused.status).toBe(400)
  })

  test('200: can become its manager after the draft is deleted, or manages another unit', async () => {
    const { landlord, unit, path, units } = await createOwnedUnit(server)
    const tenant = await createTenant(server)
    const { data: other } = await landlord.post(units, { unit_name: 'B' })
    const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))

    expect((await landlord.patch(`${units}/${other.id}`, { managed_by_id: tenant.id })).status).toBe(200)
    await landlord.delete(`/agreements/${data.id}`)
    expect((await landlord.patch(path, { managed_by_id: tenant.id })).status).toBe(200)
  })
})

test('a tenant who has declined can become its manager, unless they were asked again', async () => {
  const { landlord, unit, path } = await createOwnedUnit(server)
  const tenant = await createTenant(server)
  const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  await completeSigning(landlord, data.id, landlord.id)
  await tenant.post(`/agreements/${data.id}/decline`, {})
  const appoint = async () => (await landlord.patch(path, { managed_by_id: tenant.id })).status
  expect(await appoint()).toBe(200)
  await landlord.patch(path, { managed_by_id: null })

  await landlord.post(`/agreements/${data.id}/sign`, { signer_id: tenant.id })

  expect(await appoint()).toBe(400)
})

test('404: once the unit is deleted, property and agreement are gone for the manager alone', async () => {
  const { manager, landlord, unit, property, path } = await createManagedUnit(server)
  const tenant = await createTenant(server)
  const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  await setStatus(data.id, 'TERMINATED')

  await landlord.delete(path)

  expect((await manager.get(`/properties/${property.id}`)).status).toBe(404)
  expect((await manager.get(`/agreements/${data.id}`)).status).toBe(404)
  expect((await manager.get('/agreements')).data).toEqual([])
  expect((await landlord.get(`/agreements/${data.id}`)).status).toBe(200)
  expect((await landlord.get('/agreements')).data).toHaveLength(1)
})
