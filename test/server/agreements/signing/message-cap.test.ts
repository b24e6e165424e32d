import { expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { createDraft, signInUser } from '../../../support/users'
import { signingProvider, start } from './provider'

const provider = signingProvider()
const server = testServer({
  env: provider.env,
  constants: { MESSAGE_LIMIT_PER_PERSON: 2, MESSAGE_LIMIT_PER_LANDLORD: 3 },
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
