import { sql } from 'kysely'
import { getKysely, type Database } from '../../db/database'
import { bookRows } from './seed-books'

/** Statements that fill the tables of the first migration with `agreements` and all that belongs to them, a hundred to a landlord. */
const foundation = (agreements: number) => {
  const landlords = Math.ceil(agreements / 100)
  return [
    `insert into users (phone, first_name, last_name, email, kyc_verified) select '8' || lpad(n::text, 9, '0'), 'First ' || n, E'Last\\t\\\\ ' || n, 'u' || n || '@example.com', n % 3 = 0 from generate_series(1, ${landlords + agreements}) n`,
    `create temp table who on commit preserve rows as select id, row_number() over (order by id) as n from users where phone like '8%'`,
    `create temp table owners as select id, n from who where n <= ${landlords}; create temp table lodgers as select id, n - ${landlords} as n from who where n > ${landlords}`,
    `insert into properties (pin_code, district, city, state, alias_name, society_building, property_type, landlord_id, common_amenities) select 560048, 'Bengaluru', 'Bengaluru', 'Karnataka', 'House ' || n, 'Tower ' || n, 'apartment', id, '{"null"," lift ","a,b","\\"q\\"",जिम}' from owners`,
    `insert into property_units (property_id, landlord_id, managed_by_id, unit_name, area_sqft) select p.id, p.landlord_id, p.landlord_id, 'A-' || g, g + 0.25 from properties p join owners o on o.id = p.landlord_id, generate_series(1, 100) g`,
    `insert into agreements (agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days, status, signed_date, additional_policies)
      select 'AGR-2026-' || lpad(n::text, 6, '0'), 'https://example.com/lease.pdf', id, landlord_id, '2026-12-01', '2027-10-31', 11, 25000.50, 5, 30, (array['DRAFT', 'PENDING', 'ACTIVE', 'ACTIVE', 'TERMINATED'])[1 + n % 5], case when n % 5 in (2, 3) then date '2026-11-20' end, repeat('No loud music. ', 8)
      from (select u.id, u.landlord_id, row_number() over (order by u.id) as n from property_units u join owners o on o.id = u.landlord_id) u where n <= ${agreements}`,
    `insert into agreement_tenants (agreement_id, tenant_id) select a.id, l.id from (select a.id, row_number() over (order by a.id) as n from agreements a join owners o on o.id = a.landlord_id) a join lodgers l using (n)`,
    `insert into agreement_signatures (agreement_id, signer_id, signer_role, status, provider, provider_request_id, provider_signature_id, expires_at)
      select a.id, x.signer, x.role, case when a.status = 'PENDING' and x.role = 'TENANT' then 'PENDING' else 'SIGNED' end, 'setu', md5(a.id || x.role), 's', now() + interval '2 days'
      from agreements a join owners o on o.id = a.landlord_id join agreement_tenants t on t.agreement_id = a.id, lateral (values (a.landlord_id, 'LANDLORD'), (t.tenant_id, 'TENANT')) x (signer, role) where a.status <> 'DRAFT'`,
    `insert into activities (user_id, type, message, entity_type, entity_id, actor_id, occurred_at) select landlord_id, 'agreement_created', agreement_number, 'agreement', a.id, landlord_id, now() from agreements a join owners o on o.id = a.landlord_id`,
    `insert into webhook_deliveries (provider, digest, payload, processed_at) select provider, md5(id::text) || md5('d' || id), '{"id":"' || id || '"}', case when id % 50 > 0 then now() end from agreement_signatures where signer_role = 'TENANT'`,
    `insert into kyc_requests (user_id, provider, provider_request_id, status, name, masked_aadhaar, expires_at) select id, 'setu', 'k' || id, (array['CREATED', 'SUCCESS'])[1 + n % 2], 'Name', '1234', now() + interval '1 day' from who where n % 7 = 0`,
    `insert into auth_sessions (user_id, auth_token, expires_by, token_expires_at) select id, md5(id::text), now(), now() + interval '7 days' from owners`,
    `insert into agreement_counters (landlord_id, year, last_number) select id, 2026, 100 from owners`,
    `drop table who, owners, lodgers`,
    `analyze`,
  ]
}

