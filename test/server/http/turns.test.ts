import { expect, test } from 'bun:test'
import { createPasswords } from '../../../server/auth/passwords'
import { createExports, createLongResponses, type LongResponses } from '../../../server/http/long-responses'

/** Asks for long responses of users that never end, and returns how many run, wait and are refused. */
async function fill(run: LongResponses, userIds: number[]) {
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

test('of long responses six run at once, two of one user', async () => {
  expect((await fill(createLongResponses(), users(10))).begun).toBe(6)
  expect((await fill(createLongResponses(), [1, 1, 1, 1])).begun).toBe(2)
  expect((await fill(createLongResponses(), [1, 1, 1, 2])).begun).toBe(3)
})

test('of exports one runs at once', async () => {
  expect((await fill(createExports(), users(3))).begun).toBe(1)
})

test('200 long responses wait; a further one is told to come back in two seconds', async () => {
  expect((await fill(createLongResponses(), users(206))).refused).toEqual([])

  const { refused } = await fill(createLongResponses(), users(207))
  const [fault] = refused
  expect(refused).toHaveLength(1)
  expect(fault).toMatchObject({ status: 429, reason: 'too_many_long_responses', retryAfterS: 2 })
})

test('a failure of the work itself stays what it is', async () => {
  const failing = createLongResponses()(1, () => Promise.reject(new Error('of the work')))
  expect(failing).rejects.toThrow('of the work')
})

test('fifty passwords wait for each that is hashed; a further one is told to come back in two seconds', async () => {
  const passwords = createPasswords(1)
  const hash = passwords.hash('the password')
  const outcomes = Array.from({ length: 51 }, (_, index) =>
    passwords.verify('x', 'not a hash', `network ${index}`).then(
      () => undefined,
      (error: unknown) => error,
    ),
  )

  const last = await outcomes.at(-1)
  expect(last).toMatchObject({ status: 503, reason: 'passwords_busy', retryAfterS: 2 })
  const others = await Promise.all(outcomes.slice(0, -1))
  expect(others.filter(error => (error as { reason?: string })?.reason === 'passwords_busy')).toEqual([])
  expect(await hash).toStartWith('$argon2id$v=19$m=65536,t=3,p=1$')
})
