import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { waitUntil } from '../../../support/round'
import { testServer } from '../../../support/server'
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
const { createNativeDraft } = nativeFixtures(server, provider)

const isWaiting = async () => statements.some(text => text.startsWith('select "status", "signing_url"'))

test('200: a party whose wait ends with the failure of another, who gets 503, asks again', async () => {
  const { owner, tenant, agreement } = await createNativeDraft()
  const asked = Promise.withResolvers<void>()
  const failure = Promise.withResolvers<Response>()
  provider.replies.create = () => {
    delete provider.replies.create
    asked.resolve()
    return failure.promise
  }
  const first = start(owner, agreement, owner)
  await asked.promise
  const second = start(tenant, agreement, tenant)
  await waitUntil(isWaiting, 'the second party waits')
  failure.resolve(new Response(null, { status: 500 }))

  expect([(await first).status, (await second).status]).toEqual([503, 200])
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
