import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import {
  agreementTerms,
  completeSigning,
  createLandlord,
  createManager,
  createTenant,
  createUnit,
} from '../../support/users'

const server = testServer()

/** A unit whose manager is replaced while its draft waits, or after the tenant has been asked to sign. */
async function replaceManager(when: 'before signing' | 'while signing') {
  const [landlord, manager] = [await createLandlord(server), await createLandlord(server)]
  const [successor, tenant] = [await createManager(server), await createTenant(server)]
  const { unit, path: unitPath } = await createUnit(landlord, { managed_by_id: manager.id })
  const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const path = `/agreements/${data.id}`
  if (when === 'while signing') await tenant.post(`${path}/sign`, { signer_id: tenant.id })
  await landlord.patch(unitPath, { managed_by_id: successor.id })
  return { landlord, manager, successor, tenant, agreement: data, path, unitPath }
}

describe('a manager who is replaced while an agreement is signed', () => {
  test('200: reads the agreement like every party', async () => {
    const { manager, successor, agreement, path } = await replaceManager('while signing')

    const paths = [path, `/agreements/${agreement.agreement_id}`, `${path}/signatures`, `${path}/timeline`]
    for (const each of paths) expect([each, (await manager.get(each)).status]).toEqual([each, 200])
    for (const each of [manager, successor])
      expect((await each.get('/agreements')).data).toMatchObject([{ id: agreement.id }])
  })

  test('200: signs for the landlord side, and reads the evidence', async () => {
    const { landlord, manager, successor, tenant, agreement, path } = await replaceManager('while signing')

    await completeSigning(tenant, agreement.id, tenant.id)
    await completeSigning(manager, agreement.id, manager.id)

    expect((await manager.get(path)).data.status).toBe('ACTIVE')
    const { data } = await manager.get(`${path}/signatures`)
    expect(data).toMatchObject({ allSigned: true, signatures: [{ signer_role: 'manager' }, {}] })
    for (const evidence of ['document', 'certificate'])
      expect([evidence, (await manager.get(`${path}/${evidence}`)).status]).toEqual([evidence, 200])
    const { data: dashboard } = await manager.get('/dashboard')
    expect(dashboard.recent_activity[0]).toMatchObject({ type: 'agreement_activated' })
    const told = await getKysely(server.em())
      .selectFrom('activities')
      .where('type', '=', 'agreement_activated')
      .where('entity_id', '=', agreement.id)
      .select('user_id')
      .execute()
    const expected = [landlord, manager, successor, tenant].map(({ id }) => id)
    expect(told.map(({ user_id }) => user_id).toSorted()).toEqual(expected.toSorted())
  })

  test('403: what only the present landlord side may do', async () => {
    const { manager, landlord, tenant, path } = await replaceManager('while signing')
    const { data } = await landlord.get(`${path}/signatures`)

    const requests: [path: string, body: Record<string, unknown>][] = [
      [`${path}/sign`, { signer_id: tenant.id }],
      [`${path}/sign`, { signer_id: landlord.id }],
      [`${path}/signatures/${data.signatures[0].id}/cancel`, {}],
      [`${path}/revise`, {}],
      [`${path}/terminate`, {}],
    ]
    for (const [target, body] of requests)
      expect([target, (await manager.post(target, body)).status]).toEqual([target, 403])
    expect((await manager.get('/tenants')).data).toEqual([])
  })

  test('404: loses the unit and its other agreements', async () => {
    const { manager, landlord, tenant, agreement, unitPath } = await replaceManager('while signing')
    const terms = agreementTerms(agreement.property_unit_id, [tenant.id])
    const { data: later } = await landlord.post('/agreements', terms)

    expect((await manager.get(unitPath)).status).toBe(404)
    expect((await manager.get(`/agreements/${later.id}`)).status).toBe(404)
  })
})

test('404: a manager who is replaced before the first signing is no party', async () => {
  const { manager, successor, path } = await replaceManager('before signing')

  expect((await manager.get(path)).status).toBe(404)
  expect((await manager.post(`${path}/sign`, { signer_id: manager.id })).status).toBe(404)
  expect((await manager.get('/agreements')).data).toEqual([])
  expect((await successor.post(`${path}/sign`, { signer_id: successor.id })).status).toBe(200)
})
