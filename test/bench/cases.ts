import { createHash, createHmac, randomUUID } from 'node:crypto'
import { buildingOf, phoneOf, pinCodeOf, PROPERTIES_OF_WRITER, WRITERS, type Layout } from './fill'
import { requestOf } from './load'

type Person = { id: number; token: string }
export type World = {
  sql: Bun.SQL
  layout: Layout
  readers: Person[]
  writers: Person[]
  secrets: { JWT_SECRET: string; ESIGN_WEBHOOK_SECRET: string; SANDBOX_OTP: string }
  used: number
}

/** `bar` is the most that the server's CPU may be of the floor's; `requests` makes `n` of them, each to be sent once. `share` of the usual number is enough of a slow one. */
export type Case = {
  name: string
  what: string
  bar?: number
  status: number
  isRead?: true
  share?: number
  requests: (world: World, n: number) => Buffer[] | Promise<Buffer[]>
}

const READS = 1.4
const CHANGES = 2
const READERS = 20
const PASSWORD = 'the same password for everybody'
const series = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i))
const of = <T>(list: T[], i: number) => list[i % list.length]!
/** Each comes from a network of its own, through the proxy that the servers trust. */
const from = (i: number) => ({ 'x-forwarded-for': `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}` })

/** Signs landlords in by giving the sessions that they have to tokens of ours. */
export async function createWorld(sql: Bun.SQL, layout: Layout, secrets: World['secrets']): Promise<World> {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const person = async (id: number): Promise<Person> => {
    const sid = randomUUID()
    const unsigned = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: String(id), phone: phoneOf(id), sid, variant: 'b', exp: now + 7 * 86_400, iat: now })}`
    const token = `${unsigned}.${createHmac('sha256', secrets.JWT_SECRET).update(unsigned).digest('base64url')}`
    await sql`update auth_sessions set sid = ${sid}, auth_token = ${createHash('sha256').update(token).digest('hex')} where user_id = ${id}`
    return { id, token }
  }
  const people = (first: number, n: number) => Promise.all(series(n, i => person(first + i)))
  return {
    sql,
    layout,
    secrets,
    used: 0,
    readers: await people(1, Math.min(READERS, layout.landlords)),
    writers: await people(layout.firstWriter, WRITERS),
  }
}

/** Users whom nobody has used yet, with a session each. */
async function freshPhones(world: World, n: number, password: string | null = null): Promise<string[]> {
  const from = (world.used += n)
  const rows: { phone: string }[] = await world.sql`
    with made as (insert into users (phone, first_name, last_name, email, role, kyc_verified, last_login_at, password) select '8' || lpad((${from}::int - g)::text, 9, '0'), 'Asha', 'Rao', 'asha@example.com', 'LANDLORD', true, now(), ${password} from generate_series(0, ${n - 1}::int) g returning id, phone),
      sessions as (insert into auth_sessions (user_id, auth_token, expires_by, token_expires_at) select id, gen_random_uuid()::text, now(), now() + interval '7 days' from made)
    select phone from made`
  return rows.map(({ phone }) => phone)
}

type Lease = { id: number; uuid: string; unit: number; tenant: number; writer: number }
/** Drafts on units of their own. */
const freshLeases = ({ sql, layout }: World, n: number): Promise<Lease[]> => sql`
  with places as (select g, ${layout.firstWriter}::int + g % ${WRITERS}::int as landlord, (select min(p.id) from properties p where p.landlord_id = ${layout.firstWriter}::int + g % ${WRITERS}::int and p.is_active) as property, ${layout.firstTenant}::int + 1 + g % ${layout.properties}::int as tenant from generate_series(0, ${n - 1}::int) g),
    units as (insert into property_units (property_id, landlord_id, managed_by_id, unit_name) select property, landlord, landlord, g::text from places returning id, landlord_id, unit_name),
    leases as (insert into agreements (agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days)
      select 'B-' || id, 'https://example.com/lease.pdf', id, landlord_id, current_date, current_date + 300, 11, 25000, 5, 30 from units returning id, agreement_id, property_unit_id),
    tenants as (insert into agreement_tenants (agreement_id, tenant_id) select l.id, p.tenant from leases l join units u on u.id = l.property_unit_id join places p on p.g = u.unit_name::int)
  select l.id, l.agreement_id as uuid, u.id as unit, p.tenant, p.landlord as writer from leases l join units u on u.id = l.property_unit_id join places p on p.g = u.unit_name::int order by p.g`

/** Leases that wait for their tenant alone, who has just signed at the sandbox's provider; the webhooks that tell of it. */
async function news(world: World, n: number) {
  const { sql, secrets } = world
  const leases = await freshLeases(world, n)
  const first = leases[0]!.id
  const last = leases.at(-1)!.id
  await sql`update agreements set status = 'PENDING' where id between ${first} and ${last}`
  const asked: { id: string; document: string; phone: string }[] = await sql`
    with landlords as (insert into agreement_signatures (agreement_id, signer_id, signer_role, status, provider, provider_request_id, signing_url, signed_at, expires_at) select id, landlord_id, 'LANDLORD', 'SIGNED', 'sandbox', gen_random_uuid()::text, 'https://example.com', now(), now() + interval '3 days' from agreements where id between ${first} and ${last}),
      tenants as (insert into agreement_signatures (agreement_id, signer_id, signer_role, provider, provider_request_id, signing_url, expires_at) select a.id, t.tenant_id, 'TENANT', 'sandbox', gen_random_uuid()::text, 'https://example.com', now() + interval '3 days' from agreements a join agreement_tenants t on t.agreement_id = a.id where a.id between ${first} and ${last} returning provider_request_id as id, signature_id, signer_id),
      records as (insert into sandbox_records (id, kind, data) select t.id, 'esign', jsonb_build_object('id', t.id, 'documentId', t.signature_id, 'documentUrl', 'https://example.com/lease.pdf', 'document', null, 'flexiOptions', null, 'cancelled', false, 'validUpto', now() + interval '3 days',
        'signers', jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'identifier', u.phone, 'displayName', u.first_name, 'status', 'signed', 'errCode', null, 'signedAt', now()))) from tenants t join users u on u.id = t.signer_id)
    select t.id, t.signature_id as document, u.phone from tenants t join users u on u.id = t.signer_id`
  return asked.map(({ id, document, phone }) => {
    const signers = [
      {
        id: randomUUID(),
        identifier: phone,
        displayName: phone,
        status: 'signed',
        url: 'https://example.com',
        errCode: null,
      },
    ]
    const body = JSON.stringify({
      event: 'ESIGN_COMPLETE',
      timeStamp: new Date().toISOString(),
      data: { esign: { id, documentId: document, status: 'sign_complete', signers } },
    })
    return requestOf('POST', '/webhooks/esign', {
      body,
      headers: {
        'x-setu-signature': createHmac('sha256', secrets.ESIGN_WEBHOOK_SECRET).update(body).digest('base64'),
      },
    })
  })
}

/** Somebody's OTP, as asking for it would have left it. */
async function withOtps(world: World, n: number) {
  const { sql, secrets } = world
  const phones = await freshPhones(world, n)
  const rows = phones.map(phone_number => ({
    phone_number,
    otp: createHmac('sha256', `otp:${secrets.JWT_SECRET}`)
      .update(`${phone_number}:${secrets.SANDBOX_OTP}`)
      .digest('hex'),
    expire_at: new Date(Date.now() + 3_600_000),
  }))
  for (let at = 0; at < n; at += 5000) await sql`insert into otp_sessions ${sql(rows.slice(at, at + 5000))}`
  return phones
}

/** A landlord's properties, and the leases of their first units, which have the same numbers. */
const ownedBy = ({ layout }: World, { id }: Person, i: number) =>
  id + layout.landlords * (i % Math.floor(layout.owned / layout.landlords))
const reading = (path: (world: World, reader: Person, i: number) => string) => (world: World, n: number) => {
  const kinds = series(Math.min(n, 1000), i => {
    const reader = of(world.readers, i)
    return requestOf('GET', path(world, reader, Math.floor(i / world.readers.length)), {
      token: reader.token,
    })
  })
  return series(n, i => of(kinds, i))
}
const writing =
  (method: string, one: (world: World, writer: Person, i: number) => { path: string; body: unknown }) =>
  (world: World, n: number) =>
    series(n, i => {
      const writer = of(world.writers, i)
      const { path, body } = one(world, writer, i)
      return requestOf(method, path, { token: writer.token, body })
    })
/** A property of the ith writer, ever another of theirs. */
const propertyOfWriter = ({ layout }: World, writer: Person, i: number) => {
  const first =
    layout.owned + 1 + ((writer.id - layout.firstWriter - ((layout.owned + 1) % WRITERS) + WRITERS) % WRITERS)
  return first + WRITERS * (Math.floor(i / WRITERS) % PROPERTIES_OF_WRITER)
}
const tenantPhone = ({ layout }: World, i: number) =>
  phoneOf(layout.firstTenant + 1 + (i % layout.properties))

export const cases: Case[] = [
  {
    name: 'otp-a',
    what: 'sign-in: ask for the OTP (A)',
    status: 200,
    requests: (world, n) =>
      series(n, i =>
        requestOf('POST', '/auth', { body: { phoneNumber: tenantPhone(world, i) }, headers: from(i) }),
      ),
  },
  {
    name: 'otp-b',
    what: 'sign-in: ask for the OTP (B)',
    status: 200,
    requests: (world, n) =>
      series(n, i =>
        requestOf('POST', '/auth/send-otp', {
          body: { phone_number: tenantPhone(world, i) },
          headers: from(i),
        }),
      ),
  },
  {
    name: 'verify-a',
    what: 'sign-in: verify (A)',
    status: 200,
    requests: async (world, n) =>
      (await withOtps(world, n)).map(phoneNumber =>
        requestOf('POST', '/auth/verify', { body: { phoneNumber, otp: world.secrets.SANDBOX_OTP } }),
      ),
  },
  {
    name: 'verify-b',
    what: 'sign-in: verify (B)',
    status: 200,
    requests: async (world, n) =>
      (await withOtps(world, n)).map(phone_number =>
        requestOf('POST', '/auth/verify', { body: { phone_number, otp: world.secrets.SANDBOX_OTP } }),
      ),
  },
  {
    name: 'me',
    what: 'GET /auth/me',
    bar: READS,
    status: 200,
    isRead: true,
    requests: reading(() => '/auth/me'),
  },
  {
    name: 'dashboard',
    what: 'dashboard',
    bar: 1.6,
    status: 200,
    isRead: true,
    requests: reading(() => '/dashboard'),
  },
  {
    name: 'properties',
    what: 'list of 20 properties',
    bar: READS,
    status: 200,
    isRead: true,
    requests: reading(() => '/properties?limit=20'),
  },
  {
    name: 'property',
    what: 'property with its units',
    bar: READS,
    status: 200,
    isRead: true,
    requests: reading((world, reader, i) => `/properties/${ownedBy(world, reader, i)}`),
  },
  {
    name: 'units',
    what: 'units of a property',
    bar: READS,
    status: 200,
    isRead: true,
    requests: reading((world, reader, i) => `/properties/${ownedBy(world, reader, i)}/units`),
  },
  {
    name: 'search',
    what: 'search for a building',
    bar: READS,
    status: 200,
    isRead: true,
    requests: reading(
      ({ layout }, _, i) =>
        `/properties/search?name=${encodeURIComponent(buildingOf(1 + ((i * 7919) % layout.owned)))}&pin_code=${pinCodeOf(1 + ((i * 7919) % layout.owned), layout)}`,
    ),
  },
  {
    name: 'agreements',
    what: 'list of 20 agreements',
    bar: READS,
    status: 200,
    isRead: true,
    requests: reading(() => '/agreements?limit=20'),
  },
  {
    name: 'agreement',
    what: 'agreement',
    bar: READS,
    status: 200,
    isRead: true,
    requests: reading((world, reader, i) => `/agreements/${ownedBy(world, reader, i)}`),
  },
  {
    name: 'signatures',
    what: 'signatures of an agreement',
    bar: READS,
    status: 200,
    isRead: true,
    requests: reading((world, reader, i) => `/agreements/${ownedBy(world, reader, i)}/signatures`),
  },
  {
    name: 'create-property',
    what: 'create a property with 3 units',
    bar: CHANGES,
    status: 201,
    requests: writing('POST', (_world, _writer, i) => ({
      path: '/properties',
      body: {
        pin_code: 560_048,
        property_type: 'apartment',
        society_building: `White House ${i}`,
        locality: 'Whitefield',
        property_units: ['A', 'B', 'C'].map(name => ({ unit_name: name, room_type: '2bhk' })),
      },
    })),
  },
  {
    name: 'patch-unit',
    what: 'change a unit',
    bar: CHANGES,
    status: 200,
    requests: writing('PATCH', (world, writer, i) => {
      const property = propertyOfWriter(world, writer, i)
      return {
        path: `/properties/${property}/units/${3 * property - (i % 3)}`,
        body: { unit_notes: `Painted ${randomUUID()}` },
      }
    }),
  },
  {
    name: 'create-agreement',
    what: 'create an agreement',
    bar: CHANGES,
    status: 201,
    requests: writing('POST', (world, writer, i) => ({
      path: '/agreements',
      body: {
        property_unit_id: 3 * propertyOfWriter(world, writer, i),
        tenant_ids: [world.layout.firstTenant + 1 + (i % world.layout.owned)],
        document_url: 'https://example.com/lease.pdf',
        agreement_start_date: '2026-12-01',
        tenure_in_months: 11,
        rent_amount: 25_000,
        deposit_amount: 100_000,
        rent_due_day: 5,
        notice_period_days: 30,
      },
    })),
  },
  {
    name: 'sign',
    what: 'start a signing (sandbox in process)',
    status: 200,
    requests: async (world, n) =>
      (await freshLeases(world, n)).map(({ id, writer }) =>
        requestOf('POST', `/agreements/${id}/sign`, {
          token: world.writers.find(each => each.id === writer)!.token,
          body: { signer_id: writer },
        }),
      ),
  },
  { name: 'webhook', what: 'webhook of the last signature', status: 200, requests: news },
  {
    name: 'login',
    what: 'sign-in: password',
    status: 200,
    share: 0.01,
    requests: async (world, n) => {
      const hash = await Bun.password.hash(PASSWORD, {
        algorithm: 'argon2id',
        memoryCost: 65_536,
        timeCost: 3,
      })
      return (await freshPhones(world, n, hash)).map((phone_number, i) =>
        requestOf('POST', '/auth/login', { body: { phone_number, password: PASSWORD }, headers: from(i) }),
      )
    },
  },
]
