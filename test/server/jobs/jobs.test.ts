import { describe, expect, test } from 'bun:test'
import type { SigningReference } from '../../../server/providers/signing/port'
import { sql } from 'kysely'
import { AuthSession, OtpSession, RateLimit, WebhookDelivery } from '../../../db/entities'
import { openDatabase, query } from '../../../db/orm'
import { getTenureEndDate } from '../../../server/domain/dates'
import { purgeExpired } from '../../../server/jobs/purge-expired'
import { reconcileKyc, reconcileSignatures, reconcileWebhooks } from '../../../server/jobs/reconcile'
import { endTenures } from '../../../server/jobs/end-tenures'
import {
  sendRequest,
  createDraft,
  createLandlord,
  completeSigning,
  signInUser,
  agreementTerms,
  type TestUser,
} from '../../support/users'
import { startJobs } from '../../../server/jobs'
import { clock, startTestServer } from '../../support/server'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
type Server = Awaited<ReturnType<typeof startTestServer>> & { advance: (ms: number) => void }

/** A server whose clock the test moves. */
const withServer =
  (work: (it: Server) => Promise<void>, env: Record<string, string> = {}, start?: Date) =>
  async () => {
    const time = clock(start)
    const it = await startTestServer({ env, overrides: { now: time.now } })
    await work({ ...it, advance: time.advance }).finally(it.end)
  }

/** The signer signs at the sandbox, but its webhook is lost. */
async function signUnheard(it: Server, phone: string) {
  const {
    body: { data },
  } = await sendRequest(it.url, 'GET', '/sandbox/control')
  await sendRequest(it.url, 'POST', '/sandbox/control/faults', {
    body: { provider: 'esign', behaviour: 'never', match: phone },
  })
  await sendRequest(
    it.url,
    'POST',
    `/sandbox/control/signatures/${data.signatures.find((one: { phone: string }) => one.phone === phone).id}`,
    { body: { outcome: 'sign' } },
  )
}
/** As its owner sees it, who may have had to sign in again. */
const agreementOf = async (person: TestUser, id: number) =>
  (await person.call('GET', `/agreements/${id}`)).body.data
const seenLater = async (it: Server, person: TestUser, id: number) =>
  agreementOf(await signInUser(it.url, person.phone), id)
const signaturesOf = async (person: TestUser, id: number) =>
  (await person.call('GET', `/agreements/${id}/signatures`)).body.data

async function sent(it: Server) {
  const owner = await createLandlord(it.url)
  const tenant = await signInUser(it.url)
  const { agreement, unit, property } = await createDraft(owner, [tenant])
  await completeSigning(owner, agreement.id, owner.id)
  await tenant.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id })
  return { owner, tenant, agreement, unit, property }
}

