import { describe, expect, test } from 'bun:test'
import { processCancellations } from '../../../server/leases/signing/sync'
import type { Deps } from '../../../server/deps'
import { reconcileSignatures } from '../../../server/leases/signing/reconciliation'
import { reconcileWebhooks } from '../../../server/leases/signing/inbox'
import { storeDueEvidence } from '../../../server/leases/evidence/job'
import { clock, testServer } from '../../support/server'
import { createDueRows, selectEvidenceDue } from './due-fixture'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations'

const SECOND_MS = 1000
const time = clock()
const server = testServer({ overrides: { now: time.now } })
const { createSignature, createCancellation, selectSignature, selectCancellation, toDelayMs, withSigning } =
  createDueRows(server, time.now)

/** The server's dependencies with a provider that does not answer, and a first check after `initialMs`. */
function createDeps(initialMs = 5 * MINUTE_MS): Deps {
  const fail = () => Promise.reject(new Error('down'))
  const config = { ...server.deps.config, RECONCILE_INITIAL_DELAY_MS: initialMs }
  return { ...withSigning({ status: fail, download: fail, cancel: fail }), config }
}

test.each<[ageMs: number, expiresInMs: number, initialMs: number, delayMs: number | null]>([
  [5 * MINUTE_MS - 1, DAY_MS, 5 * MINUTE_MS, null],
  [5 * MINUTE_MS, DAY_MS, 5 * MINUTE_MS, 5 * MINUTE_MS],
  [HOUR_MS, DAY_MS, 5 * MINUTE_MS, HOUR_MS],
  [2 * DAY_MS, HOUR_MS, 5 * MINUTE_MS, HOUR_MS],
  [2 * DAY_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 5 * MINUTE_MS],
  [2 * DAY_MS, 2 * MINUTE_MS, SECOND_MS, 2 * MINUTE_MS],
  [2 * DAY_MS, SECOND_MS, SECOND_MS, MINUTE_MS],
  [2 * DAY_MS, -HOUR_MS, SECOND_MS, MINUTE_MS],
])(
  'a signature of the age %d, which expires in %d ms, is checked again later',
  async (ageMs, expiresInMs, initialMs, delayMs) => {
    const { id } = await createSignature({ ageMs, expiresInMs })

    await reconcileSignatures(createDeps(initialMs))

    expect(toDelayMs((await selectSignature(id)).next_check_at)).toBe(delayMs)
  },
)

/** Fails for a row of an age, and returns in how many milliseconds it is tried again. */
const failures: Record<string, (ageMs: number) => Promise<unknown>> = {
  'a download of a document': async ageMs => {
    const { agreementId } = await createSignature({ ageMs, status: 'SIGNED', evidenceDueInMs: 0 })
    await storeDueEvidence(createDeps())
    return toDelayMs(await selectEvidenceDue(server, agreementId))
  },
  'a webhook': async ageMs => {
    const { id } = await server.db
      .insertInto('received_webhooks')
      .values({
        provider: 'no longer configured',
        digest: crypto.randomUUID(),
        payload: '{}',
        created_at: new Date(time.now().getTime() - ageMs),
        next_attempt_at: time.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await reconcileWebhooks(server.deps)
    const webhook = server.db.selectFrom('received_webhooks').where('id', '=', id)
    const { next_attempt_at, attempts } = await webhook
      .select(['next_attempt_at', 'attempts'])
      .executeTakeFirstOrThrow()
    expect(attempts).toBe(1)
    return toDelayMs(next_attempt_at)
  },
  'a cancellation': async ageMs => {
    const { agreementId, requestId } = await createCancellation({ ageMs })
    await processCancellations(createDeps(), agreementId)
    return toDelayMs((await selectCancellation(requestId))!.due_at as never)
  },
}

describe.each(Object.entries(failures))('%s that fails', (_, fail) => {
  test.each([
    [0, MINUTE_MS],
    [MINUTE_MS, MINUTE_MS],
    [MINUTE_MS + 1, MINUTE_MS + 1],
    [HOUR_MS, HOUR_MS],
  ])('at the age of %d ms is tried again in %d ms', async (ageMs, delayMs) => {
    expect(await fail(ageMs)).toBe(delayMs)
  })
})

test.each([
  [0, 'EXPIRED'],
  [1, 'PENDING'],
] as const)('a request that was never sent and expires in %d ms is %s', async (expiresInMs, status) => {
  const { id } = await createSignature({ ageMs: HOUR_MS, expiresInMs, requestId: null })

  await reconcileSignatures(createDeps())

  expect((await selectSignature(id)).status).toBe(status)
})
