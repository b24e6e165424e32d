import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { startSecondInstance, testServer } from '../../../support/server'
import { completeProfile, freshPhone, signInUser, type TestResponse } from '../../../support/users'
import { getQuantile, isFull, report, roundTo, runTogether, waitUntil } from '../../../support/round'
import { countStatus, logIn, noLimits, warmPool } from './requests'

const CONNECTIONS = 70
/** One hash is being made, and fifty logins wait for theirs. */
const ADMITTED = 51
const SIGN_INS = 20
const FLOODING_NETWORK = '203.0.113.0/24'
const PASSWORD = 'the right password'

const server = testServer({ env: noLimits, poolSize: 30 })
let instance: Awaited<ReturnType<typeof startSecondInstance>>
beforeEach(async () => {
  const env = { ...noLimits, PASSWORD_HASH_CONCURRENCY: '1', TRUSTED_PROXIES: '1' }
  instance = await startSecondInstance(server, env)
  await warmPool(instance.url)
})
afterEach(() => instance.stop())

const logInFrom = (address: string, phone: string, password: string) =>
  logIn(instance.url, phone, password, { 'x-forwarded-for': address })

const logInAtRandom = (index: number) => logInFrom(`203.0.113.${index}`, freshPhone(), 'not the password')

async function createOwner() {
  const owner = await signInUser(server)
  await completeProfile(owner, { password: PASSWORD })
  return { logIn: () => logInFrom('198.51.100.7', owner.phone, PASSWORD) }
}

/** Starts logins of one network, and collects their responses as they come. */
function startFlood() {
  const answered: TestResponse[] = []
  const done = runTogether(CONNECTIONS, async index => void answered.push(await logInAtRandom(index)))
  return { answered, done }
}

test('a login of another network is next but one, while the flood of a network fills the queue', async () => {
  const owner = await createOwner()
  const hashing = holdHashing()
  try {
    const { answered, done } = startFlood()
    await waitUntil(() => answered.length === CONNECTIONS - ADMITTED, 'the queue is full')
    const signIn = owner.logIn()
    await waitUntil(
      () => answered.length === CONNECTIONS - ADMITTED + 1,
      'a login of the flood gives its place',
    )
    for (let hashes = 1; hashes <= 3; hashes++) await hashing.finishNext()

    expect((await signIn).status).toBe(200)
    expect(hashing.compared.slice(0, 3)).toEqual(['not the password', 'not the password', PASSWORD])
    expect(answered.length).toBeLessThanOrEqual(CONNECTIONS - ADMITTED + 3)
    hashing.finishAll()
    await done
  } finally {
    hashing.stop()
  }
})

test('503: a login that finds the queue full, or gives its place, does not count against the limits', async () => {
  const owner = await createOwner()
  const hashing = holdHashing()
  try {
    await getKysely(server.em()).deleteFrom('rate_limits').execute()
    const { answered, done } = startFlood()
    await waitUntil(() => answered.length === CONNECTIONS - ADMITTED, 'the queue is full')
    const signIn = owner.logIn()
    await waitUntil(
      () => answered.length === CONNECTIONS - ADMITTED + 1,
      'a login of the flood gives its place',
    )
    hashing.finishAll()
    await Promise.all([done, signIn])

    expect([countStatus(answered, 503), countStatus(answered, 401)]).toEqual([20, 50])
    expect(await loadCount(`login:${FLOODING_NETWORK}`)).toBe(50)
    expect(await sumCountsOfPhones()).toBe(50)
  } finally {
    hashing.stop()
  }
})

async function loadCount(key: string) {
  const row = await getKysely(server.em())
    .selectFrom('rate_limits')
    .where('key', '=', key)
    .select('count')
    .executeTakeFirstOrThrow()
  return row.count
}

async function sumCountsOfPhones() {
  const rows = await getKysely(server.em()).selectFrom('rate_limits').select(['key', 'count']).execute()
  const ofPhones = rows.filter(({ key }) => /^login:\d{10}$/.test(key))
  return ofPhones.reduce((sum, { count }) => sum + count, 0)
}

/** Lets a hash be made only when the test says so, and lists the passwords in the order of their hashes. */
function holdHashing() {
  const verify = Bun.password.verify
  const compared: unknown[] = []
  const held: (() => void)[] = []
  let isOpen = false
  const spy = spyOn(Bun.password, 'verify').mockImplementation((async (
    ...given: Parameters<typeof verify>
  ) => {
    compared.push(given[0])
    if (!isOpen) await new Promise<void>(resolve => held.push(resolve))
    const isRight = given[0] === PASSWORD
    return isRight && verify(...given)
  }) as typeof verify)
  const finishAll = () => {
    isOpen = true
    for (const finish of held.splice(0)) finish()
  }
  return {
    compared,
    finishAll,
    finishNext: async () => {
      await waitUntil(() => held.length > 0, 'the next hash is begun')
      held.shift()!()
    },
    stop: () => {
      finishAll()
      spy.mockRestore()
    },
  }
}

test.skipIf(!isFull)(
  `${CONNECTIONS} connections log in without a pause; ${SIGN_INS} sign-ins of another network are measured`,
  async () => {
    const owner = await createOwner()
    const flooded: TestResponse[] = []
    let isOver = false
    const flood = runTogether(CONNECTIONS, async index => {
      while (!isOver) flooded.push(await logInAtRandom(index))
    })
    await waitUntil(() => countStatus(flooded, 503) > 0, 'the queue is full')

    const hashedBefore = countStatus(flooded, 401)
    const startedAt = performance.now()
    const times: number[] = []
    for (let count = 0; count < SIGN_INS; count++) times.push(await measureSignIn(owner))
    const hashed = countStatus(flooded, 401) - hashedBefore + SIGN_INS
    const msPerHash = (performance.now() - startedAt) / hashed
    isOver = true
    await flood
    report('login flood', {
      connections: CONNECTIONS,
      refused: countStatus(flooded, 503),
      ms_per_hash: roundTo(msPerHash),
      sign_in_median_ms: roundTo(getQuantile(times, 0.5)),
      sign_in_max_ms: roundTo(Math.max(...times)),
    })
  },
  600_000,
)

async function measureSignIn(owner: { logIn: () => Promise<TestResponse> }) {
  const startedAt = performance.now()
  expect((await owner.logIn()).status).toBe(200)
  return performance.now() - startedAt
}
