import { expect, test } from 'bun:test'
import { createDraft, signInUser } from '../../../support/users'
import { start } from './provider'
import { signingServer } from './signing-fixtures'

const { server } = signingServer({
  constants: { MESSAGE_LIMIT_PER_PERSON: 2, MESSAGE_LIMIT_PER_LANDLORD: 3, OWN_SIGNING_LIMIT_PER_USER: 2 },
})

test('429: a landlord asks one person, or all, too often in a day; those who sign themselves may', async () => {
  Object.assign(server.deps.config, { rateLimitMultiplier: 1 })
  const [owner, tenant, second, third] = await Promise.all([1, 2, 3, 4].map(() => signInUser(server)))
  const drafts = await Promise.all([1, 2, 3].map(() => createDraft(owner!, [tenant!, second!, third!])))
  const ask = async (draft: number, signer = tenant!, by = owner!) =>
    (await start(by, drafts[draft]!.agreement, signer)).status

  expect([await ask(0), await ask(1), await ask(2)]).toEqual([200, 200, 429])
  expect([await ask(0, second), await ask(0, third)]).toEqual([200, 429])
  expect([await ask(2, owner), await ask(0, third, third), await ask(0)]).toEqual([200, 200, 200])
})

test('429: a manager asks the landlord too often in a day', async () => {
  Object.assign(server.deps.config, { rateLimitMultiplier: 1 })
  const [owner, manager, tenant] = await Promise.all([1, 2, 3].map(() => signInUser(server)))
  const { property, unit, agreement } = await createDraft(owner!, [tenant!])
  await owner!.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager!.id })
  const statuses: number[] = []
  for (let round = 1; round <= 3; round++) {
    const { status, data } = await start(manager!, agreement, owner!)
    statuses.push(status)
    if (data) await manager!.post(`/agreements/${agreement.id}/signatures/${data.signature_id}/cancel`)
  }
  expect(statuses).toEqual([200, 200, 429])
})

test('429: a party starts their own signing too often in a day', async () => {
  Object.assign(server.deps.config, { rateLimitMultiplier: 1 })
  const owner = await signInUser(server)
  const { agreement } = await createDraft(owner, [await signInUser(server)])
  const statuses: number[] = []
  for (let round = 1; round <= 3; round++) {
    const { status, data } = await start(owner, agreement, owner)
    statuses.push(status)
    if (data) await owner.post(`/agreements/${agreement.id}/signatures/${data.signature_id}/cancel`)
  }
  expect(statuses).toEqual([200, 200, 429])
})