describe('reconciliation', () => {
  test(
    'an agreement whose last webhook was lost becomes ACTIVE all the same',
    withServer(async it => {
      const { owner, tenant, agreement } = await sent(it)
      await signUnheard(it, tenant.phone)
      it.advance(4 * MINUTE)
      await reconcileSignatures(it.deps)
      expect((await agreementOf(owner, agreement.id)).status).toBe('PENDING')
      it.advance(2 * MINUTE)
      await reconcileSignatures(it.deps)
      expect((await agreementOf(owner, agreement.id)).status).toBe('ACTIVE')
    }),
  )

  test(
    'asks ever more rarely, and never stops while the signature is open',
    withServer(async it => {
      await sent(it)
      const asked: number[] = []
      const deps = {
        ...it.deps,
        signing: {
          ...it.deps.signing,
          status: (id: SigningReference) => (
            asked.push(Math.round((it.deps.now().getTime() - began) / MINUTE)),
            it.deps.signing.status(id)
          ),
        },
      }
      const began = it.deps.now().getTime()
      for (let minute = 0; minute < 120; minute++) {
        it.advance(MINUTE)
        await reconcileSignatures(deps)
      }
      expect(asked).toEqual([5, 10, 20, 40, 80])
    }),
  )

  test(
    'two instances never ask about the same signature twice',
    withServer(async it => {
      for (let n = 0; n < 3; n++) await sent(it)
      const asked: string[] = []
      const deps = {
        ...it.deps,
        signing: {
          ...it.deps.signing,
          status: (id: SigningReference) => (asked.push(id.requestId), it.deps.signing.status(id)),
        },
      }
      it.advance(6 * MINUTE)
      await Promise.all(Array.from({ length: 4 }, () => reconcileSignatures(deps)))
      expect({ asked: asked.length, different: new Set(asked).size }).toEqual({ asked: 3, different: 3 })
    }),
  )

  test(
    'a provider that fails leaves everything as it was, and the next check is made',
    withServer(async it => {
      const { owner, tenant, agreement } = await sent(it)
      const down = {
        ...it.deps,
        signing: { ...it.deps.signing, status: () => Promise.reject(new Error('down')) },
      }
      it.advance(6 * MINUTE)
      await reconcileSignatures(down)
      expect((await agreementOf(owner, agreement.id)).status).toBe('PENDING')
      await signUnheard(it, tenant.phone)
      it.advance(7 * MINUTE)
      await reconcileSignatures(it.deps)
      expect((await agreementOf(owner, agreement.id)).status).toBe('ACTIVE')
    }),
  )

  test(
    'past its time a signature becomes EXPIRED and is cancelled at the provider',
    withServer(async it => {
      const { owner, agreement, tenant } = await sent(it)
      it.advance(73 * HOUR)
      await reconcileSignatures(it.deps)
      expect((await signaturesOf(owner, agreement.id)).signatures).toMatchObject([
        { status: 'signed' },
        { status: 'expired' },
      ])
      const { rows } = await sql<{
        cancelled: boolean
      }>`select (data->>'cancelled')::boolean as cancelled from sandbox_records where data->'signers'->0->>'identifier' = ${tenant.phone}`.execute(
        query(it.em()),
      )
      expect(rows).toEqual([{ cancelled: true }])
      expect((await completeSigning(owner, agreement.id, tenant.id)).pressed).toBe(200)
      expect((await agreementOf(owner, agreement.id)).status).toBe('ACTIVE')
    }),
  )

  test(
    'signed in time but heard of too late is signed',
    withServer(async it => {
      const { owner, agreement, tenant } = await sent(it)
      await signUnheard(it, tenant.phone)
      it.advance(73 * HOUR)
      await reconcileSignatures(it.deps)
      expect((await agreementOf(owner, agreement.id)).status).toBe('ACTIVE')
    }),
  )

  test(
    'a webhook that was stored but not acted upon is acted upon later',
    withServer(async it => {
      const { owner, tenant, agreement } = await sent(it)
      await signUnheard(it, tenant.phone)
      const {
        rows: [record],
      } = await sql<{
        id: string
        document: string
      }>`select id, data->>'documentId' as document from sandbox_records where data->'signers'->0->>'identifier' = ${tenant.phone}`.execute(
        query(it.em()),
      )
      const payload = JSON.stringify({
        event: 'ESIGN_COMPLETE',
        data: {
          esign: {
            id: record!.id,
            documentId: record!.document,
            status: 'sign_complete',
            signers: [{ status: 'signed' }],
          },
        },
      })
      await it.em().insert(WebhookDelivery, {
        provider: 'sandbox',
        digest: 'd'.repeat(64),
        payload,
        created_at: it.deps.now(),
        next_attempt_at: new Date(it.deps.now().getTime() + MINUTE),
      })
      await reconcileWebhooks(it.deps)
      expect((await agreementOf(owner, agreement.id)).status).toBe('PENDING')
      it.advance(2 * MINUTE)
      await reconcileWebhooks(it.deps)
      expect((await agreementOf(owner, agreement.id)).status).toBe('ACTIVE')
      expect((await it.em().findOneOrFail(WebhookDelivery, { digest: 'd'.repeat(64) })).processed_at).toEqual(
        it.deps.now(),
      )
    }),
  )

  test(
    'an identity check is settled without its user coming back, and lapses when its time is over',
    withServer(
      async it => {
        const [done, never] = [await signInUser(it.url), await signInUser(it.url)]
        for (const person of [done, never])
          await person.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' })
        await done.call('POST', '/profile/ekyc', {})
        await sql`update sandbox_records set data = data || '{"status":"SUCCESS"}' where kind = 'ekyc'`.execute(
          query(it.em()),
        )
        const open = (await never.call('POST', '/profile/ekyc', {})).body.data
        it.advance(6 * MINUTE)
        await reconcileKyc(it.deps)
        expect((await done.call('GET', '/auth/me')).body.data.status).toBe('LOGIN_SUCCESSFUL')
        it.advance(2 * DAY)
        await reconcileKyc(it.deps)
        expect(
          (await never.call('POST', '/profile/ekyc/complete', { verification_id: open.verification_id }))
            .status,
        ).toBe(400)
        expect((await never.call('POST', '/profile/ekyc', {})).body.data.verification_id).not.toBe(
          open.verification_id,
        )
      },
      { SANDBOX_EKYC: 'manual' },
    ),
  )
})

