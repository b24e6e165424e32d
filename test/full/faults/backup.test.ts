import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { dump } from '../../../db/backup/dump'
import { migrate } from '../../../db/migrate'
import { migrations } from '../../../db/migrations'
import { openDatabase, getKysely, type Database } from '../../../db/database'
import { restore } from '../../../db/backup/restore'
import { freshDatabase } from '../../support/database'
import {
  createDraft,
  createLandlord,
  completeSigning,
  signInUser,
  agreementTerms,
  atServer,
  type TestUser,
} from '../../support/users'
import { fillFoundation, fillLater, fingerprintRows } from '../../support/seed-rows'
import { startTestServer } from '../../support/server'
import { restoreToNewCluster, root, runProgram, startServerOn } from './restored-cluster'
import { isFull, report, roundTo } from '../../support/round'

const AGREEMENTS = isFull ? 100_000 : 500
const DOCUMENTS = isFull ? 40 : 3
const DOCUMENT_BYTES = isFull ? 10 * 2 ** 20 : 1_000_000
const ended: (() => Promise<unknown>)[] = []
const folder = await mkdtemp(join(tmpdir(), 'kiraya-backup-'))
afterAll(async () => {
  for (const end of ended.toReversed()) await end()
  await rm(folder, { recursive: true, force: true })
})

async function dumpWithProgram(databaseUrl: string, file: string) {
  const run = await runProgram(['server/process/backup.ts', 'dump', file], { DATABASE_URL: databaseUrl })
  expect(run).toMatchObject({ status: 0, errors: '' })
  return run
}
async function createDatabase(options?: { migrated: boolean }) {
  const created = await freshDatabase(options)
  const orm = openDatabase(created.url, { limitMs: 600_000 })
  ended.push(created.drop, () => orm.close())
  return { ...created, orm }
}
function parseSeconds(out: string) {
  return Number(/ in ([\d.]+) s/.exec(out)?.[1])
}
function getRefusal(work: Promise<unknown>) {
  return work.then(
    () => 'none',
    error => String(error.message),
  )
}

/** Creates and changes agreements until the end; returns the number of writes. */
function startWriting(owner: TestUser, tenant: TestUser, unit: { id: number }) {
  let isBusy = true
  let writes = 0
  const writing = (async () => {
    for (; isBusy; writes++) {
      const terms = agreementTerms(unit.id, [tenant.id])
      const { data } = (await owner.call('POST', '/agreements', terms)).body
      const { status } = await owner.call('PATCH', `/agreements/${data.id}`, { rent_amount: 1 + writes })
      if (status !== 200) throw new Error('A request failed during the dump')
    }
  })()
  return async () => {
    isBusy = false
    await writing
    return writes
  }
}

/** A dump of one moment refers to nothing that was created later. */
async function expectConsistentDump(file: string) {
  const { url, orm } = await createDatabase({ migrated: false })
  await restore(url, file)
  const { rows } = await sql<{ count: number }>`select count(*) as count from agreements a
    where timeline_length <> (select count(*) from agreement_events e where e.agreement_id = a.id)
    or not exists (select from agreement_tenants t where t.agreement_id = a.id)`.execute(getKysely(orm))
  expect(rows[0]!.count).toBe(0)
}

