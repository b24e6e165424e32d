/** What a landlord has, however many there are: lists and counts must not differ between the scales. */
const EACH = 40
/** Landlords of a few properties who make and change things, so that those whose reads are measured stay as they are. */
export const WRITERS = 32
export const PROPERTIES_OF_WRITER = 4
/** Of a landlord's leases 28 of 40 are active. */
const STATUS = `(array['PENDING', 'DRAFT', 'TERMINATED'] || array_fill('ACTIVE'::text, array[7]))`

export type Layout = {
  landlords: number
  firstWriter: number
  firstTenant: number
  properties: number
  owned: number
}
/** Numbers of users and properties: landlords come first, then the writers, then a tenant for each property. */
export function layoutOf(owned: number): Layout {
  const landlords = Math.ceil(owned / EACH)
  return {
    landlords,
    firstWriter: landlords + 1,
    firstTenant: landlords + WRITERS + 1,
    properties: owned + WRITERS * PROPERTIES_OF_WRITER,
    owned,
  }
}
export const phoneOf = (user: number) => `9${String(user).padStart(9, '0')}`
export const pinCodeOf = (property: number, { owned }: Layout) =>
  110_001 + (property % Math.max(1, Math.floor(owned / 200)))
const WORDS = {
  first: ['Green', 'Palm', 'Lake', 'Royal', 'Silver', 'Sai', 'Shanti', 'Lotus', 'Mango', 'Temple'],
  second: [
    'Park',
    'Heights',
    'Residency',
    'Enclave',
    'Gardens',
    'Towers',
    'Villas',
    'Court',
    'Meadows',
    'Plaza',
  ],
}
/** As PostgreSQL makes it below. */
export const buildingOf = (property: number) =>
  `${WORDS.first[property % 10]} ${WORDS.second[Math.floor(property / 10) % 10]} ${property % 97}`

