import { expect, test } from 'bun:test'
import { recordLog } from '../../support/log'
import { waitUntil } from '../../support/round'
import { clock, startTestServer } from '../../support/server'
import {
  addFailure,
  applyOutcome,
  cancelRequest,
  createNativeRequest,
  createRequest,
  getRequest,
  getState,
  moveClock,
  recordWebhooks,
} from './provider'

const START = '2026-11-21T10:00:00.000Z'
const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/** A server whose time stands still, with the webhooks that it gets and its log. */
async function startStopped(env: Record<string, string> = {}) {
  const { lines, log } = recordLog()
  const server = await startTestServer({ env, overrides: { now: clock(new Date(START)).now, log } })
  const { webhooks } = recordWebhooks(server)
  const advance = (ms: number) => moveClock(server, { advance_ms: ms })
  const findLines = (text: string) => lines.filter(({ msg }) => String(msg).includes(text))
  return { server, webhooks, advance, findLines, [Symbol.asyncDispose]: server.end }
}

test.each([
  ['late', {}, 10 * SECOND_MS],
  ['late', { delay_ms: 3000 }, 3000],
])('a webhook that is %s with %j comes after %i ms', async (behaviour, rule, ms) => {
  await using stopped = await startStopped()
  const { server, webhooks, advance } = stopped
  const { id } = await createRequest(server)
  await addFailure(server, { provider: 'esign', behaviour, ...rule })
  await applyOutcome(server, id)

  await advance(ms - 1)
  expect([webhooks.length, (await getState(server)).held_webhooks]).toEqual([0, 1])
  await advance(1)
  expect([webhooks.length, (await getState(server)).held_webhooks]).toEqual([1, 0])
})

test.each([
  [2, []],
  [3, [500]],
])('a webhook is sent three times at most: it fails %i times', async (failures, lost) => {
  await using stopped = await startStopped()
  const { server, webhooks, findLines } = stopped
  const { signing } = server.deps
  const { verifyWebhook } = signing
  signing.verifyWebhook = (payload, signature) => {
    const isValid = verifyWebhook(payload, signature)
    if (webhooks.length <= failures) throw new Error('down')
    return isValid
  }
  const { id } = await createRequest(server)
  await applyOutcome(server, id)
  expect(webhooks.map(({ event }) => event)).toEqual(Array(3).fill('ESIGN_COMPLETE'))
  expect(findLines('The sandbox could not deliver a webhook').map(({ sent }) => sent)).toEqual(lost)
})

test.each([
  ['succeed', {}, 200, 'sign_complete,'],
  ['succeed', { delay_ms: 0 }, 0, 'sign_complete,'],
  ['succeed', { delay_ms: 7000 }, 7000, 'sign_complete,'],
  ['decline', { delay_ms: 0 }, 0, 'sign_initiated,signer_declined'],
  ['expire', { delay_ms: 0 }, 0, 'sign_initiated,session_expired'],
])('the automatic outcome %s with %j comes after %i ms', async (behaviour, rule, ms, ended) => {
  await using stopped = await startStopped()
  const { server, advance } = stopped
  await addFailure(server, { provider: 'esign', behaviour, ...rule })
  const { id } = await createRequest(server)
  const read = async () => (await getRequest(server, id)).body
  if (ms > 0) {
    expect((await getState(server)).held_webhooks).toBe(0)
    await advance(ms - 1)
    expect((await read()).status).toBe('sign_initiated')
    await advance(1)
  }
  const readEnd = async () => [(await read()).status, (await read()).signers[0].errCode].join()
  await waitUntil(async () => (await readEnd()) !== 'sign_initiated,', 'the outcome')
  expect(await readEnd()).toBe(ended)
})

test('a clock that passes the end of requests expires the open ones, once and at its new time', async () => {
  await using stopped = await startStopped()
  const { server, webhooks, advance } = stopped
  const [first, cancelled, partly] = [
    await createRequest(server),
    await createRequest(server),
    await createNativeRequest(server),
  ]
  await cancelRequest(server, cancelled.id)
  await applyOutcome(server, partly.signers[0].id)
  webhooks.length = 0

  await advance(72 * HOUR_MS - 1)
  expect(webhooks).toEqual([])
  await advance(1)
  await advance(HOUR_MS)

  expect(webhooks.map(({ payload: { event, timeStamp } }) => [event, timeStamp])).toEqual([
    ['ESIGN_EXPIRED', '2026-11-24T10:00:00.000Z'],
    ['ESIGN_EXPIRED', '2026-11-24T10:00:00.000Z'],
  ])
  expect(webhooks.map(({ id }) => id).toSorted()).toEqual([first.id, partly.id].toSorted())
  const shared = webhooks.find(({ id }) => id === partly.id)!
  expect(shared.payload.data.esign.signers).toMatchObject([
    { status: 'signed', errCode: null },
    { status: 'pending', errCode: 'session_expired' },
  ])
})
