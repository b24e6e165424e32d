import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { Pool } from 'pg'
import { migrate } from '../../db/migrate'
import { migrations } from '../../db/migrations'
import { OnlineMigration } from '../../db/migrations/online-migration'
import { openDatabase, getKysely, type Database } from '../../db/database'
import { freshDatabase } from '../support/database'
import { createDraft, createLandlord, signInUser } from '../support/users'
import { fillFoundation, fillLater, fingerprintRows } from '../support/seed-rows'
import { startTestServer } from '../support/server'

/** `FAULTS=full` for the whole run. */
const full = process.env.FAULTS === 'full'
const AGREEMENTS = full ? 100_000 : 2_000
const EVERY_MS = 20
const ended: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ended.toReversed()) await end()
})

async function empty() {
  const database = await freshDatabase({ migrated: false })
  const orm = openDatabase(database.url, { limitMs: 600_000 })
  ended.push(database.drop, () => orm.close())
  return { ...database, orm }
}

/** Fifty a second, whether the ones before are done or not, for as long as `work` takes. */
async function under(work: () => Promise<unknown>, requests: ((n: number) => Promise<unknown>)[]) {
  const failed: string[] = []
  const took: number[] = []
  const open = new Set<Promise<void>>()
  let busy = true
  const load = (async () => {
    for (let n = 0, began = performance.now(); busy; n++) {
      const at = performance.now()
      const one = requests[n % requests.length]!(n)
        .then(
          () => void took.push(performance.now() - at),
          error => void failed.push(String(error)),
        )
        .finally(() => open.delete(one))
      open.add(one)
      await Bun.sleep(Math.max(0, began + (n + 1) * EVERY_MS - performance.now()))
    }
    await Promise.all(open)
  })()
  await Bun.sleep(500)
  const began = performance.now()
  const seconds = await work()
    .then(() => (performance.now() - began) / 1000)
    .finally(() => (busy = false))
  await load
  took.sort((a, b) => a - b)
  return {
    failed,
    figures: {
      agreements: AGREEMENTS,
      requests: took.length + failed.length,
      failed: failed.length,
      longest_ms: Math.round(took.at(-1)!),
      p99_ms: Math.round(took[Math.floor(took.length * 0.99)]!),
      migrating_s: Math.round(seconds * 10) / 10,
    },
  }
}

