import { expect, test } from 'bun:test'
import { getRequestContext, withQueryDeadline, type RequestContext } from '../../../db/deadlines'
import { createPasswords } from '../../../server/auth/passwords'
import {
  createChanges,
  createDashboards,
  createDocuments,
  createErasures,
  createExports,
  createKycReadings,
  createLongResponses,
  createSignInCounts,
  createSignings,
  type Turns,
} from '../../../server/http/turns'
import { waitUntil } from '../../support/round'
import { testServer } from '../../support/server'
import { signInUser } from '../../support/users'

/** Sends requests of users that do not end, and returns how many run, wait and are refused. */
async function fill(run: Turns, userIds: number[]) {
  const gate = Promise.withResolvers<void>()
  const refused: unknown[] = []
  let running = 0
  const all = userIds.map(id =>
    run(id, async () => {
      running++
      await gate.promise
    }).catch(error => void refused.push(error)),
  )
  await Bun.sleep(0)
  const begun = running
  gate.resolve()
  await Promise.all(all)
  return { begun, refused }
}

const users = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test.each([
  ['long responses', 6, createLongResponses],
  ['changes', 8, createChanges],
  ['dashboards', 9, createDashboards],
  ['signings', 48, createSignings],
])('of %s %i run at once, two of one user', async (_, count, create) => {
  expect((await fill(create(), users(60))).begun).toBe(count)
  expect((await fill(create(), [1, 1, 1, 1])).begun).toBe(2)
  expect((await fill(create(), [1, 1, 1, 2])).begun).toBe(3)
})

test('of documents sixteen are made at once, one of one user', async () => {
  expect((await fill(createDocuments(), users(60))).begun).toBe(16)
  expect((await fill(createDocuments(), [1, 1, 2])).begun).toBe(2)
})

test.each([
  ['exports', createExports],
  ['erasures', createErasures],
])('of %s one runs at once', async (_, create) => {
  expect((await fill(create(), users(3))).begun).toBe(1)
})

test('of attempts to sign in six are counted at once, three of one site', async () => {
  expect((await fill(createSignInCounts(), users(10))).begun).toBe(6)
  expect((await fill(createSignInCounts(), [1, 1, 1, 1])).begun).toBe(3)
})

test('of identity checks two are read at once, each by one webhook', async () => {
  expect((await fill(createKycReadings(), users(4))).begun).toBe(2)
  expect((await fill(createKycReadings(), [1, 1])).begun).toBe(1)
})

test.each([
  ['too_many_long_responses', 206, createLongResponses],
  ['too_many_long_responses', 216, createDocuments],
  ['too_many_changes', 208, createChanges],
  ['too_many_changes', 202, createKycReadings],
  ['too_many_changes', 206, createSignInCounts],
  ['too_many_changes', 248, createSignings],
  ['too_many_changes', 201, createErasures],
])(
  '%s: 200 requests wait; a further one is told to come back in two seconds',
  async (reason, most, create) => {
    expect((await fill(create(), users(most))).refused).toEqual([])

    const { refused } = await fill(create(), users(most + 1))
    const [fault] = refused
    expect(refused).toHaveLength(1)
    expect(fault).toMatchObject({ status: 429, reason, retryAfterS: 2 })
  },
)

test('a failure of the work itself stays what it is', async () => {
  const failing = createLongResponses()(1, () => Promise.reject(new Error('of the work')))
  expect(failing).rejects.toThrow('of the work')
})

test.each([1, 2])(
  'of %d passwords that are hashed, fifty wait for each; a further one is told to come back in two seconds',
  async concurrency => {
    const passwords = createPasswords(concurrency)
    const hashes = Array.from({ length: concurrency }, () => passwords.hash('the password'))
    const outcomes = Array.from({ length: 50 * concurrency + 1 }, (_, index) =>
      passwords.verify('x', 'not a hash', `network ${index}`).then(
        () => undefined,
        (error: unknown) => error,
      ),
    )

    const last = await outcomes.at(-1)
    expect(last).toMatchObject({ status: 503, reason: 'passwords_busy', retryAfterS: 2 })
    const others = await Promise.all(outcomes.slice(0, -1))
    expect(others.filter(error => (error as { reason?: string })?.reason === 'passwords_busy')).toEqual([])
    for (const hash of hashes) expect(await hash).toStartWith('$argon2id$v=19$m=65536,t=3,p=1$')
  },
)

test.each([
  ['a PDF is not drawn', createDocuments, false],
  ['a list is not read', createLongResponses, false],
  ['a change is made', createChanges, true],
])('%s for a client that has gone while it waited', async (_, create, isDone) => {
  let isWorked = false
  const work = async () => void (isWorked = true)
  const request = { leftMs: 1000, isGone: () => true }

  const done = withQueryDeadline(request, () => create()(1, work))

  if (isDone) await done
  else await expect(done).rejects.toMatchObject({ status: 429 })
  expect(isWorked).toBe(isDone)
})

const server = testServer()

test('a rent roll is not computed for a client that has closed the connection while it waited', async () => {
  const user = await signInUser(server)
  const { runDocument } = server.deps
  const gate = Promise.withResolvers<void>()
  const held = runDocument(user.id, () => gate.promise)
  const asked = Promise.withResolvers<RequestContext>()
  const outcome = Promise.withResolvers<unknown>()
  server.deps.runDocument = (userId, work) => {
    asked.resolve(getRequestContext()!)
    const done = runDocument(userId, work)
    done.then(outcome.resolve, outcome.resolve)
    return done
  }
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${user.token}` }
  const response = fetch(`${server.url}/books/rent-roll`, { headers, signal: abort.signal })

  const { isGone } = await asked.promise
  expect(isGone!()).toBe(false)
  abort.abort()
  await expect(response).rejects.toThrow()
  await waitUntil(async () => isGone!(), 'the end of the connection')
  gate.resolve()
  await held

  expect(await outcome.promise).toMatchObject({ status: 429 })
  server.deps.runDocument = runDocument
  expect((await user.get('/books/rent-roll')).status).toBe(200)
})
