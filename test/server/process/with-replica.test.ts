import { beforeAll, expect, test } from 'bun:test'
import type { Deps } from '../../../server/deps'
import { testServer } from '../../support/server'
import { createActiveAgreement, createLandlord, createTenant, type TestUser } from '../../support/users'

let reads = 0
const replica: Deps['replica'] = {
  sendStatement: (text, values) => {
    reads++
    return server.deps.db.sendStatement(text, values)
  },
  close: async () => {},
}
const server = testServer({ overrides: { replica } })
let landlord: TestUser
let agreement: { id: number }
beforeAll(async () => {
  landlord = await createLandlord(server)
  agreement = (await createActiveAgreement(landlord, [await createTenant(server)])).agreement
})

async function countReads(path: string) {
  reads = 0
  expect((await landlord.get(path)).status).toBe(200)
  return reads
}

test.each(['', '/signatures', '/timeline', '/document', '/certificate', '/schedule', '/statement'])(
  'GET /agreements/:id%s is read from the replica',
  async path => {
    expect(await countReads(`/agreements/${agreement.id}${path}`)).toBeGreaterThan(0)
  },
)

test('lists are read from the replica, and an export of personal data from the primary', async () => {
  expect(await countReads('/properties')).toBe(1)
  expect(await countReads('/auth/me/export')).toBe(0)
})
