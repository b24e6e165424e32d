import { expect, test } from 'bun:test'
import { awaitInTime, DatabaseTimeout, withQueryDeadline } from '../../db/deadlines'

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
