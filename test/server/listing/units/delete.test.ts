import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { testServer } from '../../../support/server'
import { createDraft, createTenant, signInUser } from '../../../support/users'
import { enveloped } from '../../http/forms'
import type { AgreementStatus } from './fixtures'

const server = testServer()
const deleted = { success: true, data: { message: expect.any(String) } }

describe('DELETE /properties/:id/units/:unitId', () => {
  const cases: [
    expectedStatus: number,
    agreementStatus: AgreementStatus,
    unitsLeft: number,
    agreementRead: number,
  ][] = [
    [200, 'DRAFT', 0, 404],
    [400, 'PENDING', 1, 200],
    [400, 'ACTIVE', 1, 200],
    [200, 'TERMINATED', 0, 200],
    [200, 'COMPLETED', 0, 200],
  ]
  test.each(cases)('%i: a unit with an agreement that is %s', async (expected, status, left, read) => {
    const landlord = await signInUser(server)
    const { property, unit, agreement } = await createDraft(landlord, [await createTenant(server)])
    await getKysely(server.em())
      .updateTable('agreements')
      .set({ status })
      .where('id', '=', agreement.id)
      .execute()

    const response = await landlord.delete(`/properties/${property.id}/units/${unit.id}`)

    expect(response.status).toBe(expected)
    expect(response.body).toEqual(expected === 200 ? deleted : enveloped(400))
    expect((await landlord.get(`/properties/${property.id}`)).data.property_units).toHaveLength(left)
    expect((await landlord.get(`/agreements/${agreement.id}`)).status).toBe(read)
  })
})
