import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import {
  completeSigning,
  createDraft,
  createLandlord,
  createManager,
  createTenant,
  sendRequest,
  type TestUser,
} from '../../support/users'

const server = testServer({ poolSize: 20 })

type Change = { person: TestUser; path: string }

/** Signs a draft, or has only its tenant asked to sign. */
async function createAgreement(step: 'asked' | 'active') {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const { agreement } = await createDraft(landlord, [tenant])
  const path = `/agreements/${agreement.id}`
  if (step === 'asked') await landlord.post(`${path}/sign`, { signer_id: tenant.id })
  else for (const { id } of [landlord, tenant]) await completeSigning(landlord, agreement.id, id)
  return { landlord, tenant, path }
}

/** Changes that another request refuses, or would make again, once they are made. */
const changes: Record<string, () => Promise<Change>> = {
  termination: async () => {
    const { landlord, path } = await createAgreement('active')
    return { person: landlord, path: `${path}/terminate` }
  },
  completion: async () => {
    const { landlord, path } = await createAgreement('asked')
    await landlord.post(`${path}/terminate`)
    return { person: landlord, path: `${path}/complete` }
  },
  'cancellation of a signature': async () => {
    const { landlord, path } = await createAgreement('asked')
    const { signatures } = (await landlord.get(`${path}/signatures`)).data
    return { person: landlord, path: `${path}/signatures/${signatures[0].signature_id}/cancel` }
  },
  resignation: async () => {
    const [landlord, manager] = [await createLandlord(server), await createManager(server)]
    const { property, unit } = await createDraft(landlord, [await createTenant(server)])
    const path = `/properties/${property.id}/units/${unit.id}`
    await landlord.call('PATCH', path, { managed_by_id: manager.id })
    return { person: manager, path: `${path}/resign` }
  },
}

const send = ({ person, path }: Change, key: string, body: unknown = {}) =>
  sendRequest(server, 'POST', path, { token: person.token, body, headers: { 'idempotency-key': key } })

describe.each(Object.entries(changes))('the same Idempotency-Key for a %s', (_, createChange) => {
  test('gives the first answer again, also at the same time; another key does not', async () => {
    const change = await createChange()
    const key = crypto.randomUUID()
    const first = await Promise.all([send(change, key), send(change, key)])
    const again = await send(change, key)
    expect(first.map(({ status }) => status)).toEqual([200, 200])
    expect([first[1]!.body, again.status, again.body]).toEqual([first[0]!.body, 200, first[0]!.body])
    expect((await send(change, crypto.randomUUID())).status).not.toBe(200)
  })
})

test('a refusal to sign gives its first answer again, and another reason with its key is 400', async () => {
  const { tenant, path } = await createAgreement('asked')
  const change = { person: tenant, path: `${path}/decline` }
  const key = crypto.randomUUID()
  const first = await send(change, key, { reason: 'Too high' })
  const again = await send(change, key, { reason: 'Too high' })
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
  const other = await send(change, key, { reason: 'Too far' })
  expect([other.status, other.body.error?.reason]).toEqual([400, 'idempotency_key_reused'])
})
