import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { testServer } from '../../../support/server'
import { agreementTerms, createDraft, signInUser } from '../../../support/users'
import { enveloped } from '../../http/forms'
import type { AgreementStatus } from '../units/fixtures'

const server = testServer()

test('200: a deleted property is hidden with its units and drafts', async () => {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const {
    property: { id, property_id },
    unit,
    agreement,
  } = await createDraft(owner, [tenant])
  expect((await owner.call('DELETE', `/properties/${property_id}`)).status).toBe(200)
  for (const path of [
    `/properties/${id}`,
    `/properties/${id}/units`,
    `/properties/${id}/units/${unit.id}`,
    `/agreements/${agreement.id}`,
    `/agreements/${agreement.id}/signatures`,
  ])
    expect([path, (await owner.call('GET', path)).status]).toEqual([path, 404])
  expect((await tenant.call('GET', `/agreements/${agreement.id}`)).status).toBe(404)
  for (const path of ['/properties', '/agreements', '/tenants'])
    expect((await owner.call('GET', path)).body).toMatchObject({ data: [], metadata: { total: 0 } })
  expect((await tenant.call('GET', '/agreements')).body.data).toEqual([])
  expect((await owner.call('POST', `/properties/${property_id}/units`, { unit_name: 'B' })).status).toBe(404)
  expect((await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))).status).toBe(404)
  expect((await owner.call('PATCH', `/agreements/${agreement.id}`, {})).status).toBe(404)
  expect(
    (await owner.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id })).status,
  ).toBe(404)
  const rows = await getKysely(server.em())
    .selectFrom('properties')
    .where('id', '=', id)
    .select('is_active')
    .execute()
  expect(rows).toEqual([{ is_active: false }])
})

test.each<[expected: number, status: AgreementStatus]>([
  [200, 'DRAFT'],
  [400, 'PENDING'],
  [400, 'ACTIVE'],
  [200, 'TERMINATED'],
  [200, 'COMPLETED'],
])('%i: a property with an agreement that is %s', async (expected, status) => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { property, unit, path } = await createDraft(owner, [tenant])
  const id = Number(path.split('/').at(-1))
  await getKysely(server.em()).updateTable('agreements').set({ status }).where('id', '=', id).execute()

  const deleted = await owner.delete(`/properties/${property.id}`)

  expect(deleted.status).toBe(expected)
  if (expected === 400) {
    expect(deleted.body).toEqual(enveloped(400))
    expect((await owner.get(`/properties/${property.id}/units/${unit.id}`)).status).toBe(200)
  }
  const left = [(await owner.get(path)).status, (await tenant.get(path)).status]
  expect(left).toEqual(status === 'DRAFT' ? [404, 404] : [200, 200])
  expect((await owner.get('/agreements')).data).toHaveLength(status === 'DRAFT' ? 0 : 1)
  if (status === 'TERMINATED') expect((await owner.post(`${path}/complete`)).status).toBe(200)
})
