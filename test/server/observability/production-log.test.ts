import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { freshDatabase } from '../../support/database'
import { sendRequest, agreementTerms } from '../../support/users'
import { signWebhook } from '../../../server/providers/signing/setu/signature'

const root = join(import.meta.dir, '../../..')
/** What must be in no line; each is to be known again wherever it turns up. */
const canaries = {
  phone: '9871203465',
  'other phone': '8612309745',
  'first name': 'Zebulonqx',
  'last name': 'Quandaryvz',
  'e-mail': 'zq.canary@example.com',
  password: 'passcanary-kx93jd-long',
  Aadhaar: '734512908867',
  'Aadhaar in groups': '7345 1290 8867',
  photo: 'PHOTOCANARYbase64',
  XML: '<KycCanary',
  birthday: '17-03-1971',
  'WhatsApp token': 'wa-canary-token',
  'MSG91 key': 'msg91-canary-key',
  'e-sign secret': 'esign-canary-secret',
  'eKYC secret': 'ekyc-canary-secret',
  'webhook secret': 'wq8Z0vNf3m1TtYb7rPzGk2dLx5sHcJ9uWb',
  'JWT secret': 'Gd4kV7nXw2QpLs9ZtRb6yMf1hJc8uE3aJw',
  'operations token': '5fT0qYc9WmK3xRb8Zs1LpHv6NdJg2UeA7iOp',
  'Idempotency-Key': 'idem-canary-key',
  'database password': 'db-canary-password',
  'free text': 'freetextcanary',
}
const {
  phone,
  'other phone': other,
  'first name': first_name,
  'last name': last_name,
  'e-mail': email,
  password,
} = canaries
const everything = Object.values(canaries).join(' | ')
const aadhaar = {
  name: `${first_name} ${last_name}`,
  dateOfBirth: canaries.birthday,
  photo: canaries.photo,
  aadhaarNumber: canaries.Aadhaar,
}

/** All providers in one, which quote what they are asked and all that they know whatever they answer. */
let manner = 'fine'
let sent = ''
const manners: Record<string, (asked: string, path: string) => Response | Promise<Response>> = {
  fine: (asked, path) =>
    path.includes('messages')
      ? Response.json({ messages: [{ id: phone }] })
      : path.startsWith('/api/ekyc')
        ? Response.json(
            {
              id: `check-${phone}`,
              status: path.endsWith('/') ? 'CREATED' : 'SUCCESS',
              kycURL: `https://kyc.example.com/${phone}`,
              data: { aadhaar, xml: canaries.XML },
            },
            { status: path.endsWith('/') ? 201 : 200 },
          )
        : Response.json({
            id: path.split('/')[3] || `${phone}-${crypto.randomUUID()}`,
            status: 'sign_pending',
            signers: [
              {
                id: crypto.randomUUID(),
                identifier: phone,
                displayName: first_name,
                url: `https://sign.example.com/${phone}`,
                status: 'pending',
                errCode: null,
              },
            ],
          }),
  '400 with all that it knows': asked =>
    Response.json(
      { error: { message: `${asked} ${everything}`, code: 100, errCode: everything }, errorMsg: everything },
      { status: 400 },
    ),
  '401 as text': asked => new Response(`${asked} ${everything}`, { status: 401 }),
  '500 as HTML': asked =>
    new Response(`<h1>${asked} ${everything}</h1>`, {
      status: 500,
      headers: { 'content-type': 'text/html', 'x-why': everything },
    }),
  'no JSON': asked =>
    new Response(`${everything}{"${asked}`, { headers: { 'content-type': 'application/json' } }),
  'another shape': asked =>
    Response.json({
      [everything]: asked,
      id: { [everything]: everything },
      messages: everything,
      status: everything,
      signers: [everything],
    }),
  'a status of its own': () =>
    Response.json({
      id: everything.slice(0, 200),
      status: everything,
      kycURL: everything,
      messages: [],
      signers: [{ status: everything, errCode: everything }],
    }),
  'a redirect to itself': (_, path) => Response.redirect(`${path}?${encodeURIComponent(everything)}`, 302),
  'no answer': () => Bun.sleep(1500).then(() => new Response()),
}
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    const body = await request.text()
    const { pathname } = new URL(request.url)
    if (pathname.includes('messages')) sent = /"text":"(\d{6})"/.exec(body)?.[1] ?? sent
    return manners[manner]!(`${body} ${JSON.stringify([...request.headers])}`, pathname)
  },
})
const url = `http://127.0.0.1:${provider.port}`
const env = {
  NODE_ENV: 'production',
  PORT: '0',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://api.example.com',
  LOG_LEVEL: 'debug',
  MESSAGE_CHANNELS: 'whatsapp,sms',
  PROVIDER_RETRIES: '0',
  PROVIDER_TIMEOUT_MS: '500',
  PROVIDER_TOTAL_TIMEOUT_MS: '1000',
  PROVIDER_BREAKER_FAILURES: '1000',
  JWT_SECRET: canaries['JWT secret'],
  OPS_TOKEN: canaries['operations token'],
  WHATSAPP_API_URL: `${url}/v23.0`,
  WHATSAPP_PHONE_NUMBER_ID: '1060123',
  WHATSAPP_ACCESS_TOKEN: canaries['WhatsApp token'],
  MSG91_API_URL: url,
  MSG91_AUTH_KEY: canaries['MSG91 key'],
  MSG91_TEMPLATE_ID: 't',
  ESIGN_API_URL: url,
  ESIGN_CLIENT_ID: 'i',
  ESIGN_CLIENT_SECRET: canaries['e-sign secret'],
  ESIGN_PRODUCT_INSTANCE_ID: 'p',
  ESIGN_WEBHOOK_SECRET: canaries['webhook secret'],
  EKYC_API_URL: url,
  EKYC_CLIENT_ID: 'i',
  EKYC_CLIENT_SECRET: canaries['eKYC secret'],
  EKYC_PRODUCT_INSTANCE_ID: 'p',
  OTP_LIMIT_PER_NETWORK: '1000',
  OTP_LIMIT_PER_PHONE: '1000',
  OTP_LIMIT_PER_ADDRESS: '1000',
  TENANT_LIMIT_PER_LANDLORD: '1000',
  LOGIN_LIMIT_PER_NETWORK: '1000',
  LOGIN_LIMIT_PER_PHONE: '1000',
}
const children = new Set<Bun.Subprocess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  return provider.stop(true)
})

