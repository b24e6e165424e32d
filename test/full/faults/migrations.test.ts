import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { Pool } from 'pg'
import { migrate } from '../../../db/migrate'
import { migrations } from '../../../db/migrations'
import { OnlineMigration } from '../../../db/migrations/online-migration'
import { openDatabase, getKysely, type Database } from '../../../db/database'
import { freshDatabase } from '../../support/database'
import { createDraft, createLandlord, signInUser, type TestUser } from '../../support/users'
import { fillFoundation, fillLater, fingerprintRows } from '../../support/seed-rows'
import { startTestServer } from '../../support/server'
import { chooseByRound, getQuantile, isFull, report, roundTo } from '../../support/round'

const AGREEMENTS = isFull ? 100_000 : 2_000
const INTERVAL_MS = 20
/** Full rounds measure; in short ones a machine that is too slow for the load gets a smaller one. */
const MAX_PENDING = chooseByRound(Infinity, 20)
const PATIENCE = chooseByRound({ statement_timeout: 1000 }, { lock_timeout: 1000 })
// Few agreements suffice for the way down and up.
const REVERSED_AGREEMENTS = Math.min(AGREEMENTS, 20_000)
/** The way up opens the books of leases that have none. */
const OPENED = ['ledgers']
const ended: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ended.toReversed()) await end()
})

async function createEmptyDatabase() {
  const database = await freshDatabase({ migrated: false })
  const orm = openDatabase(database.url, { limitMs: 600_000 })
  ended.push(database.drop, () => orm.close())
  return { ...database, orm }
}

type Requests = ((n: number) => Promise<unknown>)[]
/** Sends fifty requests a second until the end, even if earlier ones are still pending, up to a limit. */
function startLoad(requests: Requests) {
  const failed: string[] = []
  const durations: number[] = []
  const pending = new Set<Promise<void>>()
  let isBusy = true
  const send = async (n: number) => {
    const start = performance.now()
    try {
      await requests[n % requests.length]!(n)
      durations.push(performance.now() - start)
    } catch (error) {
      failed.push(String(error))
    }
  }
  const load = (async () => {
    for (let n = 0, start = performance.now(); isBusy; n++) {
      if (pending.size >= MAX_PENDING) await Promise.race(pending)
      const request = send(n).finally(() => pending.delete(request))
      pending.add(request)
      await Bun.sleep(Math.max(0, start + (n + 1) * INTERVAL_MS - performance.now()))
    }
    await Promise.all(pending)
  })()
  const end = async () => {
    isBusy = false
    await load
  }
  return { failed, durations, end }
}
async function runUnderLoad(work: () => Promise<unknown>, requests: Requests) {
  const { failed, durations, end } = startLoad(requests)
  await Bun.sleep(500)
  const start = performance.now()
  let migratingS = 0
  try {
    await work()
    migratingS = (performance.now() - start) / 1000
  } finally {
    await end()
  }
  const figures = {
    agreements: AGREEMENTS,
    requests: durations.length + failed.length,
    failed: failed.length,
    longest_ms: Math.round(getQuantile(durations, 1)),
    p99_ms: Math.round(getQuantile(durations, 0.99)),
    migrating_s: roundTo(migratingS),
  }
  return { failed, figures }
}

/** Reads in long transactions. An ALTER TABLE waits for them, and would block all other requests. */
async function startReports(pool: Pool) {
  const tables = ['agreements', 'agreement_signatures', 'webhook_deliveries', 'kyc_requests', 'users']
  let isBusy = true
  const begun = Promise.withResolvers<void>()
  const reading = (async () => {
    while (isBusy) {
      const client = await pool.connect()
      await client.query('begin isolation level repeatable read')
      for (const table of tables) await client.query(`select 1 from ${table} limit 1`)
      begun.resolve()
      await Bun.sleep(2000)
      await client.query('commit')
      client.release()
      await Bun.sleep(700)
    }
  })()
  await begun.promise
  return () => {
    isBusy = false
    return reading
  }
}

