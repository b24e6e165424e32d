import { expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { signingProvider, start } from './provider'
import { signingFixtures } from './signing-fixtures'

const provider = signingProvider()
const server = testServer({ env: { ...provider.env, STRANGER_REQUEST_LIMIT: '1' } })
const { createSimpleDraft } = signingFixtures(server)
/** Limits are twenty times as high with the sandbox channel. */
const MAX = 20

test('a request that the provider did not take does not count against the limit for strangers', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  provider.replies.create = () => new Response(null, { status: 400 })
  for (let tries = 0; tries <= MAX; tries++) expect((await start(owner, agreement, tenant)).status).toBe(503)
  delete provider.replies.create

  expect((await start(owner, agreement, tenant)).status).toBe(200)
})

test('an open request that is returned again does not count', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  for (let tries = 0; tries <= MAX; tries++) expect((await start(owner, agreement, tenant)).status).toBe(200)
})
