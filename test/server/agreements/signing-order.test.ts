import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createDraft, createManager, signInUser, type TestUser } from '../../support/users'
import { signingProvider, signs, start } from './signing/provider'

const provider = signingProvider()
const server = testServer({ env: provider.env })

const toOutcome = ({ status, body }: { status: number; body: any }) => [
  status,
  status === 200 ? body.data.status : body.error.message,
]

test('signing_order: a party signs after the parties before it; a party that is not listed signs at any time', async () => {
  const owner = await signInUser(server.url)
  const [first, second, free] = [
    await signInUser(server.url),
    await signInUser(server.url),
    await signInUser(server.url),
  ]
  const { agreement } = await createDraft(owner, [second, first, free])
  expect(
    (
      await owner.call('PATCH', `/agreements/${agreement.id}`, {
        signing_order: [first.id, second.id, owner.id],
      })
    ).body.data.signing_order,
  ).toEqual([first.id, second.id, owner.id])
  expect(toOutcome(await start(owner, agreement, second))).toEqual([
    400,
    `It is not this signer's turn: by signing_order ${first.id} signs before`,
  ])
  expect(toOutcome(await start(owner, agreement, owner))[0]).toBe(400)
  expect(toOutcome(await start(owner, agreement, free))).toEqual([200, 'pending'])
  await signs(provider, server.url, owner, agreement, first)
  expect(toOutcome(await start(owner, agreement, owner))[0]).toBe(400)
  await signs(provider, server.url, owner, agreement, second)
  await signs(provider, server.url, owner, agreement, owner)
  await signs(provider, server.url, owner, agreement, free)
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('ACTIVE')
})

test.each(['landlord', 'manager'] as const)(
  'signing_order: the %s alone signs for both, and does not wait for the other',
  async name => {
    const [landlord, manager] = [await signInUser(server), await createManager(server)]
    const tenant = await signInUser(server)
    const parties = { landlord, manager }
    const { property, unit, agreement, path } = await createDraft(landlord, [tenant])
    await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
    const other = name === 'landlord' ? manager : landlord
    await landlord.patch(path, { signing_order: [other.id, parties[name].id, tenant.id] })

    expect((await start(landlord, agreement, tenant)).status).toBe(400)
    await signs(provider, server.url, parties[name], agreement, parties[name])
    await signs(provider, server.url, tenant, agreement, tenant)

    expect((await landlord.get(path)).data.status).toBe('ACTIVE')
  },
)

test.each([
  ['a user who is no party', (owner: TestUser) => [owner.id, 2_147_483_647]],
  ['the same party twice', (owner: TestUser) => [owner.id, owner.id]],
  ['no party', () => []],
  ['a text instead of an id', () => ['1']],
])('400: signing_order contains %s', async (_, order) => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  const { status, body } = await owner.call('PATCH', `/agreements/${agreement.id}`, {
    signing_order: order(owner),
  })
  expect([status, body.error.details[0].property]).toEqual([400, expect.stringMatching(/^signing_order/)])
})

test('400: a tenant in signing_order cannot be removed from the agreement alone', async () => {
  const owner = await signInUser(server.url)
  const [tenant, other] = [await signInUser(server.url), await signInUser(server.url)]
  const { agreement } = await createDraft(owner, [tenant], { signing_order: [tenant.id] })
  expect((await owner.call('PATCH', `/agreements/${agreement.id}`, { tenant_ids: [other.id] })).status).toBe(
    400,
  )
  expect(
    (
      await owner.call('PATCH', `/agreements/${agreement.id}`, {
        tenant_ids: [other.id],
        signing_order: null,
      })
    ).body.data,
  ).toMatchObject({ tenant_ids: [other.id], signing_order: null })
})
