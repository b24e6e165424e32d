import { describe, expect, test } from 'bun:test'
import { startSecondInstance, testServer } from '../../../support/server'
import {
  agreementTerms,
  atServer,
  createUnit,
  signInUser,
  signInThree,
  type TestUser,
} from '../../../support/users'

const server = testServer({ env: { PARTIES: 'named' } })
const UNKNOWN_ID = 2_000_000_000

const name = (landlord: TestUser, { phone }: TestUser) => landlord.post('/tenants', { phone_number: phone })

/** The response to an id that could be anyone's, without the id. */
const withoutId = (response: { status: number; error: unknown }, id: number) => [
  response.status,
  JSON.stringify(response.error).replaceAll(String(id), 'ID'),
]

async function createOwnUnit() {
  const landlord = await signInUser(server)
  return { landlord, ...(await createUnit(landlord)) }
}

describe('400: a person whom the landlord has not named, whether or not they exist', () => {
  const ways = {
    'as the tenant of a new agreement': async () => {
      const { landlord, unit } = await createOwnUnit()
      return (id: number) => landlord.post('/agreements', agreementTerms(unit.id, [id]))
    },
    'as the tenant of a draft': async () => {
      const { landlord, unit } = await createOwnUnit()
      const tenant = await signInUser(server)
      await name(landlord, tenant)
      const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
      return (id: number) => landlord.patch(`/agreements/${data.id}`, { tenant_ids: [tenant.id, id] })
    },
    'as the manager of a unit': async () => {
      const { landlord, path } = await createOwnUnit()
      return (id: number) => landlord.patch(path, { managed_by_id: id })
    },
    'as the manager of a new unit': async () => {
      const { landlord, property } = await createOwnUnit()
      const units = `/properties/${property.id}/units`
      return (id: number) => landlord.post(units, { unit_name: 'B', managed_by_id: id })
    },
    'as the manager of a new property': async () => {
      const landlord = await signInUser(server)
      const property = { pin_code: 560048, property_type: 'pg' }
      return (managed_by_id: number) =>
        landlord.post('/properties', { ...property, property_units: [{ unit_name: 'A', managed_by_id }] })
    },
  }

  test.each(Object.entries(ways))('%s', async (_, createWay) => {
    const send = await createWay()
    const [stranger, inactive] = [await signInUser(server), await signInUser(server)]
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', inactive.id).execute()
    const unknown = withoutId(await send(UNKNOWN_ID), UNKNOWN_ID)

    expect(unknown).toEqual([400, expect.stringContaining('named by phone number')])
    for (const { id } of [stranger, inactive]) expect(withoutId(await send(id), id)).toEqual(unknown)
  })

  test('if only another landlord has named them', async () => {
    const { landlord, unit, path } = await createOwnUnit()
    const tenant = await signInUser(server)
    await name(await signInUser(server), tenant)

    const created = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))

    expect(created.status).toBe(400)
    expect((await landlord.patch(path, { managed_by_id: tenant.id })).status).toBe(400)
  })
})

test('400: a person who was named, and is no longer active', async () => {
  const { landlord, unit, path } = await createOwnUnit()
  const person = await signInUser(server)
  await name(landlord, person)
  await server.db.updateTable('users').set({ is_active: false }).where('id', '=', person.id).execute()

  const created = await landlord.post('/agreements', agreementTerms(unit.id, [person.id]))

  expect([created.status, created.error.reason]).toEqual([400, 'tenants_not_nameable'])
  expect((await landlord.patch(path, { managed_by_id: person.id })).status).toBe(400)
})

describe('200: a person whom the landlord side has named', () => {
  test('becomes tenant or manager', async () => {
    const { landlord, unit, property, path } = await createOwnUnit()
    const [tenant, manager] = [await signInUser(server), await signInUser(server)]
    for (const person of [tenant, manager]) await name(landlord, person)
    const units = `/properties/${property.id}/units`

    const created = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
    const added = await landlord.post(units, { unit_name: 'B', managed_by_id: manager.id })

    expect([created.status, added.status]).toEqual([201, 201])
    expect((await landlord.patch(path, { managed_by_id: manager.id })).status).toBe(200)
    expect((await landlord.patch(path, { managed_by_id: null })).status).toBe(200)
  })

  test('becomes a tenant if the manager draws up the agreement, whichever of the two has named them', async () => {
    const { landlord, unit, path } = await createOwnUnit()
    const [tenant, another, manager] = await signInThree(server)
    for (const person of [tenant, manager]) await name(landlord, person)
    await landlord.patch(path, { managed_by_id: manager.id })
    await name(manager, another)

    const created = await manager.post('/agreements', agreementTerms(unit.id, [tenant.id, another.id]))

    expect(created.status).toBe(201)
  })
})

test('200: a draft keeps tenants who were named by id before, but only in a unit of the same draft', async () => {
  const { landlord, unit } = await createOwnUnit()
  const tenant = await signInUser(server)
  const lenient = await startSecondInstance(server, { PARTIES: 'any' })
  const terms = agreementTerms(unit.id, [tenant.id])
  const { data } = await atServer(lenient, landlord).post('/agreements', terms)
  await lenient.stop()
  const path = `/agreements/${data.id}`

  expect((await landlord.patch(path, { rent_amount: 1 })).status).toBe(200)
  expect((await landlord.patch(path, { tenant_ids: [tenant.id] })).status).toBe(200)
  const another = await createUnit(landlord)
  expect((await landlord.patch(path, { property_unit_id: another.unit.id })).status).toBe(400)
})

test('400: the contacts of a manager who was appointed unasked are not those of the landlord', async () => {
  const { landlord, path, unit } = await createOwnUnit()
  const [manager, contact] = [await signInUser(server), await signInUser(server)]
  await name(manager, contact)
  await name(landlord, manager)
  expect((await landlord.patch(path, { managed_by_id: manager.id })).status).toBe(200)

  const terms = agreementTerms(unit.id, [contact.id])
  expect((await landlord.post('/agreements', terms)).status).toBe(400)
  expect((await manager.post('/agreements', terms)).status).toBe(201)
})

test('404: a signer who is no party, whether or not they exist', async () => {
  const [landlord, tenant, other] = await signInThree(server)
  const { unit } = await createUnit(landlord)
  for (const user of [tenant, other]) await name(landlord, user)
  const { data: draft } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const sign = async (signer_id: number) =>
    withoutId(await landlord.post(`/agreements/${draft.id}/sign`, { signer_id }), signer_id)

  const unknown = await sign(UNKNOWN_ID)

  expect(unknown).toEqual([404, expect.stringContaining('signer_not_found')])
  for (const { id } of [other, await signInUser(server)]) expect(await sign(id)).toEqual(unknown)
})
