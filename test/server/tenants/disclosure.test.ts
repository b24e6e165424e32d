import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import {
  agreementTerms,
  completeProfile,
  completeSigning,
  createDraft,
  createUnit,
  freshPhone,
  signInUser,
} from '../../support/users'

const server = testServer()

/** A draft that names a tenant by id alone, so that the landlord knows nothing else of them. */
async function createDraftOfStranger() {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  await completeProfile(tenant, { first_name: 'Tara', last_name: 'Iyer' })
  const { agreement } = await createDraft(landlord, [tenant])
  const listTenants = async () => (await landlord.get('/tenants')).data
  return { landlord, tenant, agreement, listTenants }
}

const nothing = { phone: null, first_name: null, last_name: null }

test('a tenant who was asked to sign and has not, or who declined, is not disclosed', async () => {
  const { landlord, tenant, agreement, listTenants } = await createDraftOfStranger()
  expect(await listTenants()).toMatchObject([{ id: tenant.id, ...nothing }])

  await landlord.post(`/agreements/${agreement.id}/sign`, { signer_id: tenant.id })
  expect(await listTenants()).toMatchObject([{ id: tenant.id, ...nothing }])

  await completeSigning(landlord, agreement.id, tenant.id, 'decline')
  expect(await listTenants()).toMatchObject([{ id: tenant.id, ...nothing }])
})

test('the signature of the landlord does not disclose the tenant, their own does', async () => {
  const { landlord, tenant, agreement, listTenants } = await createDraftOfStranger()
  await completeSigning(landlord, agreement.id, landlord.id)
  expect(await listTenants()).toMatchObject([{ id: tenant.id, ...nothing }])

  await completeSigning(tenant, agreement.id, tenant.id)
  expect(await listTenants()).toMatchObject([
    { id: tenant.id, phone: tenant.phone, first_name: 'Tara', last_name: 'Iyer' },
  ])
})

test('a tenant who was named without a name is listed with the phone number', async () => {
  const [landlord, phone] = [await signInUser(server), freshPhone()]
  const { data: tenant } = await landlord.post('/tenants', { phone_number: phone })
  const { unit } = await createUnit(landlord)
  await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))

  const { data } = await landlord.get('/tenants')

  expect(data).toMatchObject([{ id: tenant.id, phone, first_name: null, last_name: null }])
})