async function expectStoredDocument(orm: Database, agreementId: number) {
  const countDocuments = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from signed_documents
      where agreement_id = ${agreementId}`.execute(getKysely(orm))
    return rows[0]!.count
  }
  const boss = new PgBoss({
    schema: 'jobs',
    supervise: false,
    schedule: false,
    migrate: false,
    connectionString: orm.url,
  })
  await boss.start()
  for (let tries = 0; tries < 60 && !(await countDocuments()); tries++) {
    // The server's schedule starts this job only once a minute.
    await boss.send('keep-documents', {})
    await Bun.sleep(500)
  }
  await boss.stop({ graceful: false })
  expect(await countDocuments()).toBeGreaterThan(0)
}

test('a dump of a server under load restores every row into an empty cluster, and the users continue there', async () => {
  const source = await startTestServer()
  ended.push(source.end)
  const { url } = source.deps.db
  const patient = openDatabase(url, { limitMs: 600_000 })
  await fillFoundation(patient, AGREEMENTS)
  await fillLater(patient, DOCUMENTS, DOCUMENT_BYTES)
  const owner = await createLandlord(source.url)
  const tenant = await signInUser(source.url)
  const { agreement, unit } = await createDraft(owner, [tenant])
  await completeSigning(owner, agreement.id, owner.id)

  const file = join(folder, 'kiraya.gz')
  const underLoad = join(folder, 'busy.gz')
  const endWriting = startWriting(owner, tenant, unit)
  await dumpWithProgram(url, underLoad)
  const writes = await endWriting()
  const dumped = await dumpWithProgram(url, file)
  const before = await fingerprintRows(patient)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await patient.close()
  await expectConsistentDump(underLoad)

  const dataDir = join(folder, 'elsewhere')
  const { restored, orm, end } = await restoreToNewCluster(file, dataDir)
  ended.push(end)
  expect(restored).toMatchObject({ status: 0, errors: '' })
  expect(await fingerprintRows(orm)).toEqual(before)
  expect(await orm.orm.schema.getUpdateSchemaSQL()).not.toMatch(/alter|create|drop/)

  // The users continue with their tokens; the jobs run on a new queue.
  const server = await startServerOn(dataDir)
  ended.push(server.end)
  const newOwner = atServer(server.url, owner)
  const path = `/agreements/${agreement.id}`
  const signing = await completeSigning(atServer(server.url, tenant), agreement.id, tenant.id)
  expect(signing.pressed).toBe(200)
  expect((await newOwner.call('GET', path)).body.data.status).toBe('ACTIVE')
  expect((await newOwner.call('GET', `${path}/timeline`)).body.data).toMatchObject({ intact: true })
  const next = await createDraft(newOwner, [tenant])
  expect(next.agreement.id).toBeGreaterThan(agreement.id)
  await expectStoredDocument(orm, agreement.id)
  expect((await newOwner.call('GET', `${path}/document`)).status).toBe(200)
  report('backup', {
    agreements: AGREEMENTS,
    rows: Number(/ (\d+) rows/.exec(dumped.out)![1]),
    file_mb: roundTo((await stat(file)).size / 1e6),
    writes_meanwhile: writes,
    dump_s: parseSeconds(dumped.out),
    dump_memory_mb: dumped.memoryMb,
    restore_s: parseSeconds(restored.out),
    restore_memory_mb: restored.memoryMb,
  })
}, 900_000)

test('a restore is complete or does nothing: existing rows, a newer version, truncation and changes are refused', async () => {
  const from = await createDatabase()
  const file = join(folder, 'small.gz')
  await fillFoundation(from.orm, 20)
  await fillLater(from.orm, 2, 200_000)
  await dump(from.url, file)
  const text = gunzipSync(await readFile(file)).toString('latin1')
  const broken = join(folder, 'broken.gz')
  const writeBroken = async (content: string) => {
    await writeFile(broken, gzipSync(Buffer.from(content, 'latin1')))
    return broken
  }
  const to = await createDatabase({ migrated: false })
  const expectEmpty = async () => {
    const fingerprints = Object.values(await fingerprintRows(to.orm, ['mikro_orm_migrations']))
    expect(fingerprints.filter(text => /^[1-9]/.test(text))).toEqual([])
  }

  expect(await getRefusal(restore(from.url, file))).toMatch(/not empty/)
  expect(
    await getRefusal(restore(to.url, await writeBroken(text.replace('0004-idempotency', '9999-unknown')))),
  ).toMatch(/another version/)
  for (const [content, why] of [
    [text.slice(0, text.length >> 1), /cut off/],
    [text.slice(0, text.lastIndexOf('-- ')), /cut off/],
    [text.replace('Tower 1\t', 'Tower 2\t'), /damaged in properties/],
    [
      text.replace(/\n[^\n]+\n\\\.\n-- \{"table":"activities"/, '\n\\.\n-- {"table":"activities"'),
      /damaged in activities/,
    ],
    [text.replace(/COPY "activities"[^]*?-- \{"table":"activities"[^\n]+\n/, ''), /missing/],
    [`${text}more\n`, /something follows/],
    [text.replace('COPY "activities"', 'DELETE FROM "activities"'), /damaged at/],
  ] as const) {
    expect(content).not.toBe(text)
    expect(await getRefusal(restore(to.url, await writeBroken(content)))).toMatch(why)
    await expectEmpty()
  }
  await writeFile(broken, (await readFile(file)).subarray(0, -500))
  expect(await getRefusal(restore(to.url, broken))).not.toBe('none')
  await expectEmpty()

  await restore(to.url, file)
  expect(await fingerprintRows(to.orm)).toEqual(await fingerprintRows(from.orm))
  expect(await getRefusal(dump(from.url, join(folder, 'no such', 'folder')))).toMatch(/ENOENT/)
})

async function waitForBlockedDump(db: ReturnType<typeof getKysely>) {
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await sql`select 1 from pg_stat_activity where application_name = 'kiraya dump'
      and datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length) return
    await Bun.sleep(25)
  }
}

