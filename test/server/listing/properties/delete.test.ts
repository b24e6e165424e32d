import { describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { createDraft, signInUser } from '../../../support/users'
import { enveloped } from '../../http/forms'
import type { AgreementStatus } from '../units/fixtures'

// That nobody sees what was deleted is tested for all reads, in security/deleted.

const server = testServer()
const message = { success: true, data: { message: expect.any(String) } }

type Ids = { property: { id: number }; unit: { id: number } }

describe.each([
  ['a property', 'properties', ({ property }: Ids) => `/properties/${property.id}`],
  ['a unit', 'property_units', ({ property, unit }: Ids) => `/properties/${property.id}/units/${unit.id}`],
] as const)('%s with an agreement', (_, table, toPath) => {
  test.each<[expected: number, status: AgreementStatus]>([
    [200, 'DRAFT'],
    [400, 'PENDING'],
    [400, 'ACTIVE'],
    [200, 'TERMINATED'],
    [200, 'COMPLETED'],
  ])('%i: is deleted if that is %s', async (expected, status) => {
    const [owner, tenant] = [await signInUser(server), await signInUser(server)]
    const { property, unit, agreement, path } = await createDraft(owner, [tenant])
    await server.db.updateTable('agreements').set({ status }).where('id', '=', agreement.id).execute()

    const deleted = await owner.delete(toPath({ property, unit }))

    expect([deleted.status, deleted.body]).toEqual([expected, expected === 200 ? message : enveloped(400)])
    const { id } = table === 'properties' ? property : unit
    const row = server.db.selectFrom(table).where('id', '=', id).select('is_active')
    expect(await row.execute()).toEqual([{ is_active: expected === 400 }])
    const left = [(await owner.get(path)).status, (await tenant.get(path)).status]
    expect(left).toEqual(status === 'DRAFT' ? [404, 404] : [200, 200])
    if (status === 'TERMINATED') expect((await owner.post(`${path}/complete`)).status).toBe(200)
  })
})