/** Fills a migrated, empty database: each property with three units, of which the first is let or to be let. Its indexes are made afterwards, which takes a third of the time. */
export async function fill(sql: Bun.SQL, owned: number) {
  const { landlords, firstWriter, firstTenant, properties } = layoutOf(owned)
  const at = `timestamptz '2026-01-01' + g * interval '1 second' / 100`
  const owner = (property: string) =>
    `(case when ${property} > ${owned} then ${firstWriter} + ${property} % ${WRITERS} else 1 + (${property} - 1) % ${landlords} end)`
  const status = `${STATUS}[1 + ((a.id - 1) / ${landlords}) % 10]`
  const words = (list: string[]) => `(array['${list.join("','")}'])`
  const signed = `from agreements a join agreement_tenants t on t.agreement_id = a.id cross join lateral (values (a.landlord_id, 'LANDLORD', true), (t.tenant_id, 'TENANT', a.status <> 'PENDING')) as party (id, role, has_signed) where a.status <> 'DRAFT' order by a.id`
  const tables: [name: string, columns: string, rows: string][] = [
    [
      'users',
      'id, phone, first_name, last_name, email, role, kyc_verified, last_login_at',
      `select g, '9' || lpad(g::text, 9, '0'), 'Asha', 'Rao ' || g, 'user' || g || '@example.com', case when g < ${firstTenant} then 'LANDLORD' else 'TENANT' end, true, now() from generate_series(1, ${firstTenant + properties}) g`,
    ],
    [
      'auth_sessions',
      'user_id, auth_token, expires_by, token_expires_at',
      `select id, encode(sha256(phone::bytea), 'hex'), now() + interval '1 hour', now() + interval '7 days' from users order by id`,
    ],
    [
      'properties',
      'id, society_building, locality, pin_code, district, city, state, alias_name, property_type, common_amenities, property_approved_at, landlord_id, created_at, updated_at',
      `select g, ${words(WORDS.first)}[1 + g % 10] || ' ' || ${words(WORDS.second)}[1 + g / 10 % 10] || ' ' || g % 97, 'Sector ' || g % 50, 110001 + g % greatest(1, ${owned} / 200), 'Bengaluru Urban', 'Bengaluru', 'Karnataka', 'House ' || g, 'apartment', '{lift,parking}', ${at}, ${owner('g')}, ${at}, ${at} from generate_series(1, ${properties}) g`,
    ],
    [
      'property_units',
      'id, property_id, landlord_id, managed_by_id, unit_name, room_type, furnishing_type, area_sqft, floor_number, unit_amenities, created_at, updated_at',
      `select g, p, ${owner('p')}, ${owner('p')}, 'A-' || g, '2bhk', 'semi_furnished', 650.5, g % 20, '{balcony}', ${at}, ${at} from generate_series(1, ${3 * properties}) g, lateral (select (g + 2) / 3 as p) of`,
    ],
    [
      'agreements',
      'id, agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, deposit_amount, rent_due_day, notice_period_days, status, signed_date, timeline_length, timeline_hash, created_at, updated_at',
      `select g, 'AGR-2026-' || lpad(g::text, 7, '0'), 'https://example.com/lease.pdf', 3 * g - 2, ${owner('g')}, current_date - 30, current_date + 300, 11, 25000, 100000, 1 + g % 28, 30, ${status}, case when ${status} = 'ACTIVE' then current_date - 31 end, 2, encode(sha256(g::text::bytea), 'hex'), ${at}, ${at} from generate_series(1, ${properties}) g, lateral (select g as id) a`,
    ],
    [
      'agreement_tenants',
      'agreement_id, tenant_id',
      `select g, ${firstTenant} + g from generate_series(1, ${properties}) g`,
    ],
    [
      'agreement_counters',
      'landlord_id, year, last_number',
      `select g, 2026, 0 from generate_series(1, ${firstTenant - 1}) g`,
    ],
    [
      'agreement_signatures',
      'agreement_id, signer_id, signer_role, status, provider, provider_request_id, signing_url, signed_at, expires_at',
      `select a.id, party.id, party.role, case when party.has_signed then 'SIGNED' else 'PENDING' end, 'sandbox', gen_random_uuid()::text, 'https://example.com/sign/' || a.id, case when party.has_signed then a.created_at end, now() + interval '3 days' ${signed}`,
    ],
    [
      'agreement_events',
      'agreement_id, position, type, actor_id, details, occurred_at, hash',
      `select a.id, n, case n when 1 then 'created' else 'sent' end, a.landlord_id, '{}', a.created_at, encode(sha256((a.id * n)::text::bytea), 'hex') from agreements a, generate_series(1, 2) n order by a.id`,
    ],
    [
      'activities',
      'user_id, type, message, entity_type, entity_id, actor_id, occurred_at',
      `select case n when 4 then ${firstTenant} + a.id else a.landlord_id end, 'agreement_sent', 'The agreement ' || a.agreement_number || ' was sent to be signed', 'agreement', a.id, a.landlord_id, a.created_at from agreements a, generate_series(1, 4) n order by a.id`,
    ],
    [
      'webhook_deliveries',
      'provider, digest, payload, request_id, outcome, processed_at',
      `select 'sandbox', encode(sha256(('d' || g)::bytea), 'hex'), '{}', gen_random_uuid()::text, 'signed', now() from generate_series(1, ${properties}) g`,
    ],
  ]
  await sql.begin(async tx => {
    await tx.unsafe(
      `set local session_replication_role = replica; set local maintenance_work_mem = '512MB'; set local max_parallel_maintenance_workers = 2`,
    )
    const names = tables.map(([name]) => `'${name}'::regclass`).join(', ')
    const kept: { away: string; back: string }[] = await tx.unsafe(`
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as away, format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as back
        from pg_constraint where contype in ('u', 'x') and conrelid in (${names})
      union all select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
        from pg_index where indrelid in (${names}) and not exists (select from pg_constraint where conindid = indexrelid)`)
    for (const { away } of kept) await tx.unsafe(away)
    for (const [name, columns, rows] of tables) await tx.unsafe(`insert into ${name} (${columns}) ${rows}`)
    for (const [name] of tables)
      if (name !== 'agreement_tenants' && name !== 'agreement_counters')
        await tx.unsafe(
          `select setval(pg_get_serial_sequence('${name}', 'id'), (select max(id) from ${name}))`,
        )
    for (const { back } of kept) await tx.unsafe(back)
  })
  await sql.unsafe('vacuum analyze')
}