test('a dump is a snapshot of one moment, even if rows are written between two tables', async () => {
  const from = await createDatabase()
  const to = await createDatabase({ migrated: false })
  const file = join(folder, 'moment.gz')
  const db = getKysely(from.orm)
  await fillFoundation(from.orm, 20)
  await fillLater(from.orm, 2, 1000)
  const before = await fingerprintRows(from.orm)
  const { promise: dumped, resolve, reject } = Promise.withResolvers<void>()
  // The dump waits for a locked table, while rows are added to a table before it and a table after it.
  await from.orm.em.fork().transactional(async tx => {
    await sql`lock table agreement_events in access exclusive mode`.execute(getKysely(tx))
    void dump(from.url, file).then(() => resolve(), reject)
    await waitForBlockedDump(db)
    await sql`with fresh as (insert into agreements (agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days)
      select 'later', document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days from agreements limit 1 returning id)
      insert into agreement_tenants (agreement_id, tenant_id) select fresh.id, (select max(id) from users) from fresh`.execute(
      getKysely(tx),
    )
  })
  await dumped
  await restore(to.url, file)
  const after = await fingerprintRows(to.orm)
  const filterRows = (all: Record<string, string>) =>
    Object.entries(all).filter(([, text]) => text.includes('rows'))
  expect(filterRows(after)).toEqual(filterRows(before))
})

test('a dump of an older version can be restored and migrated', async () => {
  const from = await createDatabase({ migrated: false })
  const to = await createDatabase({ migrated: false })
  const file = join(folder, 'older.gz')
  await migrate(from.orm, migrations[1]!.name)
  await fillFoundation(from.orm, 50)
  await dump(from.url, file)
  await restore(to.url, file)
  expect(await fingerprintRows(to.orm)).toEqual(await fingerprintRows(from.orm))
  expect(await migrate(to.orm)).toEqual(migrations.slice(2).map(({ name }) => name))
})

// Tests that count all rows of a table are left out: a restored table has other rows too.
const suite = [
  'walk.test.ts',
  'agreements',
  'auth/sessions',
  'auth/verify',
  'dashboard',
  'http/idempotency',
  'operations',
  'profile/complete',
  'properties',
  'tenants',
  'units',
  'webhooks/esign',
]
test.skipIf(!isFull)(
  `the tests of ${suite.join(', ')} pass on databases that were restored from a dump`,
  async () => {
    const { status, errors } = await runProgram(
      ['test', '--timeout=60000', '--parallel', ...suite.map(each => `test/server/${each}`)],
      { TEMPLATE: 'restored', DATA_DIR: process.env.DATA_DIR ?? `${root}/.data` },
    )
    const failures = errors.split('\n').filter(line => /^\(fail|^error|pass$|fail$/.test(line.trim()))
    if (status) console.log(failures.join('\n'))
    else report('backup', { suite_on_a_restored_database: Number(/(\d+) pass/.exec(errors)?.[1]) })
    expect(status).toBe(0)
  },
  900_000,
)
