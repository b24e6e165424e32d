import { beforeAll, expect, test } from 'bun:test'
import { createLimiter } from '../../../server/http/limits/limiter'
import { testServer } from '../../support/server'
import { completeProfile, signInUser, type TestUser } from '../../support/users'

const server = testServer()
let user: TestUser
beforeAll(async () => void (user = await signInUser(server)))

/** Starts works of one user that end when the gate opens. */
function startWorks(count: number) {
  const limiter = createLimiter(() => new Date())
  const gate = Promise.withResolvers<void>()
  let running = 0
  const start = () =>
    limiter.run('user 1', async () => {
      running++
      await gate.promise
    })
  const works = Array.from({ length: count }, start)
  return { limiter, works, start, open: gate.resolve, countRunning: () => running }
}

test('429: of one user four run and sixty wait; others are not told to wait', async () => {
  const { limiter, works, start, open, countRunning } = startWorks(64)
  await expect(start()).rejects.toMatchObject({ reason: 'too_many_requests', retryAfterS: 2 })
  expect(countRunning()).toBe(4)
  expect(await limiter.run('user 2', async () => 'done')).toBe('done')

  open()
  await Promise.all(works)
  expect(countRunning()).toBe(64)
  await start()
})

test('429: a user changes 5,000 records a day, until the day ends in India', () => {
  let now = new Date('2026-03-01T12:00:00Z')
  const limiter = createLimiter(() => now)
  for (let count = 0; count < 5000; count++) limiter.countChange(1)
  expect(() => limiter.countChange(1)).toThrow(
    expect.objectContaining({ reason: 'too_many_changes', retryAfterS: 6.5 * 3600 }),
  )
  limiter.countChange(2)
  now = new Date('2026-03-01T18:30:00Z')
  limiter.countChange(1)
})

test('a page that sends twenty requests at once gets twenty answers, changes among them', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 4 ? user.get('/auth/me') : completeProfile(user, { first_name: `Asha ${index}` }),
    ),
  )
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
})
