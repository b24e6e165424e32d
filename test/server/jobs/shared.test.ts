import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { openDatabase, getKysely } from '../../../db/database'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { createDraft, signInUser } from '../../support/users'
import { startTestServer } from '../../support/server'
import { signingProvider, signs, start } from '../agreements/signing/provider'

const provider = signingProvider()

test('two instances on one database share the jobs, and nothing is done twice', async () => {
  const first = await startTestServer({ env: { ...provider.env, RUN_JOBS: 'true', PROVIDER_RETRIES: '0' } })
  const second = startServer(
    { ...first.deps.config, PORT: 0 },
    openDatabase(first.deps.config.DATABASE_URL!),
    createLog('silent', false),
  )
  try {
    await second.ready
    const db = getKysely(first.em())
    const owner = await signInUser(first.url)
    const due = {
      asked: [] as string[],
      fetched: [] as string[],
      cancelled: [] as string[],
      told: [] as string[],
    }
    const request = (signature: string) => provider.of(signature).id
    for (let n = 0; n < 4; n++) {
      const tenant = await signInUser(first.url)
      // One that is signed and not heard of, one that is active, one whose cancellation failed, one whose webhook failed.
      const [open, active, ended, unheard] = await Promise.all(
        Array.from({ length: 4 }, () => createDraft(owner, [tenant]).then(({ agreement }) => agreement)),
      )
      const opened = (await start(owner, open, tenant)).body.data.signature_id
      due.asked.push(request(opened))
      for (const person of [owner, tenant])
        due.fetched.push(request(await signs(provider, first.url, owner, active, person)))
      const gone = (await start(owner, ended, tenant)).body.data.signature_id
      provider.replies.cancel = () => new Response('x', { status: 500 })
      provider.replies.read = () => new Response('x', { status: 500 })
      await owner.call('POST', `/agreements/${ended.id}/terminate`, {})
      due.cancelled.push(request(gone))
      const known = (await start(owner, unheard, tenant)).body.data.signature_id
      expect(
        (
          await provider.webhook(
            first.url,
            provider.news(
              'ESIGN_COMPLETE',
              provider.becomes(known, { status: 'sign_complete', signerStatus: 'signed' }),
            ),
          )
        ).status,
      ).toBe(503)
      due.told.push(request(known))
      delete provider.replies.cancel
      delete provider.replies.read
    }
    const seen = provider.calls.length
    const past = new Date(0)
    await db
      .updateTable('agreement_signatures')
      .set({ next_check_at: past })
      .where('provider_request_id', 'in', due.asked)
      .execute()
    await db
      .updateTable('agreement_signatures')
      .set({ next_check_at: new Date('2100-01-01') })
      .where('provider_request_id', 'not in', due.asked)
      .execute()
    await db.updateTable('signing_cancellations').set({ due_at: past }).execute()
    await db
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: past })
      .where('processed_at', 'is', null)
      .execute()

    const boss = new PgBoss({
      schema: 'jobs',
      supervise: false,
      schedule: false,
      migrate: false,
      connectionString: first.deps.db.url,
    })
    await boss.start()
    const calls = (action: string, method: string) =>
      provider.calls
        .slice(seen)
        .filter(called => called.method === method && called.path.endsWith(action))
        .map(({ path }) => path.split('/')[3]!)
    const left = async () =>
      (
        await sql<{
          left: number
        }>`select (select count(*) from signing_cancellations) + (select count(*) from webhook_deliveries where processed_at is null) + (select count(*) from agreement_signatures where document_due_at is not null or next_check_at = ${past}) as left`.execute(
          db,
        )
      ).rows[0]!.left
    for (let round = 0; round < 60 && (await left()); round++) {
      for (const job of ['reconcile-signatures', 'reconcile-webhooks', 'cancel-requests', 'keep-documents'])
        await boss.send(job, {})
      await Bun.sleep(500)
    }
    await boss.stop({ graceful: false })
    expect(await left()).toBe(0)
    const read = calls('', 'GET').filter(id => due.asked.includes(id) || due.told.includes(id))
    expect(calls('/pdf', 'GET').toSorted()).toEqual(due.fetched.toSorted())
    expect(calls('/delete/', 'POST').toSorted()).toEqual(due.cancelled.toSorted())
    expect(read.toSorted()).toEqual([...due.asked, ...due.told].toSorted())
    const { rows } = await sql<{
      name: string
      runs: number
    }>`select name, count(*) as runs from jobs.job where state = 'completed' and name in ('reconcile-signatures', 'cancel-requests') group by name`.execute(
      db,
    )
    expect(rows.length).toBe(2)
  } finally {
    await second.stop()
    await first.end()
  }
}, 60_000)
