import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { freePort } from '../../support/process'
import { freshDatabase } from '../../support/database'
import { sendRequest, agreementTerms } from '../../support/users'
import { signWebhook } from '../../../server/providers/signing/setu/signature'
import { startLeakyProvider } from './leaky-provider'
import {
  aadhaar,
  canaries,
  everything,
  findLeaks,
  killServers,
  startProductionServer,
  type ProductionServer,
} from './production-server'

const {
  phone,
  'other phone': other,
  'first name': first_name,
  'last name': last_name,
  'e-mail': email,
  password,
} = canaries
const provider = await startLeakyProvider()
afterAll(() => {
  killServers()
  return provider.stop()
})

type Request = [method: string, path: string, body?: unknown]
type Client = ReturnType<typeof createClient>
function createClient(url: string) {
  const state = { token: '', requests: 0 }
  const send = async (...[method, path, body, headers]: [...Request, headers?: Record<string, string>]) => {
    state.requests++
    return sendRequest(url, method, path, {
      body,
      token: state.token || undefined,
      headers: {
        'idempotency-key': `${canaries['Idempotency-Key']}-${state.requests}`,
        'x-forwarded-for': everything,
        'user-agent': everything,
        ...headers,
      },
    })
  }
  return { send, state }
}
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

async function signIn({ send, state }: Client) {
  await send('POST', '/auth/send-otp', { phone_number: phone })
  const otp = provider.getLastOtp()
  const { body } = await send('POST', '/auth/verify', { phone_number: phone, otp })
  state.token = body.data.access_token
  await send('PUT', '/profile/complete', { first_name, last_name, email, password })
  await send('POST', '/auth/login', { phone_number: phone, password: `${password}x` })
  return { OTP: otp, token: state.token, 'signature of the token': state.token.split('.')[2]! }
}

/** Creates one of each record; returns requests that use them. */
async function createRecords({ send }: Client, otp: string): Promise<Request[]> {
  const property = (
    await send('POST', '/properties', {
      pin_code: 560048,
      property_type: 'pg',
      alias_name: canaries['free text'],
      property_units: [{ unit_name: canaries['free text'] }],
    })
  ).body.data
  const unit = property.property_units[0]
  const tenant = (await send('POST', '/tenants', { phone_number: other, first_name, last_name })).body.data
  const terms = agreementTerms(unit.id, [tenant.id], {
    document_url: `https://example.com/${phone}`,
    additional_policies: canaries['free text'],
  })
  const agreement = (await send('POST', '/agreements', terms)).body.data
  const flexi_options = { template_variables: { name: everything } }
  return [
    ['POST', '/auth/send-otp', { phone_number: phone }],
    ['POST', '/auth/verify', { phone_number: phone, otp }],
    ['GET', '/auth/me'],
    ['PUT', '/profile/complete', { first_name, last_name, email }],
    ['POST', '/profile/ekyc', {}],
    ['POST', '/properties', { pin_code: 560048, property_type: 'pg', alias_name: everything.slice(0, 200) }],
    ['PATCH', `/properties/${property.id}/units/${unit.id}`, { unit_notes: everything }],
    ['POST', '/tenants', { phone_number: other, first_name, last_name }],
    ['PATCH', `/agreements/${agreement.id}`, { improvements: everything }],
    ['POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id, flexi_options }],
    ['GET', '/dashboard'],
    ['GET', '/tenants'],
  ]
}

/** Sends the text in paths, queries, bodies and headers. */
async function sendEverywhere({ send }: Client, text: string) {
  const encoded = encodeURIComponent(text)
  for (const path of [
    `/${encoded}`,
    `/agreements/${encoded}`,
    `/properties/${encoded}/units/${encoded}`,
    `/health/ready?x=${encoded}`,
    `/properties?sort=${encoded}`,
  ])
    await send('GET', path)
  await send('POST', '/auth/verify', { phone_number: text, otp: text, [text]: text })
  await send('POST', '/auth/login', `{"phone_number": "${text}`)
  await send('POST', '/webhooks/esign', `{"event":"${text}"}`, { 'x-setu-signature': text })
  await send('GET', '/operations/jobs', undefined, { authorization: `Bearer ${text}` })
}

async function callFailingProvider({ send }: Client, requests: Request[]) {
  for (const request of requests.filter(([, path]) => /send-otp|ekyc|sign$/.test(path)))
    await send(...request)
  const signers = [{ id: everything, identifier: phone, errCode: everything }]
  const esign = { id: phone, documentId: everything, status: everything, signers }
  const payload = JSON.stringify({ event: 'ESIGN_COMPLETE', data: { esign } })
  await send('POST', '/webhooks/esign', payload, {
    'x-setu-signature': signWebhook(payload, canaries['webhook secret']),
  })
  await send('POST', '/webhooks/ekyc', {
    event: 'EKYC_DATA',
    data: { id: `check-${phone}`, aadhaar, xml: canaries.XML },
  })
}

/** Makes every table fail with errors that quote the row; then some tables are missing. */
async function breakTables({ send }: Client, sql: Bun.SQL, requests: Request[]) {
  await sql.unsafe(`create function leak() returns trigger language plpgsql as $f$ begin
    raise exception using message = coalesce(new, old)::text || $m$ ${everything} $m$, detail = 'Key (phone)=(' || coalesce(new, old)::text || ')', hint = $m$${everything}$m$, errcode = case when random() < 0.5 then '23505' else 'P0001' end; end $f$`)
  const tables: { tablename: string }[] =
    await sql`select tablename from pg_tables where schemaname = 'public' and tablename not like 'mikro%'`
  for (const { tablename } of tables) {
    await sql.unsafe(
      `create trigger leak before insert or update or delete on "${tablename}" for each row execute function leak()`,
    )
    for (const request of requests) await send(...request)
    await sql.unsafe(`drop trigger leak on "${tablename}"`)
  }
  for (const table of ['users', 'activities', 'tenant_contacts']) {
    await sql.unsafe(`alter table "${table}" rename to gone`)
    await send('POST', '/auth/login', { phone_number: phone, password })
    for (const request of requests) await send(...request)
    await sql.unsafe(`alter table gone rename to "${table}"`)
  }
}

/** Makes a job fail on such an error; the queue must not store what the error quotes. */
async function breakJob({ send }: Client, sql: Bun.SQL, databaseUrl: string, server: ProductionServer) {
  await sql.unsafe(`create trigger leak before delete on otp_sessions for each row execute function leak()`)
  await sql`update otp_sessions set expire_at = now() - interval '2 days'`
  await send('POST', '/auth/send-otp', { phone_number: other })
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
  const secrets = await signIn(client)
  const requests = await createRecords(client, secrets.OTP)
  for (const text of [...Object.values(canaries), secrets.OTP, secrets.token])
    await sendEverywhere(client, text)
  for (const behaviour of provider.behaviours) {
    provider.setBehaviour(behaviour)
    await callFailingProvider(client, requests)
  }
  provider.setBehaviour('normal')
  await breakTables(client, sql, requests)
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
