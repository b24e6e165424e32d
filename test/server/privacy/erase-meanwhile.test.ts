import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { extractText } from 'unpdf'
import { getKysely, type Db } from '../../../db/database'
import { Agreement } from '../../../db/entities'
import { chainEvent } from '../../../server/agreements/timeline'
import { storeDueDocuments } from '../../../server/jobs/reconcile'
import { interrupt } from '../../support/locks'
import { testServer } from '../../support/server'
import {
  createActiveAgreement,
  createDraft,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'

// Erasures take no turns, as if each ran on an instance of its own.
const server = testServer({ overrides: { runErasure: (_, work) => work() } })

async function erase(user: TestUser) {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  return user.call('DELETE', '/auth/me', { otp: '123456' })
}

const findCertificate = (agreementId: number) =>
  getKysely(server.em())
    .selectFrom('agreement_certificates')
    .where('agreement_id', '=', agreementId)
    .select(['sha256', 'content'])
    .executeTakeFirst()

/** Makes a draft of others a signed agreement that has ended, with the user as a second tenant. */
async function nameInEndedAgreement(db: Db, agreementId: number, user: TestUser) {
  await db.insertInto('agreement_tenants').values({ agreement_id: agreementId, tenant_id: user.id }).execute()
  await db
    .updateTable('agreements')
    .set({ status: 'TERMINATED', signed_date: '2026-01-01', termination_date: '2026-06-01' })
    .where('id', '=', agreementId)
    .execute()
}

test('an erasure certifies a signed agreement that appears after it has locked the others', async () => {
  const [user, landlord, tenant] = [
    await signInUser(server),
    await signInUser(server),
    await signInUser(server),
  ]
  const { agreement } = await createDraft(landlord, [tenant])

  // The reference to the user stops the erasure at the lock of the user.
  const erased = await interrupt(server, {
    lock: db => nameInEndedAgreement(db, agreement.id, user),
    start: () => erase(user),
  })

  expect(erased.status).toBe(200)
  expect(await findCertificate(agreement.id)).toBeDefined()
})

test('400: an erasure waits for a change of an agreement, and is refused if that makes it ACTIVE', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [tenant])
  const change = (db: Db) => db.updateTable('agreements').where('id', '=', agreement.id)

  const refused = await interrupt(server, {
    lock: db => change(db).set({ updated_at: server.deps.now() }).execute(),
    start: () => erase(tenant),
    meanwhile: db => change(db).set({ status: 'ACTIVE', signed_date: '2026-01-01' }).execute(),
  })

  expect([refused.status, refused.error.reason]).toEqual([400, 'agreements_open'])
})

async function appendLateEvent(agreementId: number) {
  await server.em().transactional(async em => {
    const agreement = await em.findOneOrFail(Agreement, agreementId)
    const event = chainEvent(agreement, server.deps.now(), 'completed', null)
    await getKysely(em)
      .insertInto('agreement_events')
      .values({
        agreement_id: agreementId,
        position: event.position,
        type: event.type,
        details: sql`${event.detailsText}::text::jsonb`,
        occurred_at: event.now,
        hash: event.hash,
      })
      .execute()
  })
}

test('an erasure stores the signed documents of agreements that it certifies', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createActiveAgreement(landlord, [tenant])
  await landlord.post(`${path}/terminate`, {})

  expect((await erase(tenant)).status).toBe(200)

  const documents = await getKysely(server.em())
    .selectFrom('signed_documents')
    .where('agreement_id', '=', agreement.id)
    .select('sha256')
    .execute()
  const certificate = await findCertificate(agreement.id)
  const { text } = await extractText(new Uint8Array(certificate!.content as Uint8Array), { mergePages: true })
  expect(documents).toHaveLength(2)
  for (const { sha256 } of documents) expect(text.replaceAll(/\s/g, '')).toContain(sha256)
})

test('an erasure stores no certificate that lacks the last event', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createActiveAgreement(landlord, [tenant])
  await storeDueDocuments(server.deps)
  await landlord.post(`${path}/terminate`)
  const before = await landlord.get(`${path}/timeline`)

  // The certificate is stopped between its events and its documents.
  const erased = await interrupt(server, {
    lock: db => sql`lock table signed_documents in access exclusive mode`.execute(db),
    start: () => erase(tenant),
    meanwhile: () => appendLateEvent(agreement.id),
  })

  expect(erased.status).toBe(200)
  const after = await landlord.get(`${path}/timeline`)
  expect(after.data.intact).toBe(true)
  expect(after.data.events).toHaveLength(before.data.events.length + 1)
  const certificate = await findCertificate(agreement.id)
  const { text } = await extractText(new Uint8Array(certificate!.content as Uint8Array), { mergePages: true })
  expect(text.replaceAll(/\s/g, '')).toContain(after.data.events.at(-1).hash)
})

test('200: both of two erasures at once, of which one uses the one-time password', async () => {
  const user = await signInUser(server)
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  const eraseOnce = () => user.call('DELETE', '/auth/me', { otp: '123456' })

  const erased = await interrupt(server, {
    lock: db => db.selectFrom('users').where('id', '=', user.id).select('id').forUpdate().execute(),
    start: () => Promise.all([eraseOnce(), eraseOnce()]),
    waitingCount: 2,
  })

  expect(erased.map(({ status }) => status)).toEqual([200, 200])
})
