import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { dump } from '../../db/backup/dump'
import { startPostgres } from '../../db/embedded-postgres'
import { migrate } from '../../db/migrate'
import { migrations } from '../../db/migrations'
import { openDatabase, getKysely } from '../../db/database'
import { restore } from '../../db/backup/restore'
import { freshDatabase } from '../support/database'
import {
  createDraft,
  createLandlord,
  completeSigning,
  signInUser,
  agreementTerms,
  atServer,
} from '../support/users'
import { fillFoundation, fillLater, fingerprintRows } from '../support/seed-rows'
import { startTestServer } from '../support/server'

/** `FAULTS=full` for the whole run: a large database, and the suite on a database that was restored. */
const full = process.env.FAULTS === 'full'
const AGREEMENTS = full ? 100_000 : 500
const DOCUMENTS = full ? 40 : 3
const DOCUMENT = full ? 10 * 2 ** 20 : 1_000_000
const root = join(import.meta.dir, '../..')
const ended: (() => Promise<unknown>)[] = []
const folder = await mkdtemp(join(tmpdir(), 'kiraya-backup-'))
afterAll(async () => {
  for (const end of ended.toReversed()) await end()
  await rm(folder, { recursive: true, force: true })
})

/** A program of ours, to its end. */
async function program(args: string[], env: Record<string, string>) {
  const run = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, said] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  return { status: await run.exited, out, said, mb: Math.round((run.resourceUsage()?.maxRSS ?? 0) / 1e6) }
}
async function database(options?: { migrated: boolean }) {
  const made = await freshDatabase(options)
  const orm = openDatabase(made.url, { limitMs: 600_000 })
  ended.push(made.drop, () => orm.close())
  return { ...made, orm }
}
const seconds = (out: string) => Number(/ in ([\d.]+) s/.exec(out)?.[1])
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    error => String(error.message),
  )

