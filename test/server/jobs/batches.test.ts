import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { CANCELLATION_BATCH_SIZE } from '../../../server/agreements/cancellations'
import { processCancellations } from '../../../server/agreements/signature-status'
import type { Deps } from '../../../server/deps'
import { BATCH_SIZE } from '../../../server/jobs/leases'
import { reconcileSignatures } from '../../../server/jobs/reconcile'
import { sendReminders } from '../../../server/jobs/send-reminders'
import { clock, testServer } from '../../support/server'
import { createDraft, signInUser } from '../../support/users'

const DAY_MS = 86_400_000
const time = clock()
const server = testServer({ overrides: { now: time.now } })
const db = () => getKysely(server.em())
const provider = 'sandbox'

/** Creates requests to a tenant who has signed another agreement of the landlord. */
async function createSignatures(count: number, { ageMs = DAY_MS, status = 'PENDING' } = {}) {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const { agreement } = await createDraft(owner, [tenant])
  const askedAt = new Date(time.now().getTime() - ageMs)
  const { rows } = await sql<{ id: number }>`
    with unit as (
      insert into property_units (property_id, unit_name, landlord_id, managed_by_id)
      select u.property_id, 'copy', u.landlord_id, u.managed_by_id
      from property_units u, generate_series(1, ${count}) where u.id = ${agreement.property_unit_id}
      returning id
    ), agreement as (
      insert into agreements (
        agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date,
        agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days, status
      )
      select 'B', a.document_url, unit.id, a.landlord_id, a.agreement_start_date, a.agreement_end_date,
        a.tenure_in_months, a.rent_amount, a.rent_due_day, a.notice_period_days, 'PENDING'
      from agreements a, unit where a.id = ${agreement.id}
      returning id
    ), known as (
      insert into agreement_signatures (agreement_id, signer_id, signer_role, status, provider, expires_at)
      values (${agreement.id}, ${tenant.id}, 'TENANT', 'SIGNED', ${provider}, ${time.now()})
    ), tenant as (
      insert into agreement_tenants (agreement_id, tenant_id) select id, ${tenant.id} from agreement
    )
    insert into agreement_signatures (
      agreement_id, signer_id, signer_role, status, provider, provider_request_id, signing_url, created_at,
      expires_at, next_reminder_at
    )
    select id, ${tenant.id}, 'TENANT', ${status}, ${provider}, gen_random_uuid()::text, 'https://example.com',
      ${askedAt}, ${new Date(askedAt.getTime() + 100 * DAY_MS)}, ${time.now()}
    from agreement
    returning id`.execute(db())
  return { tenant, ids: rows.map(({ id }) => id) }
}

/** The server's dependencies with a provider that calls its requests open, and notes what it is asked. */
function createDeps() {
  const asked: string[] = []
  const cancelled: string[] = []
  const sent: string[] = []
  const { signing } = server.deps
  const deps: Deps = {
    ...server.deps,
    signing: {
      ...signing,
      status: async ({ requestId }) => {
        asked.push(requestId)
        return { requestId, status: 'PENDING' }
      },
      cancel: async requestId => void cancelled.push(requestId),
    },
    sendReminder: async phone => void sent.push(phone),
  }
  return { deps, asked, cancelled, sent }
}

const COUNT = 2 * BATCH_SIZE + 1

test('a run checks more signatures than two batches, each once', async () => {
  await createSignatures(COUNT)
  const { deps, asked } = createDeps()

  await reconcileSignatures(deps)

  expect([asked.length, new Set(asked).size]).toEqual([COUNT, COUNT])
})

test('a run cancels more requests than two batches, each once', async () => {
  const count = 2 * CANCELLATION_BATCH_SIZE + 1
  const { ids } = await createSignatures(count, { status: 'EXPIRED' })
  await sql`
    insert into signing_cancellations (provider, provider_request_id, agreement_id, due_at, created_at)
    select provider, provider_request_id, agreement_id, ${time.now()}, ${time.now()}
    from agreement_signatures where id = any(${ids}::int[])`.execute(db())
  const { deps, cancelled } = createDeps()

  await processCancellations(deps)

  expect([cancelled.length, new Set(cancelled).size]).toEqual([count, count])
  expect(await db().selectFrom('signing_cancellations').selectAll().execute()).toEqual([])
})

test('a run sends more reminders than a batch, each once', async () => {
  const { tenant } = await createSignatures(BATCH_SIZE + 1)
  const { deps, sent } = createDeps()

  await sendReminders(deps)

  expect(sent.filter(phone => phone === tenant.phone)).toHaveLength(BATCH_SIZE + 1)
}, 60_000)

test.each([
  ['just within thirty days', 30 * DAY_MS - 1, 1],
  ['thirty days ago', 30 * DAY_MS, 0],
])('a reminder of a request that was made %s', async (_, ageMs, reminders) => {
  const { tenant } = await createSignatures(1, { ageMs })
  const { deps, sent } = createDeps()

  await sendReminders(deps)

  expect(sent.filter(phone => phone === tenant.phone)).toHaveLength(reminders)
})

test('a signature that has expired is reminded of, with a new request', async () => {
  const { tenant, ids } = await createSignatures(1, { status: 'EXPIRED' })
  const { deps, sent } = createDeps()

  await sendReminders(deps)

  expect(sent).toContain(tenant.phone)
  const signatures = await db()
    .selectFrom('agreement_signatures')
    .where('signer_id', '=', tenant.id)
    .where('status', '<>', 'SIGNED')
    .orderBy('id')
    .select(['id', 'status', 'reminders'])
    .execute()
  expect(signatures).toEqual([
    { id: ids[0]!, status: 'EXPIRED', reminders: 1 },
    { id: expect.any(Number), status: 'PENDING', reminders: 1 },
  ])
})
