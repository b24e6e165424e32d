import { expect, test } from 'bun:test'
import { createResponses, getReader, MIB, readToEnd, requestOf, type Reader } from './unread'

const ignore = { setMaking: () => {}, onError: () => {} }

/** Texts of one MiB that count how many were made. */
async function* makeTexts(count: number, made = { count: 0 }, failAfter = Infinity) {
  for (; made.count < count; made.count++) {
    if (made.count === failAfter) throw new Error('no more')
    yield 'x'.repeat(MIB)
  }
}

test('a text is made when those before were read', async () => {
  const made = { count: 0 }
  const { limitTexts } = createResponses()
  const reader = getReader(limitTexts(requestOf(1), makeTexts(8, made), ignore))

  for (let chunk = 0; chunk < (2 * MIB) / (64 * 1024); chunk++) await reader.read()
  await Bun.sleep(10)

  expect(made.count).toBeLessThanOrEqual(2)
  expect(await readToEnd(reader)).toBe(6)
})

test('texts that could not be made end the connection, and tell why', async () => {
  const errors: unknown[] = []
  const { limitTexts } = createResponses()
  const texts = makeTexts(8, undefined, 3)

  const response = limitTexts(requestOf(1), texts, { ...ignore, onError: error => errors.push(error) })

  expect(await readToEnd(getReader(response))).toBeUndefined()
  expect(errors).toEqual([new Error('no more')])
})

test('texts that wait for their client count, and those that are still to be made do not', async () => {
  const { limitTexts, limitText } = createResponses()
  const reader = getReader(limitTexts(requestOf(1), makeTexts(40), ignore))
  await reader.read()

  const fitting = limitText(requestOf(1), 'x'.repeat(31 * MIB)) as Response
  expect(await readToEnd(reader)).toBe(40 - 1 / 16)
  expect(await readToEnd(getReader(fitting))).toBe(31)

  const waiting = getReader(limitTexts(requestOf(1), makeTexts(40), ignore))
  await waiting.read()
  limitText(requestOf(1), 'x'.repeat(31 * MIB + 1))
  expect(await readToEnd(waiting)).toBeUndefined()
})

test('of the texts of one user two are made at once: the third cuts off the first', async () => {
  const { limitTexts } = createResponses()
  const start = async (userId: number) => {
    const reader = getReader(limitTexts(requestOf(userId), makeTexts(2), ignore))
    await reader.read()
    return reader
  }
  const [other, first, second, third] = [await start(2), await start(1), await start(1), await start(1)]

  expect(await readToEnd(first)).toBeUndefined()
  for (const reader of [second, other]) expect(await readToEnd(reader)).toBe(2 - 1 / 16)
  const fourth = await start(1)
  for (const reader of [third, fourth]) expect(await readToEnd(reader)).toBe(2 - 1 / 16)
})

test.each([
  ['given up by its reader', (reader: Reader) => reader.cancel()],
  ['left by its client', async (_: Reader, client: AbortController) => client.abort()],
])('nothing more is made of a response that was %s', async (_, end) => {
  let isEnded = false
  async function* texts() {
    try {
      for (;;) yield 'x'.repeat(MIB)
    } finally {
      isEnded = true
    }
  }
  const client = new AbortController()
  const { limitTexts } = createResponses()
  const reader = getReader(limitTexts(requestOf(1, client.signal), texts(), ignore))
  await reader.read()

  await end(reader, client)
  await Bun.sleep(10)

  expect(isEnded).toBe(true)
})
