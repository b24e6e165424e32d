import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { processCancellations } from '../../../server/agreements/signature-status'
import { reconcileSignatures, storeDueDocuments } from '../../../server/jobs/reconcile'
import { clock, testServer } from '../../support/server'
import { createDraft, signInUser } from '../../support/users'
import { DAY_MS } from './with-server'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const db = () => getKysely(server.em())
const fromNow = (ms: number) => new Date(time.now().getTime() + ms)

type SignatureStatus = 'PENDING' | 'SIGNED' | 'DECLINED' | 'EXPIRED'
type AgreementStatus = 'PENDING' | 'ACTIVE' | 'TERMINATED'

/** A tenant's signature that was asked for a day ago. */
async function createSignature(
  status: SignatureStatus,
  agreementStatus: AgreementStatus,
  requestId: string | null,
) {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  await db()
    .updateTable('agreements')
    .set({ status: agreementStatus })
    .where('id', '=', agreement.id)
    .execute()
  const { id } = await db()
    .insertInto('agreement_signatures')
    .values({
      agreement_id: agreement.id,
      signer_id: tenant.id,
      signer_role: 'TENANT',
      status,
      provider: 'sandbox',
      provider_request_id: requestId,
      created_at: fromNow(-DAY_MS),
      expires_at: fromNow(DAY_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Checks what is due, and returns the requests that the provider was asked about. */
async function checkSignatures() {
  const asked: string[] = []
  const signing: typeof server.deps.signing = {
    ...server.deps.signing,
    status: async ({ requestId }) => {
      asked.push(requestId)
      return undefined
    },
  }
  await reconcileSignatures({ ...server.deps, signing })
  return asked
}

const endings: [SignatureStatus, AgreementStatus, isAsked: boolean][] = [
  ['PENDING', 'PENDING', true],
  ['EXPIRED', 'PENDING', true],
  ['DECLINED', 'PENDING', true],
  ['SIGNED', 'PENDING', false],
  ['EXPIRED', 'ACTIVE', false],
  ['DECLINED', 'TERMINATED', false],
]

test.each(endings)(
  'the provider is asked about a signature that is %s while its agreement is %s: %p',
  async (status, agreementStatus, isAsked) => {
    const requestId = crypto.randomUUID()
    await createSignature(status, agreementStatus, requestId)

    expect((await checkSignatures()).includes(requestId)).toBe(isAsked)
  },
)

test.each<[string, SignatureStatus, requestId: string | null, provider: string]>([
  ['that ended before it was sent', 'EXPIRED', null, 'sandbox'],
  ['of a provider that is not configured', 'PENDING', 'request of another', 'earlier'],
])('a signature %s is not checked', async (_, status, requestId, provider) => {
  const id = await createSignature(status, 'PENDING', requestId)
  const signature = db().updateTable('agreement_signatures').where('id', '=', id)
  await signature.set({ provider }).execute()

  await checkSignatures()

  const { next_check_at } = await signature
    .set({ provider })
    .returning('next_check_at')
    .executeTakeFirstOrThrow()
  expect(next_check_at).toBeNull()
})

test('a signature that another work has locked holds up no other', async () => {
  const [lockedId, freeId] = [crypto.randomUUID(), crypto.randomUUID()]
  const id = await createSignature('PENDING', 'PENDING', lockedId)
  await createSignature('PENDING', 'PENDING', freeId)

  const [locked, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = server.em().transactional(async em => {
    await sql`select from agreement_signatures where id = ${id} for update`.execute(getKysely(em))
    locked.resolve()
    await checked.promise
  })
  await locked.promise

  const asked = await checkSignatures().finally(checked.resolve)
  await other

  expect(asked).toContain(freeId)
  expect(asked).not.toContain(lockedId)
}, 20_000)

test('a document of a provider that is not configured stays due', async () => {
  const id = await createSignature('SIGNED', 'ACTIVE', crypto.randomUUID())
  const dueAt = fromNow(0)
  await db()
    .updateTable('agreement_signatures')
    .set({ provider: 'earlier', document_due_at: dueAt })
    .where('id', '=', id)
    .execute()

  await storeDueDocuments(server.deps)

  const { document_due_at } = await db()
    .selectFrom('agreement_signatures')
    .where('id', '=', id)
    .select('document_due_at')
    .executeTakeFirstOrThrow()
  expect(new Date(document_due_at!)).toEqual(dueAt)
})

/** A request that is to be cancelled in so many milliseconds. */
async function createCancellation(dueInMs: number, provider = 'sandbox') {
  const requestId = crypto.randomUUID()
  const id = await createSignature('EXPIRED', 'PENDING', requestId)
  const { agreement_id } = await db()
    .selectFrom('agreement_signatures')
    .where('id', '=', id)
    .select('agreement_id')
    .executeTakeFirstOrThrow()
  const request = { provider, provider_request_id: requestId, agreement_id }
  await db()
    .insertInto('signing_cancellations')
    .values({ ...request, due_at: fromNow(dueInMs), created_at: fromNow(-DAY_MS) })
    .execute()
  return { requestId, agreementId: agreement_id }
}

/** Cancels what is due, of one agreement or of all, and returns the requests. */
async function cancelDue(agreementId?: number) {
  const cancelled: string[] = []
  const signing: typeof server.deps.signing = {
    ...server.deps.signing,
    status: async ({ requestId }) => ({ requestId, status: 'PENDING' }),
    cancel: async requestId => void cancelled.push(requestId),
  }
  await processCancellations({ ...server.deps, signing }, agreementId)
  return cancelled
}

test('a request is not cancelled before its cancellation is due', async () => {
  const [due, later] = [await createCancellation(0), await createCancellation(1)]

  const cancelled = await cancelDue()

  expect(cancelled).toContain(due.requestId)
  expect(cancelled).not.toContain(later.requestId)
})

test('a cancellation at a provider that is not configured stays due', async () => {
  const { requestId } = await createCancellation(0, 'earlier')
  const dueAt = fromNow(0)

  await cancelDue()

  const { due_at } = await db()
    .selectFrom('signing_cancellations')
    .where('provider_request_id', '=', requestId)
    .select('due_at')
    .executeTakeFirstOrThrow()
  expect(new Date(due_at)).toEqual(dueAt)
})

test('a cancellation that another instance has locked holds up no other', async () => {
  const [locked, free] = [await createCancellation(0), await createCancellation(0)]

  const cancelled = await server.em().transactional(async em => {
    await sql`select from signing_cancellations where provider_request_id = ${locked.requestId} for update`.execute(
      getKysely(em),
    )
    return cancelDue()
  })

  expect(cancelled).toContain(free.requestId)
  expect(cancelled).not.toContain(locked.requestId)
}, 20_000)

test('a change of one agreement cancels its own requests alone', async () => {
  const [own] = [await createCancellation(0), await createCancellation(0)]

  expect(await cancelDue(own.agreementId)).toEqual([own.requestId])
})