test('what is dumped under a working server and restored into an empty cluster is the same row for row, and is served on', async () => {
  const JWT_SECRET = 'a secret that only the tests know, of more than 32 bytes'
  const it = await startTestServer()
  ended.push(it.end)
  const url = it.deps.db.url
  const patient = openDatabase(url, { limitMs: 600_000 })
  await fillFoundation(patient, AGREEMENTS)
  await fillLater(patient, DOCUMENTS, DOCUMENT)
  const owner = await createLandlord(it.url)
  const tenant = await signInUser(it.url)
  const { agreement, unit } = await createDraft(owner, [tenant])
  await completeSigning(owner, agreement.id, owner.id)

  // It is used while it is dumped, then compared when it is quiet.
  let busy = true
  let writes = 0
  const using = (async () => {
    for (; busy; writes++)
      if (
        (
          await owner.call(
            'PATCH',
            `/agreements/${(await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))).body.data.id}`,
            { rent_amount: 1 + writes },
          )
        ).status !== 200
      )
        throw new Error('A request failed during the dump')
  })()
  const file = join(folder, 'kiraya.gz')
  const underLoad = join(folder, 'busy.gz')
  expect(await program(['server/process/backup.ts', 'dump', underLoad], { DATABASE_URL: url })).toMatchObject(
    {
      status: 0,
      said: '',
    },
  )
  busy = false
  await using
  const dumped = await program(['server/process/backup.ts', 'dump', file], { DATABASE_URL: url })
  const before = await fingerprintRows(patient)
  expect(dumped).toMatchObject({ status: 0, said: '' })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await patient.close()

  // What was dumped in the middle of the writing is of one moment: nothing refers to what came later.
  const middle = await database({ migrated: false })
  await restore(middle.url, underLoad)
  const {
    rows: [torn],
  } = await sql<{
    n: number
  }>`select count(*) as n from agreements a where timeline_length <> (select count(*) from agreement_events e where e.agreement_id = a.id) or not exists (select from agreement_tenants t where t.agreement_id = a.id)`.execute(
    getKysely(middle.orm),
  )
  expect(torn!.n).toBe(0)

  const DATA_DIR = join(folder, 'elsewhere')
  const restored = await program(['server/process/backup.ts', 'restore', file], { DATA_DIR })
  expect(restored).toMatchObject({ status: 0, said: '' })
  const cluster = await startPostgres(DATA_DIR)
  const orm = openDatabase(cluster.url, { limitMs: 600_000 })
  ended.push(
    async () => {
      await cluster.release()
      const home = await readFile(join(DATA_DIR, 'postgresql-is-in'), 'utf8').then(
        text => text.trim(),
        () => undefined,
      )
      if (home) await rm(home, { recursive: true, force: true })
    },
    () => orm.close(),
  )
  expect(await fingerprintRows(orm)).toEqual(before)
  expect(await orm.orm.schema.getUpdateSchemaSQL()).not.toMatch(/alter|create|drop/)

  // The same people go on there with the tokens that they have; the jobs run on a queue of their own.
  const server = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR,
      PORT: '0',
      HOST: '127.0.0.1',
      JWT_SECRET,
      OPS_TOKEN: 'operator',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  ended.push(async () => (server.kill('SIGTERM'), server.exited))
  let output = ''
  for await (const chunk of server.stdout.pipeThrough(new TextDecoderStream()))
    if (/Kiraya listens on (\S+?)"/.test((output += chunk))) break
  const there = /Kiraya listens on (\S+?)"/.exec(output)![1]!
  const asOwner = atServer(there, owner)
  const asTenant = atServer(there, tenant)
  expect((await completeSigning(asTenant, agreement.id, tenant.id)).pressed).toBe(200)
  expect((await asOwner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('ACTIVE')
  expect((await asOwner.call('GET', `/agreements/${agreement.id}/timeline`)).body.data).toMatchObject({
    intact: true,
  })
  const next = await createDraft(asOwner, [tenant])
  expect(next.agreement.id).toBeGreaterThan(agreement.id)
  const kept = async () =>
    (
      await sql<{
        n: number
      }>`select count(*) as n from signed_documents where agreement_id = ${agreement.id}`.execute(
        getKysely(orm),
      )
    ).rows[0]!.n
  const boss = new PgBoss({
    schema: 'jobs',
    supervise: false,
    schedule: false,
    migrate: false,
    connectionString: orm.url,
  })
  await boss.start()
  for (let tries = 0; tries < 60 && !(await kept()); tries++) {
    await boss.send('keep-documents', {}) // which the server's schedule asks for once a minute
    await Bun.sleep(500)
  }
  await boss.stop({ graceful: false })
  expect(await kept()).toBeGreaterThan(0)
  expect((await asOwner.call('GET', `/agreements/${agreement.id}/document`)).status).toBe(200)
  console.log(
    JSON.stringify({
      promise: 'backup',
      agreements: AGREEMENTS,
      rows: Number(/ (\d+) rows/.exec(dumped.out)![1]),
      file_mb: Math.round((await stat(file)).size / 1e5) / 10,
      writes_meanwhile: writes,
      dump_s: seconds(dumped.out),
      dump_memory_mb: dumped.mb,
      restore_s: seconds(restored.out),
      restore_memory_mb: restored.mb,
    }),
  )
}, 900_000)

test('it is restored wholly or not at all: not over rows, not of a newer version, not cut off, not changed', async () => {
  const from = await database()
  const file = join(folder, 'small.gz')
  await fillFoundation(from.orm, 20)
  await fillLater(from.orm, 2, 200_000)
  await dump(from.url, file)
  const text = gunzipSync(await readFile(file)).toString('latin1')
  const broken = join(folder, 'broken.gz')
  const saying = async (content: string) => (
    await writeFile(broken, gzipSync(Buffer.from(content, 'latin1'))),
    broken
  )
  const to = await database({ migrated: false })
  const nothing = async () =>
    Object.values(await fingerprintRows(to.orm, ['mikro_orm_migrations'])).filter(told => /^[1-9]/.test(told))

  expect(await refusal(restore(from.url, file))).toMatch(/not empty/)
  expect(
    await refusal(restore(to.url, await saying(text.replace('0004-idempotency', '9999-unknown')))),
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
    expect(await refusal(restore(to.url, await saying(content)))).toMatch(why)
    expect(await nothing()).toEqual([])
  }
  await writeFile(broken, (await readFile(file)).subarray(0, -500))
  expect(await refusal(restore(to.url, broken))).not.toBe('none')
  expect(await nothing()).toEqual([])

  await restore(to.url, file)
  expect(await fingerprintRows(to.orm)).toEqual(await fingerprintRows(from.orm))
  expect(await refusal(dump(from.url, join(folder, 'no such', 'folder')))).toMatch(/ENOENT/)
})

test('a dump is of one moment, whatever is written while it goes from table to table', async () => {
  const from = await database()
  const to = await database({ migrated: false })
  const file = join(folder, 'moment.gz')
  const db = getKysely(from.orm)
  await fillFoundation(from.orm, 20)
  await fillLater(from.orm, 2, 1000)
  const before = await fingerprintRows(from.orm)
  const held = Promise.withResolvers<void>()
  let dumping: Promise<unknown> | undefined
  // It waits for a table between two others: that which it has copied is given a new row, and so is that which is to come, with a reference to it.
  await from.orm.em.fork().transactional(async tx => {
    await sql`lock table agreement_events in access exclusive mode`.execute(getKysely(tx))
    dumping = dump(from.url, file).finally(held.resolve)
    for (
      let tries = 0;
      tries < 200 &&
      !(
        await sql`select 1 from pg_stat_activity where application_name = 'kiraya dump' and datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
      ).rows.length;
      tries++
    )
      await Bun.sleep(25)
    await sql`with fresh as (insert into agreements (agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days)
      select 'later', document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days from agreements limit 1 returning id)
      insert into agreement_tenants (agreement_id, tenant_id) select fresh.id, (select max(id) from users) from fresh`.execute(
      getKysely(tx),
    )
  })
  await held.promise
  await dumping
  await restore(to.url, file)
  const after = await fingerprintRows(to.orm)
  const rows = (all: Record<string, string>) =>
    Object.entries(all).filter(([, told]) => told.includes('rows'))
  expect(rows(after)).toEqual(rows(before))
})

test('a dump of an older version is restored and brought up to date', async () => {
  const from = await database({ migrated: false })
  const to = await database({ migrated: false })
  const file = join(folder, 'older.gz')
  await migrate(from.orm, migrations[1]!.name)
  await fillFoundation(from.orm, 50)
  await dump(from.url, file)
  await restore(to.url, file)
  expect(await fingerprintRows(to.orm)).toEqual(await fingerprintRows(from.orm))
  expect(await migrate(to.orm)).toEqual(migrations.slice(2).map(({ name }) => name))
})

// Without those that count all the rows of a table: a restored one holds more than their own.
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
test.skipIf(!full)(
  `the tests of ${suite.join(', ')} pass on databases that were restored from a dump`,
  async () => {
    const { status, said } = await program(
      ['test', '--timeout=60000', '--parallel', ...suite.map(each => `test/server/${each}`)],
      { TEMPLATE: 'restored', DATA_DIR: process.env.DATA_DIR ?? `${root}/.data` },
    )
    if (status)
      console.log(
        said
          .split('\n')
          .filter(told => /^\(fail|^error|pass$|fail$/.test(told.trim()))
          .join('\n'),
      )
    else
      console.log(
        JSON.stringify({
          promise: 'backup',
          suite_on_a_restored_database: Number(/(\d+) pass/.exec(said)?.[1]),
        }),
      )
    expect(status).toBe(0)
  },
  900_000,
)
