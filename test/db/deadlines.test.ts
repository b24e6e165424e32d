import { expect, test } from 'bun:test'
import {
  awaitInTime,
  DatabaseTimeout,
  setQueryTime,
  withQueryDeadline,
  type RequestContext,
} from '../../db/deadlines'

const FAR_MS = 3_600_000
const never = () => new Promise<never>(() => {})

/** Waits for what never answers: only a deadline that is near ends it. */
async function isTimedOut(maxMs: number, leftMs?: number) {
  let timeouts = 0
  const wait = () => awaitInTime(maxMs, never, () => void timeouts++)
  const work = leftMs === undefined ? wait() : withQueryDeadline({ leftMs }, wait)
  const error = await work.catch((failure: unknown) => failure)
  return error instanceof DatabaseTimeout && timeouts === 1
}

test.each([
  ['the statement’s, if the request has more time left', 40, FAR_MS],
  ['the request’s, if the statement may take longer', FAR_MS, 40],
  ['the statement’s, if no request waits for it', 40, undefined],
])(
  'the deadline that counts is %s',
  async (_, maxMs, leftMs) => {
    expect(await isTimedOut(maxMs, leftMs)).toBe(true)
  },
  5000,
)

test.each([
  ['no time left', FAR_MS, 0],
  ['no time for the statement', 0, FAR_MS],
])('work is not started with %s', async (_, maxMs, leftMs) => {
  let isStarted = false
  const start = async () => void (isStarted = true)

  const work = withQueryDeadline({ leftMs }, () => awaitInTime(maxMs, start, () => {}))

  await expect(work).rejects.toBeInstanceOf(DatabaseTimeout)
  expect(isStarted).toBe(false)
})

/** Runs work of a request with a second left; returns what is left then. */
async function spendOfSecond(work: () => Promise<unknown>) {
  const context: RequestContext = { leftMs: 1000 }
  let leftMs: number | undefined
  await withQueryDeadline(context, async () => {
    await work()
    leftMs = context.leftMs
  })
  expect(context.leftMs).toBeUndefined()
  return leftMs!
}

const waitFor = (ms: number) =>
  awaitInTime(
    FAR_MS,
    () => Bun.sleep(ms),
    () => {},
  )
const fail = () =>
  awaitInTime(
    FAR_MS,
    () => Bun.sleep(50).then(() => Promise.reject(new Error('x'))),
    () => {},
  )
const expire = () => awaitInTime(50, never, () => {})

test.each([
  ['an answer', () => waitFor(50)],
  ['a failure', () => fail().catch(() => {})],
  ['no answer', () => expire().catch(() => {})],
])('the time until %s is spent', async (_, work) => {
  const leftMs = await spendOfSecond(work)
  expect(leftMs).toBeLessThan(960)
})

test('an answer that comes after the deadline takes nothing more', async () => {
  const answer = Promise.withResolvers<void>()
  const context: RequestContext = { leftMs: FAR_MS }
  await withQueryDeadline(context, async () => {
    await awaitInTime(
      20,
      () => answer.promise,
      () => {},
    ).catch(() => {})
    const leftMs = context.leftMs
    await Bun.sleep(5)
    answer.resolve()
    await Bun.sleep(0)
    expect(context.leftMs).toBe(leftMs)
  })
})

test('a request can get more time; work without a limit gets none', async () => {
  expect(await spendOfSecond(async () => setQueryTime(5000))).toBe(5000)
  const context: RequestContext = { leftMs: undefined }
  await withQueryDeadline(context, async () => setQueryTime(5000))
  expect(context).toEqual({ leftMs: undefined })
})
