import { describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import {
  agreementTerms,
  completeSigning,
  createLandlord,
  createManager,
  createTenant,
  createUnit,
} from '../../../support/users'

const server = testServer()

/** A unit whose manager is replaced after the tenant has been asked to sign. */
async function replaceManager() {
  const [landlord, manager] = [await createLandlord(server), await createLandlord(server)]
  const [successor, tenant] = [await createManager(server), await createTenant(server)]
  const { unit, path: unitPath } = await createUnit(landlord, { managed_by_id: manager.id })
  const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const path = `/agreements/${data.id}`
  await tenant.post(`${path}/sign`, { signer_id: tenant.id })
  await landlord.patch(unitPath, { managed_by_id: successor.id })
  return { landlord, manager, successor, tenant, agreement: data, path }
}

describe('a manager who is replaced while an agreement is signed', () => {
  test('200: reads the agreement like every party', async () => {
    const { manager, successor, agreement, path } = await replaceManager()

    const paths = [path, `/agreements/${agreement.agreement_id}`, `${path}/signatures`, `${path}/timeline`]
    for (const each of paths) expect([each, (await manager.get(each)).status]).toEqual([each, 200])
    for (const each of [manager, successor])
      expect((await each.get('/agreements')).data).toMatchObject([{ id: agreement.id }])
  })

  test('200: signs for the landlord side, and reads the evidence', async () => {
    const { landlord, manager, successor, tenant, agreement, path } = await replaceManager()

    await completeSigning(tenant, agreement.id, tenant.id)
    await completeSigning(manager, agreement.id, manager.id)

    expect((await manager.get(path)).data.status).toBe('ACTIVE')
    const { data } = await manager.get(`${path}/signatures`)
    expect(data).toMatchObject({ allSigned: true, signatures: [{ signer_role: 'manager' }, {}] })
    for (const evidence of ['document', 'certificate'])
      expect([evidence, (await manager.get(`${path}/${evidence}`)).status]).toEqual([evidence, 200])
    const { data: dashboard } = await manager.get('/dashboard')
    expect(dashboard.recent_activity[0]).toMatchObject({ type: 'agreement_activated' })
    const told = await server.db
      .selectFrom('activities')
      .where('type', '=', 'agreement_activated')
      .where('entity_id', '=', agreement.id)
      .select('user_id')
      .execute()
    const expected = [landlord, manager, successor, tenant].map(({ id }) => id)
    expect(told.map(({ user_id }) => user_id).toSorted()).toEqual(expected.toSorted())
  })

  test('403: what only the present landlord side may do', async () => {
    const { manager, landlord, tenant, path } = await replaceManager()
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
})
