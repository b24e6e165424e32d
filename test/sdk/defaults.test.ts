import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { createClient } from '../../sdk'
import { createSandboxClient } from '../../sdk/sandbox'
import { createStubServer, dataResponse } from './stub-server'

afterEach(() => mock.restore())

test('a call has 60 seconds, and a wait ten minutes, if nothing else is said', async () => {
  using server = createStubServer(dataResponse({ status: 'ACTIVE' }))
  const { agreements } = createClient({ baseUrl: server.url })
  const timeout = spyOn(AbortSignal, 'timeout')

  await agreements.get(1)
  await agreements.waitFor(1, 'ACTIVE')

  expect(timeout.mock.calls.map(([ms]) => ms)).toEqual([60_000, 600_000, 60_000])
})

test('a wait pauses for 1, 2 and 4 seconds, then for 5', async () => {
  const looks = [...Array.from({ length: 5 }, () => 'PENDING'), 'ACTIVE']
  using server = createStubServer(...looks.map(status => dataResponse({ status })))
  const pauses: number[] = []
  const skip = (work: () => void, ms = 0) => {
    if (ms >= 1_000) pauses.push(ms)
    return setImmediate(work)
  }
  spyOn(globalThis, 'setTimeout').mockImplementation(skip as unknown as typeof setTimeout)

  await createClient({ baseUrl: server.url }).agreements.waitFor(1, 'ACTIVE')

  expect(pauses).toEqual([1_000, 2_000, 4_000, 5_000, 5_000])
})

test('the sandbox signs and approves unless another outcome is named', async () => {
  using server = createStubServer(dataResponse({}))
  const sandbox = createSandboxClient({ baseUrl: server.url })

  await sandbox.sign('s')
  await sandbox.check('c')
  await sandbox.check('c', 'fail')

  expect(server.requests.map(({ body }) => body)).toEqual([
    { outcome: 'sign' },
    { outcome: 'approve' },
    { outcome: 'fail' },
  ])
})

const page = (data: number[], total_pages: number) => () =>
  Response.json({ success: true, data, metadata: { page: 1, limit: 2, total: 5, total_pages } })

test.each([
  [1, [1], 1],
  [2, [1, 2], 1],
  [3, [1, 2, 3], 2],
  [9, [1, 2, 3, 4, 5], 3],
])('toArray returns at most %d items, and reads no page beyond', async (limit, items, pages) => {
  using server = createStubServer(page([1, 2], 3), page([3, 4], 3), page([5], 3))
  const { properties } = createClient({ baseUrl: server.url })
  expect(await properties.iterate().toArray({ limit })).toEqual(items as never)
  expect(server.requests).toHaveLength(pages)
})
