import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { canaries, everything, findLeaks } from '../../../server/observability/canaries'
import { startLeakyProvider } from '../../../server/observability/leaky-provider'
import {
  breakTables,
  callFailingProvider,
  createClient,
  createRecords,
  sendEverywhere,
  signIn,
  type Client,
} from '../../../server/observability/leaky-requests'
import { createCertificate } from '../../../support/certificate'
import { freshDatabase } from '../../../support/database'
import { freePort } from '../../../support/process'
import { killServers, startProductionServer, type ProductionServer } from './production-server'

const { tls, authorityFile, remove } = await createCertificate()
const leaky = startLeakyProvider(tls)
const provider = { ...leaky, authorityFile }
afterAll(async () => {
  killServers()
  await leaky.stop()
  await remove()
})

function openSql(database: { url: string; name: string }) {
  return new Bun.SQL({
    path: `${decodeURIComponent(new URL(database.url).searchParams.get('host')!)}/.s.PGSQL.5432`,
    username: 'kiraya',
    database: database.name,
    max: 1,
  })
}
function addPassword(url: string) {
  return url.replace('kiraya@', `kiraya:${canaries['database password']}@`)
}

/** Makes a job fail on such an error; the queue must not store what the error quotes. */
async function breakJob({ send }: Client, sql: Bun.SQL, databaseUrl: string, server: ProductionServer) {
  await sql.unsafe(`create trigger leak before delete on otp_sessions for each row execute function leak()`)
  await sql`update otp_sessions set expire_at = now() - interval '2 days'`
  await send('POST', '/auth/send-otp', { phone_number: canaries['other phone'] })
  await sql`update otp_sessions set expire_at = now() - interval '2 days'`
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: 'jobs',
    supervise: false,
    schedule: false,
    migrate: false,
  })
  boss.on('error', error => expect.unreachable(String(error)))
  await boss.start()
  await boss.send('purge', {})
  await server.waitFor(/A job failed/)
  for (let output = ''; !output; await Bun.sleep(20)) {
    const rows =
      await sql`select output::text as output from jobs.job where name = 'purge' and output is not null`
    output = rows[0]?.output ?? ''
    expect(findLeaks(output)).toEqual([])
  }
  await boss.stop({ graceful: false })
}

async function breakQueue(sql: Bun.SQL, server: ProductionServer) {
  await sql.unsafe('alter table jobs.job rename to gone')
  await server.waitFor(/The job queue had an error|A job failed.*\n[^]*queue/)
}

test('no canary is logged in production, even if everything fails', async () => {
  const database = await freshDatabase()
  const sql = openSql(database)
  const port = freePort()
  const server = startProductionServer(provider, { DATABASE_URL: addPassword(database.url), PORT: port })
  await server.waitFor(/Kiraya listens on/)

  const client = createClient(`http://127.0.0.1:${port}`)
  const secrets = await signIn(client, provider)
  const requests = await createRecords(client, secrets.OTP)
  for (const text of [...Object.values(canaries), secrets.OTP, secrets.token])
    await sendEverywhere(client, text)
  for (const behaviour of provider.behaviours) {
    provider.setBehaviour(behaviour)
    await callFailingProvider(client, requests)
  }
  provider.setBehaviour('normal')
  const tables: { name: string }[] =
    await sql`select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'mikro%'`
  await breakTables(
    client,
    text => sql.unsafe(text),
    requests,
    tables.map(({ name }) => name),
  )
  await breakJob(client, sql, database.url, server)
  await breakQueue(sql, server)
  await server.end('SIGTERM')

  expect(findLeaks(server.output(), secrets)).toEqual([])
  const lines = server.lines().map(line => JSON.parse(line))
  expect(lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(20)
  const frames: string[] = lines.flatMap(({ err }) => err?.at ?? [])
  expect(frames.some(frame => /^server\/\w+\/service\.ts:\d+:\d+$/.test(frame))).toBe(true)
  console.log(
    JSON.stringify({
      promise: 'logs',
      canaries: Object.keys({ ...canaries, ...secrets }).length,
      failures: client.state.requests,
      lines: lines.length,
      errors: lines.filter(({ err }) => err).length,
      leaks: 0,
    }),
  )
  await sql.end()
  await database.drop()
}, 120_000)

async function createHalfMigratedDatabase() {
  const database = await freshDatabase()
  const sql = openSql(database)
  await sql`delete from mikro_orm_migrations where name = '0005-erasure'`
  await sql`drop table agreement_certificates`
  await sql`alter table agreements rename to leases`
  await sql.end()
  return database
}

test('a failed start logs the reason but no password', async () => {
  const startServer = (settings: Record<string, string>) => startProductionServer(provider, settings)
  const unreachableUrl = addPassword('postgresql://kiraya@127.0.0.1:1/kiraya')
  const unreachable = startServer({ DATABASE_URL: unreachableUrl })
  await unreachable.waitFor(/waiting for the database/)
  await unreachable.end('SIGTERM')
  const wrong = startServer({ DATABASE_URL: addPassword('mysql://kiraya@127.0.0.1/kiraya') })
  const weak = startServer({ DATABASE_URL: unreachableUrl, JWT_SECRET: canaries['WhatsApp token'] })
  const database = await createHalfMigratedDatabase()
  const half = startServer({ DATABASE_URL: addPassword(database.url) })
  expect([await wrong.end(), await weak.end(), await half.end()]).toEqual([1, 1, 1])
  expect([wrong, weak, half].map(server => server.lines().at(-1))).toEqual([
    expect.stringContaining('DATABASE_URL must be'),
    expect.stringContaining('JWT_SECRET must be'),
    expect.stringContaining('42P01'),
  ])
  expect([unreachable, wrong, weak, half].flatMap(({ output }) => findLeaks(output()))).toEqual([])
  await database.drop()
}, 60_000)

test('an unhandled rejection is logged without canaries; an exception shuts the server down gracefully', async () => {
  const database = await freshDatabase()
  const server = startProductionServer(
    provider,
    { DATABASE_URL: database.url, LEAK: everything },
    '--preload',
    join(import.meta.dir, 'rejecting.ts'),
  )
  await server.waitFor(/Kiraya listens on/)
  expect(await server.end('SIGUSR2')).toBe(1)
  expect(findLeaks(server.output())).toEqual([])
  const lines = server.lines().map(line => JSON.parse(line))
  const rejections = lines.filter(({ msg }) => msg === 'Unhandled promise rejection')
  expect(rejections.map(({ err }) => err.type)).toEqual(['Error', 'string'])
  expect(lines.filter(({ level }) => level === 'fatal')).toMatchObject([
    { err: { type: 'AggregateError', cause: { type: 'TypeError' } } },
  ])
  expect(lines.at(-1).msg).toBe('Stopped')
  await database.drop()
}, 60_000)
