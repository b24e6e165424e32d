import { afterEach, describe, expect, mock, spyOn, test } from 'bun:test'
import { AbortError, createClient, ForbiddenError, TimeoutError, ValidationError } from '../../sdk'
import { catchError, createStubServer, dataResponse } from './stub-server'

afterEach(() => mock.restore())

const inStatus = (status: string) => dataResponse({ id: 7, status, signatures: [] })

describe('agreements.waitFor', () => {
  const course = ['DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'] as const
  test.each(course)('%s is past the states before it', async status => {
    using server = createStubServer(inStatus(status))
    const { agreements } = createClient({ baseUrl: server.url })
    for (const awaited of course.slice(0, course.indexOf(status))) {
      const error = await catchError(agreements.waitFor(7, awaited, { timeoutMs: 5_000 }))
      expect(error).toBeInstanceOf(ForbiddenError)
      expect(error!.message).toBe(`The agreement is ${status}, past ${awaited}`)
    }
    expect(server.requests).toHaveLength(course.indexOf(status))
  })

  test.each([
    ['DRAFT', 'PENDING'],
    ['TERMINATED', 'COMPLETED'],
  ] as const)('an agreement that is %s may become %s', async (status, awaited) => {
    using server = createStubServer(inStatus(status), inStatus(awaited))
    const { agreements } = createClient({ baseUrl: server.url })
    expect(await agreements.waitFor(7, awaited)).toMatchObject({ status: awaited })
  })
})

const signature = (status: string) => ({ signer_id: 9, status })
test.each(['declined', 'expired'])('a wait for ACTIVE ends with a signature that is %s', async status => {
  using server = createStubServer(
    inStatus('PENDING'),
    dataResponse({ signatures: [signature('signed'), signature(status)] }),
  )
  const error = await catchError(createClient({ baseUrl: server.url }).agreements.waitFor(7, 'ACTIVE'))
  expect(error).toBeInstanceOf(ForbiddenError)
  expect([error!.message, error!.details]).toEqual([
    `The signature of user 9 is ${status}`,
    signature(status),
  ])
})

describe('agreements.waitFor with a limit', () => {
  test('throws a TimeoutError once the time is over', async () => {
    using server = createStubServer(inStatus('PENDING'))
    const { agreements } = createClient({ baseUrl: server.url })
    expect(await catchError(agreements.waitFor(7, 'ACTIVE', { timeoutMs: 100 }))).toBeInstanceOf(TimeoutError)
  })

  test('cancels the request under way once the time is over', async () => {
    const cancelled = Promise.withResolvers<void>()
    using server = Bun.serve({
      port: 0,
      fetch: ({ signal }) => {
        signal.addEventListener('abort', () => cancelled.resolve())
        return new Promise<Response>(() => {})
      },
    })
    const { agreements } = createClient({ baseUrl: server.url.origin })
    expect(await catchError(agreements.waitFor(7, 'ACTIVE', { timeoutMs: 100 }))).toBeInstanceOf(TimeoutError)
    await cancelled.promise
  })

  test('ends with its signal between two looks', async () => {
    const controller = new AbortController()
    using server = createStubServer(inStatus('PENDING'), () => {
      setTimeout(() => controller.abort(), 20)
      return inStatus('PENDING')()
    })
    const { agreements } = createClient({ baseUrl: server.url })
    const error = await catchError(agreements.waitFor(7, 'ACTIVE', { signal: controller.signal }))
    expect(error).toBeInstanceOf(AbortError)
    expect(server.requests.map(({ path }) => path)).toEqual(['/agreements/7', '/agreements/7/signatures'])
  })

  test('refuses a time that is none, without a request', async () => {
    using server = createStubServer(inStatus('ACTIVE'))
    const { agreements } = createClient({ baseUrl: server.url })
    expect(await catchError(agreements.waitFor(7, 'ACTIVE', { timeoutMs: 0 }))).toBeInstanceOf(
      ValidationError,
    )
    expect(server.requests).toEqual([])
  })
})

test('a call has 60 seconds, and a wait ten minutes, if nothing else is said', async () => {
  using server = createStubServer(dataResponse({ status: 'ACTIVE' }))
  const { agreements } = createClient({ baseUrl: server.url })
  const timeout = spyOn(AbortSignal, 'timeout')

  await agreements.get(1)
  await agreements.waitFor(1, 'ACTIVE')

  expect(timeout.mock.calls.map(([ms]) => ms)).toEqual([60_000, 600_000, 60_000])
})

test('a wait pauses for 250 ms, twice as long each time, then for 5 seconds', async () => {
  const looks = [...Array.from({ length: 7 }, () => 'PENDING'), 'TERMINATED']
  using server = createStubServer(...looks.map(status => dataResponse({ status })))
  const pauses: number[] = []
  const skip = (work: () => void, ms = 0) => {
    if (ms >= 250) pauses.push(ms)
    return setImmediate(work)
  }
  spyOn(globalThis, 'setTimeout').mockImplementation(skip as unknown as typeof setTimeout)

  await createClient({ baseUrl: server.url }).agreements.waitFor(1, 'TERMINATED')

  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
})
