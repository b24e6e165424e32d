import { beforeAll, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import type { Deps } from '../../../server/deps'
import {
  reconcileKyc,
  reconcileSignatures,
  reconcileWebhooks,
  storeDueDocuments,
} from '../../../server/jobs/reconcile'
import { sendReminders } from '../../../server/jobs/send-reminders'
import { createAgreementIn } from '../../support/agreement-fixture'
import { testServer } from '../../support/server'
import { createLandlord, createManager, createTenant } from '../../support/users'

const server = testServer()
const YESTERDAY = new Date(Date.now() - 24 * 3_600_000)
let signature: { id: number }

beforeAll(async () => {
  const [owner, manager, tenant] = [
    await createLandlord(server),
    await createManager(server),
    await createTenant(server),
  ]
  const { signature_id } = await createAgreementIn(server, { owner, manager, tenant }, 'PENDING')
  const db = getKysely(server.em())
  signature = await db
    .updateTable('agreement_signatures')
    .set({
      provider: server.deps.signing.name,
      created_at: YESTERDAY,
      document_due_at: YESTERDAY,
      next_reminder_at: YESTERDAY,
    })
    .where('signature_id', '=', signature_id)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('kyc_requests')
    .values({
      user_id: tenant.id,
      provider: 'earlier',
      status: 'CREATED',
      expires_at: YESTERDAY,
      created_at: YESTERDAY,
    })
    .execute()
  await db
    .insertInto('webhook_deliveries')
    .values({
      provider: 'gone',
      digest: 'x',
      payload: '{}',
      next_attempt_at: YESTERDAY,
      created_at: YESTERDAY,
    })
    .execute()
})

/** The dependencies, but that no entity can be read and no message be sent; `warnings` has what is logged. */
function createFailingDeps() {
  const warnings: unknown[] = []
  const { db, log } = server.deps
  const fail = () => {
    throw new Error('it fails')
  }
  const failing: Deps = {
    ...server.deps,
    db: Object.create(db, {
      em: { value: { fork: fail, getKysely: () => db.em.getKysely() } },
      transactional: { value: fail },
    }),
    log: { ...log, warn: (...line) => void warnings.push(line.at(-1)) },
  }
  return { warnings, deps: failing }
}

test.each([
  ['a signature', reconcileSignatures],
  ['an identity check', reconcileKyc],
  ['a webhook', reconcileWebhooks],
  ['a signed document', storeDueDocuments],
  ['a reminder', sendReminders],
])('a failure for %s is logged as such', async (subject, work) => {
  const { warnings, deps } = createFailingDeps()
  await work(deps)
  expect(signature.id).toBeGreaterThan(0)
  expect(warnings).toContain(`The job failed for ${subject}; it is tried again later`)
})
