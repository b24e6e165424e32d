import { expect, spyOn, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { startSecondInstance, testServer } from '../../../support/server'
import {
  completeProfile,
  freshPhone,
  sendRequest,
  signInUser,
  type TestResponse,
} from '../../../support/users'
import { chooseByRound, getQuantile, isFull, report, roundTo, runTogether } from '../../../support/round'
import { countStatus, logIn, noLimits, warmPool } from './requests'

/** One hash is being made, and fifty logins wait for theirs. */
const ADMITTED = 51
const LOGINS = chooseByRound(200, 70)
/** Requests of others while the flood lasts. */
const MIN_SERVED = 10
const MAX_SERVED = 5000
const TRIES = 500

const server = testServer({ env: noLimits, poolSize: 30 })

async function signInWithPassword(password: string) {
  const user = await signInUser(server)
  await completeProfile(user, { password })
  return user
}

const failedLogins: Record<string, () => Promise<string>> = {
  'unknown phone': async () => freshPhone(),
  'no password': async () => (await signInUser(server)).phone,
  'wrong password': async () => (await signInWithPassword('the right password')).phone,
  'inactive user': async () => {
    const { id, phone } = await signInWithPassword('the right password')
    await getKysely(server.em()).updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
    return phone
  },
}

test('401: a failed login has one body and makes one hash of one cost, whatever the reason', async () => {
  const hashing = spyOn(Bun.password, 'verify')
  const bodies = new Set<string>()
  try {
    for (const prepare of Object.values(failedLogins)) {
      const phone = await prepare()
      hashing.mockClear()
      bodies.add(JSON.stringify((await logIn(server.url, phone, 'not the password')).body))
      const costs = hashing.mock.calls.map(([, hash]) =>
        /^\$argon2id\$v=19\$m=(\d+),t=(\d+)/.exec(String(hash))?.slice(1),
      )
      expect(costs).toEqual([['65536', '3']])
    }
    expect(bodies.size).toBe(1)
  } finally {
    hashing.mockRestore()
  }
})

test.skipIf(!isFull)(
  `the medians of ${TRIES} failed logins of each kind are measured`,
  async () => {
    const { 'inactive user': _, ...timed } = failedLogins
    const times = await Promise.all(
      Object.entries(timed).map(async ([name, prepare]) => ({
        name,
        phone: await prepare(),
        ms: [] as number[],
      })),
    )
    for (let index = 0; index < TRIES; index++)
      for (const { phone, ms } of times)
        ms.push(await measureMs(() => logIn(server.url, phone, 'not the password')))

    const medians = times.map(({ name, ms }) => [name, getQuantile(ms, 0.5)] as const)
    const [min, max] = [Math.min, Math.max].map(choose => choose(...medians.map(([, median]) => median)))
    report('enumeration', {
      tries: TRIES,
      median_ms: Object.fromEntries(medians.map(([name, median]) => [name, roundTo(median)])),
      apart_percent: roundTo((max! / min! - 1) * 100),
    })
  },
  600_000,
)

async function measureMs(work: () => Promise<unknown>) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

test('503: a flood of logins makes one hash at a time, and others are served meanwhile', async () => {
  const instance = await startSecondInstance(server, { ...noLimits, PASSWORD_HASH_CONCURRENCY: '1' })
  const { token } = await signInUser(server)
  const serveOther = () =>
    measureMs(async () => {
      expect((await sendRequest(instance, 'GET', '/auth/me', { token })).status).toBe(200)
    })
  const meanwhile: number[] = []
  let settled = 0
  const isRestRefused = () => settled >= LOGINS - ADMITTED
  const hashing = watchHashing(() => meanwhile.length > MIN_SERVED && isRestRefused())
  try {
    await warmPool(instance.url)
    const alone: number[] = []
    for (let index = 0; index < 20; index++) alone.push(await serveOther())

    let isFlooded = true
    const guess = () => logIn(instance.url, freshPhone(), 'not the password').finally(() => settled++)
    const flood = runTogether(LOGINS, guess).finally(() => (isFlooded = false))
    while (isFlooded && meanwhile.length < MAX_SERVED) meanwhile.push(await serveOther())

    expectOneHashAtATime(await flood, hashing.getMaxAtOnce())
    expect(meanwhile.length).toBeGreaterThan(MIN_SERVED)
    report('passwords', {
      logins_at_once: LOGINS,
      hashes_at_once: hashing.getMaxAtOnce(),
      others_p99_ms: {
        alone: roundTo(getQuantile(alone, 0.99)),
        meanwhile: roundTo(getQuantile(meanwhile, 0.99)),
      },
    })
  } finally {
    hashing.stop()
    await instance.stop()
  }
})

function expectOneHashAtATime(responses: TestResponse[], maxAtOnce: number) {
  expect(maxAtOnce).toBe(1)
  expect(countStatus(responses, 401)).toBe(ADMITTED)
  const refused = responses.filter(({ status }) => status !== 401)
  expect(
    refused.map(({ status, headers, error }) => [status, headers.get('retry-after'), error.code]),
  ).toEqual(Array.from({ length: LOGINS - ADMITTED }, () => [503, '2', 'SERVICE_UNAVAILABLE']))
}

/** Counts the hashes that are made at once. Short rounds make none: each takes until others were served. */
function watchHashing(isServed: () => boolean) {
  const verify = Bun.password.verify
  let atOnce = 0
  let maxAtOnce = 0
  const waitForOthers = async () => {
    while (!isServed()) await Bun.sleep(1)
    return false
  }
  const spy = spyOn(Bun.password, 'verify').mockImplementation((async (
    ...given: Parameters<typeof verify>
  ) => {
    maxAtOnce = Math.max(maxAtOnce, ++atOnce)
    return (isFull ? verify(...given) : waitForOthers()).finally(() => atOnce--)
  }) as typeof verify)
  return { getMaxAtOnce: () => maxAtOnce, stop: () => spy.mockRestore() }
}
