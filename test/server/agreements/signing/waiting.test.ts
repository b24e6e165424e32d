import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { testServer } from '../../../support/server'
import { waitUntil } from '../../../support/round'
import { nativeFixtures } from './native-fixtures'
import { nativeProvider } from './native-provider'
import { start } from './provider'

// A party waits for the request that another's start is sending, since it asks all parties.

const provider = nativeProvider()
const statements: string[] = []
const server = testServer({
  env: { ...provider.env, PROVIDER_RETRIES: '0' },
  observe: text => void statements.push(text),
})
const { createNativeDraft, findRequests } = nativeFixtures(server, provider)

const isWaiting = () => statements.some(text => text.startsWith('select "status", "signing_url"'))

test.each<[who: 'owner' | 'tenant', second: number, requests: number]>([
  ['owner', 503, 0],
  ['tenant', 200, 1],
])('the %s waits while the landlord’s start fails, and is answered %d', async (who, expected, requests) => {
  const fixture = await createNativeDraft()
  const { owner, tenant, agreement } = fixture
  const [asked, failure] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()]
  provider.replies.create = () => {
    delete provider.replies.create
    asked.resolve()
    return failure.promise
  }
  statements.length = 0
  const first = start(owner, agreement, owner)
  await asked.promise
  const second = start(who === 'owner' ? owner : tenant, agreement, fixture[who])
  await waitUntil(isWaiting, 'the second start waits')
  failure.resolve(new Response(null, { status: 500 }))

  expect([(await first).status, (await second).status]).toEqual([503, expected])
  expect(findRequests(owner)).toHaveLength(requests)
})

test('200: the request of a server that stopped keeps no other party waiting', async () => {
  const { owner, tenant, agreement } = await createNativeDraft()
  await getKysely(server.em())
    .insertInto('agreement_signatures')
    .values({
      agreement_id: agreement.id,
      signer_id: owner.id,
      signer_role: 'LANDLORD',
      provider: 'setu-native',
      created_at: new Date(0),
      expires_at: new Date(1),
    })
    .execute()

  expect((await start(tenant, agreement, tenant)).status).toBe(200)
})
