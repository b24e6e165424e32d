import { expect, spyOn, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { waitUntil } from '../../support/round'
import { clock, testServer } from '../../support/server'
import type { TestUser } from '../../support/users'
import { createCompletedUser, findChecks, requestCheck } from './fixtures'
import { createKycProvider } from './kyc-provider'

const TOTAL_MS = 20_000
const time = clock()
const provider = createKycProvider()
const patience = { PROVIDER_TIMEOUT_MS: '20000', PROVIDER_TOTAL_TIMEOUT_MS: String(TOTAL_MS) }
const server = testServer({ env: { ...provider.env, ...patience }, overrides: { now: time.now } })

const silent = () => new Promise<Response>(() => {})
const created = () =>
  Response.json({ id: crypto.randomUUID(), status: 'CREATED', kycURL: 'https://kyc.example.com/1' })

/** How long the user's newest check lasts from now on. */
async function findLifetime(user: TestUser) {
  const [check] = (await findChecks(server, user)).toReversed()
  return Date.parse(check!.expires_at) - time.now().getTime()
}

/** Starts a check that the provider does not create before it is told. */
async function startSlowly(user: TestUser) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isAsked = false
  provider.replies.start = () => {
    isAsked = true
    return promise.then(created)
  }
  const started = requestCheck(user)
  await waitUntil(() => isAsked, 'the request to the provider')
  return { started, create: resolve }
}

test('a check lasts a day; while it is created, 15 seconds longer than that may take', async () => {
  const user = await createCompletedUser(server)
  const { started, create } = await startSlowly(user)

  expect(await findLifetime(user)).toBe(TOTAL_MS + 15_000)
  create()
  expect((await started).status).toBe(200)

  expect(await findLifetime(user)).toBe(86_400_000)
})

test('200: a start returns the open check if the provider says nothing about it for 3 seconds', async () => {
  const user = await createCompletedUser(server)
  const { data } = await requestCheck(user)
  provider.replies.status = silent

  const again = await Promise.race([requestCheck(user), Bun.sleep(10_000)])

  expect(again).toMatchObject({ status: 200, data: { verification_id: data.verification_id } })
})

test('503: a start gives up another one that takes too long', async () => {
  const user = await createCompletedUser(server)
  const { started, create } = await startSlowly(user)
  const now = Date.now.bind(Date)
  let skippedMs = 0
  using _ = spyOn(Date, 'now').mockImplementation(() => now() + skippedMs)
  using looks = spyOn(server.deps.db, 'transactional')
  const lookTwice = () => {
    const before = looks.mock.calls.length
    return waitUntil(() => looks.mock.calls.length > before + 1, 'two looks at the other start')
  }
  const second = requestCheck(user)

  await lookTwice()
  skippedMs = TOTAL_MS + 10_000
  await lookTwice()
  skippedMs = TOTAL_MS + 15_000
  const { status, error } = await second

  expect([status, error.reason]).toEqual([503, 'kyc_in_progress'])
  create()
  expect((await started).status).toBe(200)
})

test('503: a check that was given up meanwhile is not taken up again', async () => {
  const user = await createCompletedUser(server)
  const { started, create } = await startSlowly(user)
  await getKysely(server.em())
    .updateTable('kyc_requests')
    .set({ status: 'ERROR' })
    .where('user_id', '=', user.id)
    .execute()
  create()

  const { status, error } = await started

  expect([status, error.reason]).toEqual([503, 'kyc_given_up'])
  expect((await findChecks(server, user)).map(check => check.verification_url)).not.toContain(
    'https://kyc.example.com/1',
  )
})
