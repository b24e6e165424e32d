import { afterEach, beforeAll, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import type { Deps } from '../../../server/deps'
import { waitUntil } from '../../support/round'
import { testServer } from '../../support/server'
import { completeProfile, createDraft, createPendingAgreement, signInUser } from '../../support/users'

const server = testServer({ env: { SANDBOX_EKYC: 'manual' } })
const silent = () => new Promise<never>(() => {})
let providers: Pick<Deps, 'signing' | 'kyc'>
beforeAll(() => {
  const { signing, kyc } = server.deps
  providers = { signing, kyc }
})
afterEach(() => void Object.assign(server.deps, providers))

/** From now on the providers answer nothing. */
function silenceProviders() {
  const { signing, kyc } = providers
  Object.assign(server.deps, {
    signing: { ...signing, status: silent, cancel: silent },
    kyc: { ...kyc, status: silent },
  })
}

async function createPending() {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createPendingAgreement(owner, [tenant])
  await tenant.post(`${path}/sign`, { signer_id: tenant.id })
  silenceProviders()
  return { owner, tenant, agreement, path }
}

const findCancellations = (agreementId: number) =>
  getKysely(server.em())
    .selectFrom('signing_cancellations')
    .where('agreement_id', '=', agreementId)
    .selectAll()
    .execute()

// Each of these would wait for the provider for ever.
test('200: a termination does not wait for a silent provider, which is asked again later', async () => {
  const { owner, agreement, path } = await createPending()

  const response = await owner.post(`${path}/terminate`, {})

  expect([response.status, response.data.status]).toEqual([200, 'TERMINATED'])
  expect(await findCancellations(agreement.id)).toHaveLength(1)
})

test('200: a refusal does not wait for a silent provider', async () => {
  const { tenant, agreement, path } = await createPending()

  const response = await tenant.post(`${path}/decline`, {})

  expect([response.status, response.data.status]).toEqual([200, 'declined'])
  expect(await findCancellations(agreement.id)).toHaveLength(1)
})

test('200: the open identity check comes back although the provider does not tell how it stands', async () => {
  const user = await signInUser(server)
  await completeProfile(user)

  const first = await user.post('/profile/ekyc', {})
  silenceProviders()
  const second = await user.post('/profile/ekyc', {})

  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.data).toEqual(first.data)
})

test('an identity check that is being created may take a call to the provider, and 15 s', async () => {
  const user = await signInUser(server)
  await completeProfile(user)
  const { kyc } = server.deps
  const created = Promise.withResolvers<void>()
  const start: typeof kyc.start = urls => created.promise.then(() => kyc.start(urls))
  Object.assign(server.deps, { kyc: { ...kyc, start } })
  const findRequest = () =>
    getKysely(server.em())
      .selectFrom('kyc_requests')
      .where('user_id', '=', user.id)
      .select(['created_at', 'expires_at'])
      .executeTakeFirst()

  const starting = user.post('/profile/ekyc', {})
  await waitUntil(async () => (await findRequest()) !== undefined, 'the lease of the identity check')
  const { created_at, expires_at } = (await findRequest())!
  created.resolve()

  const leaseMs = new Date(expires_at).getTime() - new Date(created_at).getTime()
  expect(leaseMs).toBe(server.deps.config.PROVIDER_TOTAL_TIMEOUT_MS + 15_000)
  expect((await starting).status).toBe(200)
})

test('a signature that is being asked for may take a call to the provider, and 15 s', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createDraft(owner, [tenant])
  const { signing } = server.deps
  const created = Promise.withResolvers<void>()
  const initiate: typeof signing.initiate = request => created.promise.then(() => signing.initiate(request))
  Object.assign(server.deps, { signing: { ...signing, initiate } })
  const findSignature = () =>
    getKysely(server.em())
      .selectFrom('agreement_signatures')
      .where('agreement_id', '=', agreement.id)
      .select(['created_at', 'expires_at'])
      .executeTakeFirst()

  const starting = owner.post(`${path}/sign`, { signer_id: tenant.id })
  await waitUntil(async () => (await findSignature()) !== undefined, 'the lease of the signature')
  const { created_at, expires_at } = (await findSignature())!
  created.resolve()

  const leaseMs = new Date(expires_at).getTime() - new Date(created_at).getTime()
  expect(leaseMs).toBe(server.deps.config.PROVIDER_TOTAL_TIMEOUT_MS + 15_000)
  expect((await starting).status).toBe(200)
})