/** The same for what later migrations added: timelines, documents of `size` bytes, answers that are kept. */
const later = (documents: number, size: number) => [
  `insert into agreement_events (agreement_id, position, type, actor_id, details, occurred_at, hash) select id, 1, 'created', landlord_id, '{"a": "\\\\ \\"q\\" \\n ü"}', now(), md5(id::text) || md5('e' || id) from agreements`,
  `update agreements set timeline_length = 1, timeline_hash = md5(id::text) || md5('e' || id), signing_order = case when id % 3 = 0 then jsonb_build_array(landlord_id) end, revises_id = case when id % 11 = 0 then id - 1 end`,
  `update agreement_signatures set viewed_at = now(), reminders = id % 4, next_reminder_at = case when id % 2 = 0 then now() end, document_due_at = case when id % 5 = 0 then now() end, next_check_at = case when id % 3 = 0 then now() end`,
  `update webhook_deliveries set request_id = 'r' || id, document_id = 'd' || id, attempts = id % 3, next_attempt_at = case when id % 2 = 0 then now() end, last_error = case when id % 9 = 0 then E'line\\nline' end`,
  'update properties set is_listed = id % 7 <> 0',
  `update agreement_events set snapshot = '{"names": {"' || id || '": "ü \\\\n"}}' where id % 3 = 0`,
  `insert into idempotency_keys (user_id, key, digest, answer, claimed_until) select id, 'k' || id, md5(id::text), '{"of": null}', now() from users where id % 5 = 0`,
  `insert into otp_sessions (phone_number, otp, attempts, attempts_by_network, expire_at) select '6' || lpad(id::text, 9, '0'), md5(id::text) || md5('o' || id), id % 5, jsonb_build_object('203.0.113.0/24', id % 5), now() from users where id % 8 = 0`,
  `insert into known_networks (user_id, network_hash, last_seen_at) select id, md5(id::text) || md5('n' || id), now() from users where id % 4 = 0`,
  `insert into invitations (phone_number, first_name, last_name, email, sent_at, expires_at) select '7' || lpad(id::text, 9, '0'), E'First\\t' || id, 'Last', 'u@example.com', case when id % 2 = 0 then now() end, now() from users where id % 9 = 0`,
  `insert into signing_cancellations (provider, provider_request_id, agreement_id, due_at) select 'setu', 'c' || id, id, now() from agreements where id % 13 = 0`,
  `insert into signed_documents (agreement_id, provider, provider_request_id, sha256, size, content) select id, 'setu', 'doc' || id, md5(id::text), ${size}, d.content from (select id, row_number() over (order by id) as n from agreements) a, lateral (select decode(repeat(string_agg(md5(a.id || '-' || g), ''), ${Math.ceil(size / 100_000)}), 'hex') as content from generate_series(1, ${Math.ceil(Math.min(size, 100_000) / 16)}) g) d where n <= ${documents}`,
  ...bookRows,
]

async function run(orm: Database, statements: string[]) {
  await getKysely(orm)
    .connection()
    .execute(async db => {
      for (const statement of statements) await sql.raw(statement).execute(db)
    })
}
export const fillFoundation = (orm: Database, agreements: number) => run(orm, foundation(agreements))
export const fillLater = (orm: Database, documents: number, size: number) => run(orm, later(documents, size))

export type Fingerprint = Record<string, string>
/** Of each table the number of its rows and a hash over all of them, whatever their order and that of the columns; of each sequence where it is. */
export async function fingerprintRows(orm: Database, except: string[] = []): Promise<Fingerprint> {
  const db = getKysely(orm)
  const found: Fingerprint = {}
  const { rows: tables } = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
  for (const { name } of tables.filter(table => !except.includes(table.name))) {
    const {
      rows: [all],
    } = await sql<{
      n: number
      hash: string
    }>`select count(*) as n, coalesce(sum(hashtextextended(to_jsonb(t)::text, 7)::numeric), 0)::text as hash from ${sql.table(name)} t`.execute(
      db,
    )
    found[name] = `${all!.n} rows, ${all!.hash}`
  }
  const { rows: sequences } = await sql<{
    name: string
    at: number | null
  }>`select sequencename as name, last_value as at from pg_sequences where schemaname = 'public' order by 1`.execute(
    db,
  )
  for (const { name, at } of sequences.filter(
    sequence => !except.some(table => sequence.name.startsWith(table)),
  ))
    found[name] = String(at)
  return found
}
