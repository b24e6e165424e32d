import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { completeProfile, completeSigning, createDraft, signInUser } from '../../support/users'

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
