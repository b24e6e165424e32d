import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { processCancellations } from '../../../server/leases/signing/sync'
import { reconcileSignatures } from '../../../server/leases/signing/reconciliation'
import { storeDueEvidence } from '../../../server/leases/evidence/job'
import { lockRow, workBeside } from '../../support/locks'
import { clock, testServer } from '../../support/server'
import { createDueRows, selectEvidenceDue } from './due-fixture'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const rows = createDueRows(server, time.now)
const { createSignature, createCancellation } = rows

/** Checks what is due, and returns the requests that the provider was asked about. */
async function checkSignatures() {
  const asked: string[] = []
  const status = async ({ requestId }: { requestId: string }) => void asked.push(requestId)
  await reconcileSignatures(rows.withSigning({ status: status as never }))
  return asked
}

test.each([
  ['PENDING', 'PENDING', true],
  ['EXPIRED', 'PENDING', true],
  ['DECLINED', 'PENDING', true],
  ['SIGNED', 'PENDING', false],
  ['EXPIRED', 'ACTIVE', false],
  ['DECLINED', 'TERMINATED', false],
] as const)(
  'the provider is asked about a signature that is %s while its agreement is %s: %p',
  async (status, agreementStatus, isAsked) => {
    const { requestId } = await createSignature({ status, agreementStatus })

    expect((await checkSignatures()).includes(requestId)).toBe(isAsked)
  },
)

test.each([
  ['that ended before it was sent', { status: 'EXPIRED', requestId: null }],
  ['of a provider that is not configured', { provider: 'earlier' }],
] as const)('a signature %s is not checked', async (_, changes) => {
  const { id } = await createSignature({ agreementStatus: 'PENDING', ...changes })

  await checkSignatures()

  expect((await rows.selectSignature(id)).next_check_at).toBeNull()
})

test('a signature that another instance has locked holds up no other', async () => {
  const [locked, free] = [await createSignature(), await createSignature()]

  const asked = await workBeside(server, lockRow('agreement_signatures', locked.id), checkSignatures)

  expect(asked).toContain(free.requestId)
  expect(asked).not.toContain(locked.requestId)
})

test('a certificate that is due in a millisecond stays due', async () => {
  const { agreementId } = await createSignature({ status: 'SIGNED', evidenceDueInMs: 1 })

  await storeDueEvidence(server.deps)

  expect(rows.toDelayMs(await selectEvidenceDue(server, agreementId))).toBe(1)
})

/** Cancels what is due, of one agreement or of all, and returns the requests. */
async function cancelDue(agreementId?: number) {
  const cancelled: string[] = []
  const deps = rows.withSigning({
    status: async ({ requestId }) => ({ requestId, status: 'PENDING' }),
    cancel: async requestId => cancelled.push(requestId) > 0,
  })
  await processCancellations(deps, agreementId)
  return cancelled
}

test('what is due is cancelled, but not what is due later, or at a provider that is not configured', async () => {
  const [due, later] = [await createCancellation(), await createCancellation({ dueInMs: 1 })]
  const ofAnother = await createCancellation({ provider: 'earlier' })
  const own = [due, later, ofAnother].map(({ requestId }) => requestId)

  const cancelled = await cancelDue()

  expect(cancelled.filter(id => own.includes(id))).toEqual([due.requestId])

  expect(await rows.selectCancellation(due.requestId)).toBeUndefined()
  const left = [later, ofAnother].map(async ({ requestId }) => {
    const { due_at } = (await rows.selectCancellation(requestId))!
    return rows.toDelayMs(due_at as never)
  })
  expect(await Promise.all(left)).toEqual([1, 0])
})

test('a cancellation that another instance has locked holds up no other', async () => {
  const [locked, free] = [await createCancellation(), await createCancellation()]
  const id = locked.requestId

  const lock = sql`select from signing_cancellations where provider_request_id = ${id} for update`
  const cancelled = await workBeside(server, db => lock.execute(db), cancelDue)

  expect(cancelled).toContain(free.requestId)
  expect(cancelled).not.toContain(locked.requestId)
})

test('a change of one agreement cancels its own requests alone', async () => {
  const [own] = [await createCancellation(), await createCancellation()]

  expect(await cancelDue(own.agreementId)).toEqual([own.requestId])
})
