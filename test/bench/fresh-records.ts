import { createHmac } from 'node:crypto'
import { WRITERS } from './layout'
import type { World } from './world'

const PASSWORD_HASH = { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 3 } as const
const OTP_BATCH = 5000

/** Creates users with a session each. */
async function createUsers(world: World, count: number, password: string | null = null) {
  world.usedPhones += count
  const last = world.usedPhones
  const rows: { phone: string }[] = await world.sql`
    with created as (
      insert into users (
        phone, first_name, last_name, email, role, kyc_verified, last_login_at, password
      )
      select
        '8' || lpad((${last}::int - g)::text, 9, '0'), 'Asha', 'Rao', 'asha@example.com', 'LANDLORD',
        true, now(), ${password}
      from generate_series(0, ${count - 1}::int) g
      returning id, phone
    ),
    sessions as (
      insert into auth_sessions (user_id, auth_token, expires_by, token_expires_at)
      select id, gen_random_uuid()::text, now(), now() + interval '7 days' from created
    )
    select phone from created`
  return rows.map(({ phone }) => phone)
}

export const createUsersWithPassword = async (world: World, count: number, password: string) =>
  createUsers(world, count, await Bun.password.hash(password, PASSWORD_HASH))

/** Creates users with an OTP each, as a request for one leaves it. */
export async function createUsersWithOtp(world: World, count: number) {
  const { sql, secrets } = world
  const phones = await createUsers(world, count)
  const rows = phones.map(phone_number => ({
    phone_number,
    otp: createHmac('sha256', `otp:${secrets.JWT_SECRET}`)
      .update(`${phone_number}:${secrets.SANDBOX_OTP}`)
      .digest('hex'),
    expire_at: new Date(Date.now() + 3_600_000),
  }))
  for (let start = 0; start < count; start += OTP_BATCH)
    await sql`insert into otp_sessions ${sql(rows.slice(start, start + OTP_BATCH))}`
  return phones
}

type Draft = { id: number; writer: number }

/** Creates drafts, each on a unit of its own, which is named by its number. */
export const createDrafts = ({ sql, layout }: World, count: number): Promise<Draft[]> => sql`
  with units as (
    insert into property_units (property_id, landlord_id, managed_by_id, unit_name)
    select
      (select min(p.id) from properties p where p.landlord_id = writer.id and p.is_active),
      writer.id, writer.id, g::text
    from generate_series(0, ${count - 1}::int) g,
      lateral (select ${layout.firstWriter}::int + g % ${WRITERS}::int as id) writer
    returning id, landlord_id, unit_name::int as number
  ),
  drafts as (
    insert into agreements (
      agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date,
      agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days
    )
    select
      'B-' || id, 'https://example.com/lease.pdf', id, landlord_id, current_date,
      current_date + 300, 11, 25000, 5, 30
    from units
    returning id, property_unit_id
  ),
  tenants as (
    insert into agreement_tenants (agreement_id, tenant_id)
    select d.id, ${layout.firstTenant}::int + 1 + u.number % ${layout.properties}::int
    from drafts d
    join units u on u.id = d.property_unit_id
  )
  select d.id, u.landlord_id as writer
  from drafts d
  join units u on u.id = d.property_unit_id
  order by u.number`

export type SigningRequest = { id: string; document: string; phone: string }

/** Creates agreements that lack the tenant's signature alone, which the sandbox's provider already has. */
export async function createLastSignatures(world: World, count: number): Promise<SigningRequest[]> {
  const { sql } = world
  const drafts = await createDrafts(world, count)
  const first = drafts[0]!.id
  const last = drafts.at(-1)!.id
  await sql`update agreements set status = 'PENDING' where id between ${first} and ${last}`
  return sql`
    with asked as (
      insert into agreement_signatures (
        agreement_id, signer_id, signer_role, status, provider, provider_request_id,
        signing_url, signed_at, expires_at
      )
      select
        a.id, party.id, party.role, party.status, 'sandbox', gen_random_uuid()::text,
        'https://example.com', party.signed_at, now() + interval '3 days'
      from agreements a
      join agreement_tenants t on t.agreement_id = a.id
      cross join lateral (
        values (a.landlord_id, 'LANDLORD', 'SIGNED', now()), (t.tenant_id, 'TENANT', 'PENDING', null)
      ) party (id, role, status, signed_at)
      where a.id between ${first} and ${last}
      returning provider_request_id as id, signature_id, signer_id, signer_role
    ),
    tenants as (
      select s.id, s.signature_id, u.phone, u.first_name
      from asked s
      join users u on u.id = s.signer_id
      where s.signer_role = 'TENANT'
    ),
    records as (
      insert into sandbox_records (id, kind, data)
      select
        t.id, 'esign',
        jsonb_build_object(
          'id', t.id,
          'documentId', t.signature_id,
          'documentUrl', 'https://example.com/lease.pdf',
          'document', null,
          'cancelled', false,
          'validUpto', now() + interval '3 days',
          'signers', jsonb_build_array(jsonb_build_object(
            'id', gen_random_uuid(),
            'identifier', t.phone,
            'displayName', t.first_name,
            'status', 'signed',
            'errCode', null,
            'signedAt', now()
          ))
        )
      from tenants t
    )
    select id, signature_id as document, phone from tenants`
}