/** The server as it runs in production, and all that it writes, be it its log or the runtime. */
function start(more: Record<string, string>, ...flags: string[]) {
  const child = Bun.spawn([process.execPath, ...flags, 'server/index.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, ...more },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  children.add(child)
  let output = ''
  const read = Promise.all(
    [child.stdout, child.stderr].map(async stream => {
      for await (const chunk of stream.pipeThrough(new TextDecoderStream())) output += chunk
    }),
  )
  const until = async (pattern: RegExp) => {
    for (const began = performance.now(); performance.now() - began < 30_000; await Bun.sleep(10))
      if (pattern.test(output)) return
    throw new Error(`${pattern} did not come: ${output}`)
  }
  return {
    output: () => output,
    until,
    end: async (signal?: NodeJS.Signals) => {
      if (signal) child.kill(signal)
      await read
      return child.exited
    },
  }
}
const leaks = (output: string, more: Record<string, string> = {}) =>
  Object.entries({ ...canaries, ...more })
    .filter(([name, text]) =>
      name === 'OTP'
        ? new RegExp(`(?<![\\w.-])${text}(?![\\w-])`).test(output)
        : output.toLowerCase().includes(text.toLowerCase()),
    )
    .map(([name]) => name)

test('production writes no canary, whatever fails', async () => {
  const database = await freshDatabase()
  const sql = new Bun.SQL({
    path: `${decodeURIComponent(new URL(database.url).searchParams.get('host')!)}/.s.PGSQL.5432`,
    username: 'kiraya',
    database: database.name,
    max: 1,
  })
  const withPassword = database.url.replace('kiraya@', `kiraya:${canaries['database password']}@`)
  const port = String(20_000 + (process.pid % 20_000))
  const running = start({ DATABASE_URL: withPassword, PORT: port })
  const server = `http://127.0.0.1:${port}`
  await running.until(/Kiraya listens on/)
  let failures = 0
  let token = ''
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    failures++
    return sendRequest(server, method, path, {
      body,
      token: token || undefined,
      headers: {
        'idempotency-key': `${canaries['Idempotency-Key']}-${failures}`,
        'x-forwarded-for': everything,
        'user-agent': everything,
        ...headers,
      },
    })
  }

  // A user with everything.
  await ask('POST', '/auth/send-otp', { phone_number: phone })
  const otp = sent
  const signedIn = await ask('POST', '/auth/verify', { phone_number: phone, otp })
  token = signedIn.body.data.access_token
  await ask('PUT', '/profile/complete', { first_name, last_name, email, password })
  await ask('POST', '/auth/login', { phone_number: phone, password: `${password}x` })
  const property = (
    await ask('POST', '/properties', {
      pin_code: 560048,
      property_type: 'pg',
      alias_name: canaries['free text'],
      property_units: [{ unit_name: canaries['free text'] }],
    })
  ).body.data
  const unit = property.property_units[0]
  const tenant = (await ask('POST', '/tenants', { phone_number: other, first_name, last_name })).body.data
  const agreement = (
    await ask(
      'POST',
      '/agreements',
      agreementTerms(unit.id, [tenant.id], {
        document_url: `https://example.com/${phone}`,
        additional_policies: canaries['free text'],
      }),
    )
  ).body.data
  const secrets = { OTP: otp, token, 'signature of the token': token.split('.')[2]! }
  const requests: [string, string, unknown?][] = [
    ['POST', '/auth/send-otp', { phone_number: phone }],
    ['POST', '/auth/verify', { phone_number: phone, otp }],
    ['GET', '/auth/me'],
    ['PUT', '/profile/complete', { first_name, last_name, email }],
    ['POST', '/profile/ekyc', {}],
    ['POST', '/properties', { pin_code: 560048, property_type: 'pg', alias_name: everything.slice(0, 200) }],
    ['PATCH', `/properties/${property.id}/units/${unit.id}`, { unit_notes: everything }],
    ['POST', '/tenants', { phone_number: other, first_name, last_name }],
    ['PATCH', `/agreements/${agreement.id}`, { improvements: everything }],
    [
      'POST',
      `/agreements/${agreement.id}/sign`,
      { signer_id: tenant.id, flexi_options: { template_variables: { name: everything } } },
    ],
    ['GET', '/dashboard'],
    ['GET', '/tenants'],
  ]

  // Whatever a client types, wherever it types it.
  const typed = [...Object.values(canaries), otp, token]
  for (const text of typed) {
    for (const path of [
      `/${encodeURIComponent(text)}`,
      `/agreements/${encodeURIComponent(text)}`,
      `/properties/${encodeURIComponent(text)}/units/${encodeURIComponent(text)}`,
      `/health/ready?x=${encodeURIComponent(text)}`,
      `/properties?sort=${encodeURIComponent(text)}`,
    ])
      await ask('GET', path)
    await ask('POST', '/auth/verify', { phone_number: text, otp: text, [text]: text })
    await ask('POST', '/auth/login', `{"phone_number": "${text}`)
    await ask('POST', '/webhooks/esign', `{"event":"${text}"}`, { 'x-setu-signature': text })
    await ask('GET', '/operations/jobs', undefined, { authorization: `Bearer ${text}` })
  }
  // Providers that fail in every manner.
  for (manner of Object.keys(manners)) {
    for (const [method, path, body] of requests.filter(([, path]) => /send-otp|ekyc|sign$/.test(path)))
      await ask(method, path, body)
    const payload = JSON.stringify({
      event: 'ESIGN_COMPLETE',
      data: {
        esign: {
          id: phone,
          documentId: everything,
          status: everything,
          signers: [{ id: everything, identifier: phone, errCode: everything }],
        },
      },
    })
    await ask('POST', '/webhooks/esign', payload, {
      'x-setu-signature': signWebhook(payload, canaries['webhook secret']),
    })
    await ask('POST', '/webhooks/ekyc', {
      event: 'EKYC_DATA',
      data: { id: `check-${phone}`, aadhaar, xml: canaries.XML },
    })
  }
  manner = 'fine'
  // A database whose errors quote the row, the query and everything, table by table; then one that lacks a table.
  await sql.unsafe(`create function leak() returns trigger language plpgsql as $f$ begin
    raise exception using message = coalesce(new, old)::text || $m$ ${everything} $m$, detail = 'Key (phone)=(' || coalesce(new, old)::text || ')', hint = $m$${everything}$m$, errcode = case when random() < 0.5 then '23505' else 'P0001' end; end $f$`)
  const tables = (
    await sql`select tablename from pg_tables where schemaname = 'public' and tablename not like 'mikro%'`
  ).map(({ tablename }: { tablename: string }) => tablename)
  for (const table of tables) {
    await sql.unsafe(
      `create trigger leak before insert or update or delete on "${table}" for each row execute function leak()`,
    )
    for (const [method, path, body] of requests) await ask(method, path, body)
    await sql.unsafe(`drop trigger leak on "${table}"`)
  }
  for (const table of ['users', 'activities', 'tenant_contacts']) {
    await sql.unsafe(`alter table "${table}" rename to gone`)
    await ask('POST', '/auth/login', { phone_number: phone, password })
    for (const [method, path, body] of requests) await ask(method, path, body)
    await sql.unsafe(`alter table gone rename to "${table}"`)
  }
  // A job that fails on such an error: neither the log nor the queue keeps what it quotes.
  await sql.unsafe(`create trigger leak before delete on otp_sessions for each row execute function leak()`)
  await sql`update otp_sessions set expire_at = now() - interval '2 days'`
  await ask('POST', '/auth/send-otp', { phone_number: other })
  await sql`update otp_sessions set expire_at = now() - interval '2 days'`
  const boss = new PgBoss({
    connectionString: database.url,
    schema: 'jobs',
    supervise: false,
    schedule: false,
    migrate: false,
  })
  boss.on('error', error => expect.unreachable(String(error)))
  await boss.start()
  await boss.send('purge', {})
  await running.until(/A job failed/)
  for (let kept = ''; !kept; await Bun.sleep(20)) {
    kept =
      (await sql`select output::text as output from jobs.job where name = 'purge' and output is not null`)[0]
        ?.output ?? ''
    expect(leaks(kept)).toEqual([])
  }
  await boss.stop({ graceful: false })
  // The queue itself fails.
  await sql.unsafe('alter table jobs.job rename to gone')
  await running.until(/The job queue had an error|A job failed.*\n[^]*queue/)

  await running.end('SIGTERM')
  expect(leaks(running.output(), secrets)).toEqual([])
  const lines = running
    .output()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(20)
  expect(
    lines.some(({ err }) =>
      err?.at?.some((frame: string) => /^server\/\w+\/service\.ts:\d+:\d+$/.test(frame)),
    ),
  ).toBe(true)
  console.log(
    JSON.stringify({
      promise: 'logs',
      canaries: Object.keys({ ...canaries, ...secrets }).length,
      failures,
      lines: lines.length,
      errors: lines.filter(({ err }) => err).length,
      leaks: 0,
    }),
  )
  await sql.end()
  await database.drop()
}, 120_000)

const halfMigrated = async () => {
  const database = await freshDatabase()
  const sql = new Bun.SQL({
    path: `${decodeURIComponent(new URL(database.url).searchParams.get('host')!)}/.s.PGSQL.5432`,
    username: 'kiraya',
    database: database.name,
    max: 1,
  })
  await sql`delete from mikro_orm_migrations where name = '0005-erasure'`
  await sql`drop table agreement_certificates`
  await sql`alter table agreements rename to leases`
  await sql.end()
  return database
}

test('a start that fails tells no password, and says what is wrong', async () => {
  const secret = canaries['database password']
  const unreachable = start({ DATABASE_URL: `postgresql://kiraya:${secret}@127.0.0.1:1/kiraya` })
  await unreachable.until(/waiting for the database/)
  await unreachable.end('SIGTERM')
  const wrong = start({ DATABASE_URL: `mysql://kiraya:${secret}@127.0.0.1/kiraya` })
  const weak = start({
    DATABASE_URL: `postgresql://kiraya:${secret}@127.0.0.1:1/kiraya`,
    JWT_SECRET: canaries['WhatsApp token'],
  })
  const database = await halfMigrated()
  const half = start({ DATABASE_URL: database.url.replace('kiraya@', `kiraya:${secret}@`) })
  expect([await wrong.end(), await weak.end(), await half.end()]).toEqual([1, 1, 1])
  expect([wrong, weak, half].map(({ output }) => output().trim().split('\n').at(-1))).toEqual([
    expect.stringContaining('DATABASE_URL must be'),
    expect.stringContaining('JWT_SECRET must be'),
    expect.stringContaining('42P01'),
  ])
  expect([unreachable, wrong, weak, half].flatMap(({ output }) => leaks(output()))).toEqual([])
  await database.drop()
}, 60_000)

test('a failure that nobody looks after is logged without what it quotes; an exception ends the server in good order', async () => {
  const database = await freshDatabase()
  const it = start(
    { DATABASE_URL: database.url, LEAK: everything },
    '--preload',
    join(import.meta.dir, 'rejecting.ts'),
  )
  await it.until(/Kiraya listens on/)
  expect(await it.end('SIGUSR2')).toBe(1)
  expect(leaks(it.output())).toEqual([])
  const lines = it
    .output()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines.filter(({ msg }) => msg === 'Unhandled promise rejection').map(({ err }) => err.type)).toEqual(
    ['Error', 'string'],
  )
  expect(lines.filter(({ level }) => level === 'fatal')).toMatchObject([
    { err: { type: 'AggregateError', cause: { type: 'TypeError' } } },
  ])
  expect(lines.at(-1).msg).toBe('Stopped')
  await database.drop()
}, 60_000)
