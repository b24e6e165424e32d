import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import {
  agreementTerms,
  completeProfile,
  completeSigning,
  createUnit,
  signInThree,
  signInUser,
} from '../../support/users'

const server = testServer()

async function createManagedDraft() {
  const [landlord, manager, tenant] = await signInThree(server)
  const other = await signInUser(server)
  await completeProfile(landlord, { first_name: 'Asha' })
  await completeProfile(tenant, { first_name: 'Tara' })
  await landlord.post('/tenants', { phone_number: tenant.phone, first_name: 'Miss', last_name: 'T' })
  await landlord.post('/tenants', { phone_number: manager.phone, first_name: 'Mohan' })
  const { unit } = await createUnit(landlord, { managed_by_id: manager.id })
  const terms = agreementTerms(unit.id, [tenant.id, other.id])
  const { id } = (await landlord.post('/agreements', terms)).data
  const read = async (user: typeof landlord) => {
    const { data } = await user.get(`/agreements/${id}`)
    const list = (await user.get(`/agreements?q=${data.agreement_number}`)).data
    expect(list).toEqual([data])
    return [data.landlord, data.manager, ...data.tenants].map(person => person?.name)
  }
  return { id, landlord, manager, tenant, other, read }
}

test('a lease names its people: who has not agreed to it as the landlord calls them', async () => {
  const { id, landlord, manager, tenant, other, read } = await createManagedDraft()
  for (const user of [landlord, manager])
    expect(await read(user)).toEqual(['Asha Rao', 'Mohan', 'Miss T', null])
  expect(await read(tenant)).toEqual(['Asha Rao', null, 'Tara Rao', null])
  expect(await read(other)).toEqual(['Asha Rao', null, null, null])

  await completeSigning(landlord, id, landlord.id)
  await completeSigning(tenant, id, tenant.id)

  for (const user of [landlord, manager])
    expect(await read(user)).toEqual(['Asha Rao', 'Mohan', 'Tara Rao', null])
  expect(await read(other)).toEqual(['Asha Rao', null, 'Tara Rao', null])
})

test('a lease says where its unit is, by the name of the building that its landlord gave it', async () => {
  const [owner, tenant, neighbour] = await signInThree(server)
  const house = { society_building: 'White House', locality: 'Hoskote', road_name: '1st Main' }
  const address = { pin_code: 560048, property_type: 'apartment', alias_name: 'Ours', ...house }
  const units = [{ unit_name: 'A-1' }]
  const property = (await owner.post('/properties', { ...address, property_units: units })).data
  const path = `/properties/${property.property_id}/units`
  const theirs = (await neighbour.post(path, { unit_name: 'B-2' })).data
  const draft = async (landlord: typeof owner, unitId: number) =>
    (await landlord.post('/agreements', agreementTerms(unitId, [tenant.id]))).data

  const drafts = [await draft(owner, property.property_units[0].id), await draft(neighbour, theirs.id)]

  expect(drafts.map(({ unit }) => unit)).toMatchObject([
    { unit_name: 'A-1', property_name: 'Ours', pin_code: 560048 },
    { unit_name: 'B-2', property_name: 'White House', pin_code: 560048 },
  ])
  expect((await tenant.get(`/agreements/${drafts[0].id}`)).data.unit.address).toStartWith(
    'White House, 1st Main, Hoskote, ',
  )
})