describe('the end of a tenure', () => {
  const begun = new Date('2026-12-01T06:00:00Z')
  async function active(it: Server, more: Record<string, unknown>) {
    const owner = await createLandlord(it.url)
    const tenant = await signInUser(it.url)
    const drawn = await createDraft(owner, [tenant], { tenure_in_months: 1, ...more })
    for (const person of [owner, tenant]) await completeSigning(person, drawn.agreement.id, person.id)
    return { owner, tenant, ...drawn }
  }

  test(
    'ACTIVE → TERMINATED on the day after the last one, in India',
    withServer(
      async it => {
        const { owner, agreement, property, unit } = await active(it, {})
        it.advance(Date.parse('2026-12-31T18:29:00Z') - begun.getTime())
        await endTenures(it.deps)
        expect((await seenLater(it, owner, agreement.id)).status).toBe('ACTIVE')
        it.advance(MINUTE)
        await endTenures(it.deps)
        const again = await signInUser(it.url, owner.phone)
        expect(await agreementOf(again, agreement.id)).toMatchObject({
          status: 'TERMINATED',
          termination_date: '2026-12-31',
        })
        expect(
          (await again.call('GET', `/properties/${property.id}/units/${unit.id}`)).body.data.is_available,
        ).toBe(true)
      },
      {},
      begun,
    ),
  )

  test(
    'auto_renew extends it by the same tenure, as often as needed',
    withServer(
      async it => {
        const { owner, agreement } = await active(it, { auto_renew: true })
        it.advance(70 * DAY)
        await endTenures(it.deps)
        expect(await seenLater(it, owner, agreement.id)).toMatchObject({
          status: 'ACTIVE',
          agreement_start_date: '2026-12-01',
          agreement_end_date: '2027-02-28',
        })
        await endTenures(it.deps)
        expect((await seenLater(it, owner, agreement.id)).agreement_end_date).toBe('2027-02-28')
      },
      {},
      begun,
    ),
  )

  test(
    'not over another agreement of the unit',
    withServer(
      async it => {
        const { owner, tenant, agreement, unit } = await active(it, { auto_renew: true })
        const next = (
          await owner.call(
            'POST',
            '/agreements',
            agreementTerms(unit.id, [tenant.id], { agreement_start_date: '2027-01-15' }),
          )
        ).body.data
        await owner.call('POST', `/agreements/${next.id}/sign`, { signer_id: owner.id })
        it.advance(31 * DAY)
        await endTenures(it.deps)
        expect((await seenLater(it, owner, agreement.id)).status).toBe('TERMINATED')
        expect((await seenLater(it, owner, next.id)).status).toBe('PENDING')
      },
      {},
      begun,
    ),
  )

  test.each([
    ['2026-12-01', 11, '2027-10-31'],
    ['2026-01-31', 1, '2026-02-27'],
    ['2024-02-29', 12, '2025-02-27'],
    ['2026-01-01', 600, '2075-12-31'],
    ['2026-08-31', 6, '2027-02-27'],
    ['2026-03-31', 1, '2026-04-29'],
  ])('%s and %i months end on %s', (start, months, last) => {
    expect(getTenureEndDate(start, months)).toBe(last)
  })
})

