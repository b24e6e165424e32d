import { expect, spyOn, test } from 'bun:test'
import { waitUntil } from '../../../support/round'
import { clock, testServer } from '../../../support/server'
import type { TestUser } from '../../../support/users'
import { createCompletedUser, findChecks, requestCheck } from './fixtures'
import { createKycProvider } from './kyc-provider'
import { toTimestamps } from '../../../support/timestamps'

const TOTAL_MS = 20_000
const time = clock()
const provider = createKycProvider()
const constants = { PROVIDER_TIMEOUT_MS: 20_000, PROVIDER_TOTAL_TIMEOUT_MS: TOTAL_MS }
const server = testServer({ env: provider.env, constants, overrides: { now: time.now } })

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

/** Counts how often starts look at the open check; `lookTwice` waits until one has seen the present state. */
function watchLooks() {
  const looks = spyOn(server.deps.db, 'transactional')
  const lookTwice = () => {
    const before = looks.mock.calls.length
    return waitUntil(() => looks.mock.calls.length > before + 1, 'two looks at the other start')
  }
  return { lookTwice, [Symbol.dispose]: () => looks.mockRestore() }
}

test('a check lasts a day; while it is created, 15 seconds longer than that may take', async () => {
  const user = await createCompletedUser(server)
  const { started, create } = await startSlowly(user)

  expect(await findLifetime(user)).toBe(TOTAL_MS + 15_000)
  create()
  expect((await started).status).toBe(200)

  expect(await findLifetime(user)).toBe(86_400_000)
})

test('200: a start waits for another one, and shares its check', async () => {
  const user = await createCompletedUser(server)
  const { started, create } = await startSlowly(user)
  using looks = watchLooks()
  const second = requestCheck(user)
  await looks.lookTwice()
  create()

  const [one, other] = await Promise.all([started, second])

  expect([one.status, other.status, other.data]).toEqual([200, 200, one.data])
  expect(await findChecks(server, user)).toHaveLength(1)
})

test('503: a start gives up another one that takes too long', async () => {
  const user = await createCompletedUser(server)
  const { started, create } = await startSlowly(user)
  const now = Date.now.bind(Date)
  let skippedMs = 0
  using _ = spyOn(Date, 'now').mockImplementation(() => now() + skippedMs)
  using looks = watchLooks()
  const second = requestCheck(user)

  await looks.lookTwice()
  skippedMs = TOTAL_MS + 10_000
  await looks.lookTwice()
  skippedMs = TOTAL_MS + 15_000
  const { status, error } = await second

  expect([status, error.reason]).toEqual([503, 'kyc_in_progress'])
  create()
  expect((await started).status).toBe(200)
})

test('503: a check that was given up during its start is not taken up again', async () => {
  const user = await createCompletedUser(server)
  const { started, create } = await startSlowly(user)
  await server.db
    .updateTable('kyc_requests')
    .set({ status: 'ERROR' })
    .where('user_id', '=', user.id)
    .execute()
  create()

  const { status, error } = await started

  expect([status, error.reason]).toEqual([503, 'kyc_given_up'])
  expect(await findChecks(server, user)).toEqual([])
})

test('200: an unfinished start that has expired is replaced', async () => {
  const user = await createCompletedUser(server)
  await server.db
    .insertInto('kyc_requests')
    .values({
      user_id: user.id,
      provider: 'setu',
      status: 'CREATED',
      expires_at: time.now(),
      ...toTimestamps(),
    })
    .execute()
  expect((await requestCheck(user)).status).toBe(200)
  expect((await findChecks(server, user)).map(({ status }) => status)).toEqual(['ERROR', 'CREATED'])
})

test('200: a start returns the open check if the provider says nothing about it for 3 seconds', async () => {
  const user = await createCompletedUser(server)
  const { data } = await requestCheck(user)
  const silence = Promise.withResolvers<Response>()
  provider.replies.status = () => silence.promise
  const sleep = Bun.sleep.bind(Bun)
  const waits: number[] = []
  using _ = spyOn(Bun, 'sleep').mockImplementation(ms => {
    waits.push(Number(ms))
    return sleep(Number(ms) === 3000 ? 0 : ms)
  })

  const again = await requestCheck(user)

  expect([again.status, again.data?.verification_id]).toEqual([200, data.verification_id])
  expect(waits).toContain(3000)
  silence.resolve(created())
})

test('429: a user starts too many checks in a day; those that the provider did not create are not counted', async () => {
  const limit = { rateLimitMultiplier: 1, IDENTITY_CHECK_LIMIT_PER_USER: 2 }
  const { rateLimitMultiplier, IDENTITY_CHECK_LIMIT_PER_USER } = server.deps.config
  Object.assign(server.deps.config, limit)
  using _ = {
    [Symbol.dispose]: () =>
      Object.assign(server.deps.config, { rateLimitMultiplier, IDENTITY_CHECK_LIMIT_PER_USER }),
  }
  const user = await createCompletedUser(server)
  const start = async (status?: number) => {
    provider.replies.start = status ? () => new Response(null, { status }) : created
    const response = await requestCheck(user)
    time.advance(86_400_000 / 4 + 1)
    await server.db
      .updateTable('kyc_requests')
      .set({ status: 'ERROR' })
      .where('user_id', '=', user.id)
      .execute()
    return response.status
  }

  expect([await start(), await start(500), await start(), await start()]).toEqual([200, 503, 200, 429])
  time.advance(86_400_000 / 4)
  expect(await start()).toBe(200)
})