/** A long report: in its way an ALTER TABLE waits, and in that one's way everybody would. */
async function reports(pool: Pool, tables: string[]) {
  let busy = true
  const begun = Promise.withResolvers<void>()
  const reading = (async () => {
    while (busy) {
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
  return () => ((busy = false), reading)
}

const tableFiles = async (orm: Database) =>
  Object.fromEntries(
    (
      await sql<{
        name: string
        file: number
      }>`select relname as name, relfilenode as file from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
        getKysely(orm),
      )
    ).rows.map(({ name, file }) => [name, file]),
  )
const halfMade = async (orm: Database) =>
  (
    await sql<{
      name: string
    }>`select conname as name from pg_constraint where not convalidated union all select indexrelid::regclass::text from pg_index where not indisvalid`.execute(
      getKysely(orm),
    )
  ).rows

test(`up from the first migration with ${AGREEMENTS} agreements: statements of the older code, fifty a second, neither fail nor wait a second`, async () => {
  const { orm, url } = await empty()
  await migrate(orm, migrations[0]!.name)
  await fillFoundation(orm, AGREEMENTS)
  const files = await tableFiles(orm)
  const pool = new Pool({
    host: new URL(url).searchParams.get('host')!,
    user: 'kiraya',
    database: new URL(url).pathname.slice(1),
    max: 40,
    statement_timeout: 1000,
    idle_in_transaction_session_timeout: 10_000,
  })
  pool.on('error', () => {}) // the database is dropped at the end
  ended.push(() => pool.end())
  const {
    rows: [range],
  } = await pool.query('select min(id) as low, count(*)::int as n from agreements')
  const some = (n: number) => range.low + ((n * 7919) % range.n)
  const { failed, figures } = await under(async () => {
    const done = await reports(pool, [
      'agreements',
      'agreement_signatures',
      'webhook_deliveries',
      'kyc_requests',
      'users',
    ])
    await migrate(orm)
    await done()
  }, [
    n =>
      pool.query(
        'select a.id, a.status, u.unit_name from agreements a join property_units u on u.id = a.property_unit_id where a.id = $1',
        [some(n)],
      ),
    n =>
      pool.query(
        'update agreements set rent_amount = rent_amount + 1, revision = revision + 1, updated_at = now() where id = $1',
        [some(n)],
      ),
    n =>
      pool.query(
        `update agreement_signatures set status = status, updated_at = now() where agreement_id = $1`,
        [some(n)],
      ),
    n =>
      pool.query(`insert into webhook_deliveries (provider, digest, payload) values ('setu', $1, '{}')`, [
        `new ${n}`,
      ]),
    n =>
      pool.query(
        `insert into agreement_signatures (agreement_id, signer_id, signer_role, status, provider, provider_request_id, expires_at) select id, landlord_id, 'LANDLORD', 'EXPIRED', 'setu', $2, now() from agreements where id = $1`,
        [some(n), `new ${n}`],
      ),
    n =>
      pool.query(
        'select count(*) from agreements where landlord_id = (select landlord_id from agreements where id = $1) and is_active',
        [some(n)],
      ),
    n =>
      pool.query(
        `update kyc_requests set updated_at = now() where user_id = (select landlord_id from agreements where id = $1)`,
        [some(n)],
      ),
  ])
  console.log(
    JSON.stringify({
      promise: 'migrations',
      under: 'the older code’s statements and long reports',
      ...figures,
    }),
  )
  expect(failed).toEqual([])
  expect(await halfMade(orm)).toEqual([])
  expect(await tableFiles(orm)).toMatchObject(files) // no table was written anew
  expect(await orm.orm.schema.getUpdateSchemaSQL()).not.toMatch(/alter|create|drop/)
  const {
    rows: [left],
  } = await pool.query(
    `select count(*)::int as n from agreement_signatures where status = 'PENDING' and next_check_at is null`,
  )
  expect(left.n).toBe(0)
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

test(`up with ${AGREEMENTS} agreements under a server that answers fifty requests a second: none fails`, async () => {
  const it = await startTestServer({ env: { RUN_JOBS: 'true' }, poolSize: 20 })
  ended.push(it.end)
  const patient = openDatabase(it.deps.db.url, { limitMs: 600_000 })
  await fillFoundation(patient, AGREEMENTS).finally(() => patient.close())
  const owner = await createLandlord(it.url)
  const tenant = await signInUser(it.url)
  const { agreement, unit, property } = await createDraft(owner, [tenant])
  const orm = openDatabase(it.deps.db.url, {
    migrations: [...migrations, { name: '9999-representative', class: Representative }],
  })
  const fine = async (method: string, path: string, body?: unknown) => {
    const { status } = await owner.call(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`)
  }
  const requests: Parameters<typeof under>[1] = [
    () => fine('GET', '/agreements?limit=20'),
    n => fine('PATCH', `/agreements/${agreement.id}`, { rent_amount: 20_000 + n }),
    () => fine('GET', `/agreements/${agreement.id}`),
    n =>
      fine('POST', '/agreements', {
        property_unit_id: unit.id,
        tenant_ids: [tenant.id],
        document_url: 'https://example.com/lease.pdf',
        agreement_start_date: '2026-12-01',
        tenure_in_months: 11,
        rent_amount: 1 + n,
        rent_due_day: 5,
        notice_period_days: 30,
      }),
    () => fine('GET', '/dashboard'),
    n => fine('PATCH', `/properties/${property.id}/units/${unit.id}`, { unit_notes: `note ${n}` }),
    () => fine('GET', `/agreements/${agreement.id}/timeline`),
    () => fine('GET', '/auth/me'),
  ]
  const quiet = await under(() => Bun.sleep(full ? 10_000 : 500), requests)
  const { failed, figures } = await under(() => migrate(orm).finally(() => orm.close()), requests)
  console.log(
    JSON.stringify({
      promise: 'migrations',
      under: 'requests to a server',
      ...figures,
      without_a_migration: { longest_ms: quiet.figures.longest_ms, p99_ms: quiet.figures.p99_ms },
    }),
  )
  expect(failed).toEqual([])
}, 600_000)

test('each migration down and up again: every row, column and sequence is as before, also what was written meanwhile', async () => {
  const { orm } = await empty()
  await migrate(orm)
  await fillFoundation(orm, Math.min(AGREEMENTS, 20_000))
  await fillLater(orm, 50, 1000)
  const before = await fingerprintRows(orm, ['mikro_orm_migrations'])
  const names = migrations.map(({ name }) => name)
  const took: Record<string, number> = {}
  for (const to of [...names.slice(0, -1).toReversed(), '0']) {
    const began = performance.now()
    expect(await migrate(orm, to)).not.toEqual([])
    await migrate(orm)
    expect(await fingerprintRows(orm, ['mikro_orm_migrations'])).toEqual(before)
    expect(await halfMade(orm)).toEqual([])
    expect(await orm.orm.schema.getUpdateSchemaSQL()).not.toMatch(/alter|create|drop/)
    took[to] = Math.round(performance.now() - began) / 1000
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
  console.log(
    JSON.stringify({
      promise: 'migrations',
      down_and_up_again_s: took,
      agreements: Math.min(AGREEMENTS, 20_000),
    }),
  )
}, 600_000)

test('where several have signed one request the way back is refused before anything has changed', async () => {
  const { orm } = await empty()
  const db = getKysely(orm)
  await migrate(orm)
  await fillFoundation(orm, 100)
  await sql`update agreement_signatures set provider_request_id = agreement_id, provider_signature_id = id`.execute(
    db,
  )
  const before = await fingerprintRows(orm)
  await migrate(orm, '0003-evidence')
  await expect(migrate(orm, '0002-checks')).rejects.toThrow(/unique/)
  await migrate(orm)
  expect({
    ...(await fingerprintRows(orm)),
    mikro_orm_migrations: '',
    mikro_orm_migrations_id_seq: '',
  }).toEqual({
    ...before,
    mikro_orm_migrations: '',
    mikro_orm_migrations_id_seq: '',
  })
})