test(
  'what has no more effect is purged, and nothing else',
  withServer(async it => {
    const person = await signInUser(it.url)
    it.advance(6 * DAY)
    const later = await signInUser(it.url)
    await purgeExpired(it.deps)
    expect((await person.call('GET', '/auth/me')).status).toBe(200)
    it.advance(2 * DAY)
    await purgeExpired(it.deps)
    expect({
      sessions: await it.em().count(AuthSession),
      otps: await it.em().count(OtpSession),
      limits: await it.em().count(RateLimit),
    }).toEqual({ sessions: 1, otps: 0, limits: 0 })
    expect((await later.call('GET', '/auth/me')).status).toBe(200)
  }),
)

test('every job is scheduled, in a schema of its own, and the entities know nothing of it', async () => {
  const it = await startTestServer({ env: { RUN_JOBS: 'true' } })
  const scheduled = async () =>
    (
      await sql<{ name: string }>`select name from jobs.schedule order by name`.execute(query(it.em()))
    ).rows.map(({ name }) => name)
  for (let tries = 0; tries < 100 && (await scheduled().catch(() => [])).length < 8; tries++)
    await Bun.sleep(50)
  expect(await scheduled()).toEqual([
    'cancel-requests',
    'end-tenures',
    'keep-documents',
    'purge',
    'reconcile-kyc',
    'reconcile-signatures',
    'reconcile-webhooks',
    'remind',
  ])
  const orm = openDatabase(it.deps.config.DATABASE_URL!)
  expect((await orm.orm.schema.getUpdateSchemaSQL()).replace("set names 'utf8';", '').trim()).toBe('')
  await orm.close()
  await it.end()
})

test('a run that was cut off with its server keeps nobody from the next', async () => {
  const first = await startTestServer({ env: { RUN_JOBS: 'true' } })
  const db = query(first.em())
  const state = async (id: string) =>
    (await sql<{ state: string }>`select state::text as state from jobs.job where id = ${id}`.execute(db))
      .rows[0]?.state
  try {
    for (
      let tries = 0;
      tries < 100 &&
      !(
        await sql<{
          there: boolean
        }>`select exists (select 1 from pg_tables where schemaname = 'jobs' and tablename = 'schedule') as there`.execute(
          db,
        )
      ).rows[0]!.there;
      tries++
    )
      await Bun.sleep(50)
    for (
      let tries = 0;
      tries < 100 &&
      (await sql`select 1 from jobs.schedule where name = 'purge'`.execute(db)).rows.length === 0;
      tries++
    )
      await Bun.sleep(50)
    const add = async (as: string) =>
      (
        await sql<{
          id: string
        }>`insert into jobs.job (name, state, policy, started_on, expire_seconds, retry_limit, data) select name, ${as}::jobs.job_state, policy, case when ${as} = 'active' then now() end, 600, 3, '{}' from jobs.queue where name = 'keep-documents' returning id`.execute(
          db,
        )
      ).rows[0]!.id
    const cutOff = await add('active')
    const next = await add('created')
    for (let tries = 0; tries < 200 && (await state(next)) !== 'completed'; tries++) await Bun.sleep(100)
    expect([await state(cutOff), await state(next)]).toEqual(['active', 'completed'])
  } finally {
    await first.end()
  }
}, 40_000)

test('a statement of the queue that fails leaves the connections usable for all others', async () => {
  const it = await startTestServer({ poolSize: 3 })
  try {
    await sql`create schema jobs`.execute(query(it.em()))
    await sql`create table jobs.version (version text)`.execute(query(it.em())) // none that the queue understands
    expect(
      await startJobs(it.deps).then(
        () => 'started',
        () => 'failed',
      ),
    ).toBe('failed')
    for (let round = 0; round < 5; round++)
      expect(
        await Promise.all(
          Array.from({ length: 6 }, async () => (await fetch(`${it.url}/health/ready`)).status),
        ),
      ).toEqual(Array(6).fill(200))
  } finally {
    await it.end()
  }
}, 20_000)