async function loadTableFiles(orm: Database) {
  const { rows } = await sql<{ name: string; file: number }>`select relname as name, relfilenode as file
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(getKysely(orm))
  return Object.fromEntries(rows.map(({ name, file }) => [name, file]))
}
async function expectCompleteSchema(orm: Database) {
  const { rows } = await sql`select conname as name from pg_constraint where not convalidated
    union all select indexrelid::regclass::text from pg_index where not indisvalid`.execute(getKysely(orm))
  expect(rows).toEqual([])
  expect(await orm.orm.schema.getUpdateSchemaSQL()).not.toMatch(/alter|create|drop/)
}

function openPool(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const pool = new Pool({
    host: url.searchParams.get('host')!,
    user: 'kiraya',
    database: url.pathname.slice(1),
    max: 40,
    ...PATIENCE,
    idle_in_transaction_session_timeout: 10_000,
  })
  // The database is dropped at the end.
  pool.on('error', () => {})
  ended.push(() => pool.end())
  return pool
}
/** Statements that the code of the first migration sends. */
function createOldStatements(pool: Pool, getAgreement: (n: number) => number): Requests {
  const queryAgreement = (text: string) => (n: number) => pool.query(text, [getAgreement(n)])
  const insertSignature = `insert into agreement_signatures (agreement_id, signer_id, signer_role, status, provider, provider_request_id, expires_at) select id, landlord_id, 'LANDLORD', 'EXPIRED', 'setu', $2, now() from agreements where id = $1`
  const insertWebhook = `insert into webhook_deliveries (provider, digest, payload) values ('setu', $1, '{}')`
  return [
    queryAgreement(
      'select a.id, a.status, u.unit_name from agreements a join property_units u on u.id = a.property_unit_id where a.id = $1',
    ),
    queryAgreement(
      'update agreements set rent_amount = rent_amount + 1, revision = revision + 1, updated_at = now() where id = $1',
    ),
    queryAgreement(
      'update agreement_signatures set status = status, updated_at = now() where agreement_id = $1',
    ),
    n => pool.query(insertWebhook, [`new ${n}`]),
    n => pool.query(insertSignature, [getAgreement(n), `new ${n}`]),
    queryAgreement(
      'select count(*) from agreements where landlord_id = (select landlord_id from agreements where id = $1) and is_active',
    ),
    queryAgreement(
      'update kyc_requests set updated_at = now() where user_id = (select landlord_id from agreements where id = $1)',
    ),
  ]
}

test(`up from the first migration with ${AGREEMENTS} agreements: fifty old statements a second neither fail nor wait a second`, async () => {
  const { orm, url } = await createEmptyDatabase()
  await migrate(orm, migrations[0]!.name)
  await fillFoundation(orm, AGREEMENTS)
  const files = await loadTableFiles(orm)
  const pool = openPool(url)
  const { rows: ranges } = await pool.query('select min(id) as low, count(*)::int as n from agreements')
  const { low, n: count } = ranges[0]
  const statements = createOldStatements(pool, n => low + ((n * 7919) % count))
  const { failed, figures } = await runUnderLoad(async () => {
    const endReports = await startReports(pool)
    await migrate(orm)
    await endReports()
  }, statements)
  report('migrations', { under: 'the older code’s statements and long reports', ...figures })
  expect(failed).toEqual([])
  // No table was rewritten.
  expect(await loadTableFiles(orm)).toMatchObject(files)
  await expectCompleteSchema(orm)
  const { rows } = await pool.query(
    `select count(*)::int as n from agreement_signatures where status = 'PENDING' and next_check_at is null`,
  )
  expect(rows[0].n).toBe(0)
}, 600_000)

class Representative extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      `alter table agreements add column if not exists "city" text null, add column if not exists "grace_days" int not null default 3`,
    )
    await this.updateInBatches('agreements', `set city = 'Bengaluru' where t.city is null`)
    await this.addConstraint('agreements', 'agreements_grace_days', 'check (grace_days >= 0)')
    await this.addConstraint(
      'agreement_signatures',
      'agreement_signatures_again',
      'foreign key (signer_id) references users (id)',
    )
    await this.createIndex('agreements_city', '"agreements" ("city", "id")')
  }

  override async down() {
    await this.runInOneTransaction(
      'alter table agreement_signatures drop constraint agreement_signatures_again',
      ...(await this.archiveColumns('agreements', 'agreements_representative', ['city', 'grace_days'])),
    )
  }
}

function createApiRequests(
  owner: TestUser,
  tenant: TestUser,
  draft: Awaited<ReturnType<typeof createDraft>>,
) {
  const { agreement, unit, property } = draft
  const send = async (method: string, path: string, body?: unknown) => {
    const { status } = await owner.call(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`)
  }
  const terms = {
    property_unit_id: unit.id,
    tenant_ids: [tenant.id],
    document_url: 'https://example.com/lease.pdf',
    agreement_start_date: '2026-12-01',
    tenure_in_months: 11,
    rent_due_day: 5,
    notice_period_days: 30,
  }
  const requests: Requests = [
    () => send('GET', '/agreements?limit=20'),
    n => send('PATCH', `/agreements/${agreement.id}`, { rent_amount: 20_000 + n }),
    () => send('GET', `/agreements/${agreement.id}`),
    n => send('POST', '/agreements', { ...terms, rent_amount: 1 + n }),
    () => send('GET', '/dashboard'),
    n => send('PATCH', `/properties/${property.id}/units/${unit.id}`, { unit_notes: `note ${n}` }),
    () => send('GET', `/agreements/${agreement.id}/timeline`),
    () => send('GET', '/auth/me'),
  ]
  return requests
}

test(`up with ${AGREEMENTS} agreements: fifty API requests a second do not fail`, async () => {
  const server = await startTestServer({ env: { RUN_JOBS: 'true' }, poolSize: 20 })
  ended.push(server.end)
  const { url } = server.deps.db
  const patient = openDatabase(url, { limitMs: 600_000 })
  await fillFoundation(patient, AGREEMENTS).finally(() => patient.close())
  const owner = await createLandlord(server.url)
  const tenant = await signInUser(server.url)
  const requests = createApiRequests(owner, tenant, await createDraft(owner, [tenant]))
  const orm = openDatabase(url, {
    migrations: [...migrations, { name: '9999-representative', class: Representative }],
  })
  const quiet = await runUnderLoad(() => Bun.sleep(isFull ? 10_000 : 500), requests)
  const { failed, figures } = await runUnderLoad(() => migrate(orm).finally(() => orm.close()), requests)
  report('migrations', {
    under: 'requests to a server',
    ...figures,
    without_a_migration: { longest_ms: quiet.figures.longest_ms, p99_ms: quiet.figures.p99_ms },
  })
  expect(failed).toEqual([])
}, 600_000)

/** Lists the tables that there are after each migration, by its name. */
async function listTables() {
  const { orm } = await createEmptyDatabase()
  const tables: Record<string, string[]> = {}
  for (const { name } of migrations) {
    await migrate(orm, name)
    tables[name] = Object.keys(await loadTableFiles(orm)).toSorted()
  }
  return { ...tables, 0: ['mikro_orm_migrations'] } as Record<string, string[]>
}

test('each migration down and up again restores every row, column and sequence, and keeps later changes', async () => {
  const { orm } = await createEmptyDatabase()
  await migrate(orm)
  await fillFoundation(orm, REVERSED_AGREEMENTS)
  await fillLater(orm, 50, 1000)
  const before = await fingerprintRows(orm, ['mikro_orm_migrations'])
  const names = migrations.map(({ name }) => name)
  const tables = await listTables()
  const durations: Record<string, number> = {}
  for (const to of [...names.slice(0, -1).toReversed(), '0']) {
    const start = performance.now()
    expect(await migrate(orm, to)).not.toEqual([])
    expect([to, Object.keys(await loadTableFiles(orm)).toSorted()]).toEqual([to, tables[to]!])
    await migrate(orm)
    expect(await fingerprintRows(orm, ['mikro_orm_migrations'])).toEqual(before)
    await expectCompleteSchema(orm)
    durations[to] = Math.round(performance.now() - start) / 1000
  }
  await migrate(orm, names[0])
  const db = getKysely(orm)
  await sql`update agreements set rent_amount = 77 where id = (select min(id) from agreements)`.execute(db)
  await sql`insert into agreement_counters (landlord_id, year, last_number) select min(id), 1999, 1 from users`.execute(
    db,
  )
  await migrate(orm)
  const after = await fingerprintRows(orm, ['mikro_orm_migrations'])
  const changed = Object.keys(after).filter(name => after[name] !== before[name])
  expect(changed).toEqual(['agreement_counters', 'agreements'])
  report('migrations', { down_and_up_again_s: durations, agreements: REVERSED_AGREEMENTS })
}, 600_000)

test('down is refused before any change if several users signed one request', async () => {
  const { orm } = await createEmptyDatabase()
  const db = getKysely(orm)
  await migrate(orm)
  await fillFoundation(orm, 100)
  await sql`update agreement_signatures set provider_request_id = agreement_id, provider_signature_id = id`.execute(
    db,
  )
  const before = await fingerprintRows(orm, OPENED)
  await migrate(orm, '0003-evidence')
  await expect(migrate(orm, '0002-checks')).rejects.toThrow(/unique/)
  await migrate(orm)
  const ignored = { mikro_orm_migrations: '', mikro_orm_migrations_id_seq: '' }
  expect({ ...(await fingerprintRows(orm, OPENED)), ...ignored }).toEqual({ ...before, ...ignored })
})
