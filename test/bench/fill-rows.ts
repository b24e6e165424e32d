import { BOOKS } from './fill-book-rows'
import { FIRST_WORDS, SECOND_WORDS, WRITERS, type Layout } from './layout'

const toSqlArray = (values: string[]) => `(array['${values.join("','")}'])`

const CREATED_AT = `timestamptz '2026-01-01' + g * interval '1 second' / 100`

const getOwner = ({ owned, firstWriter, landlords }: Layout, propertyId: string) => `(
  case
    when ${propertyId} > ${owned} then ${firstWriter} + ${propertyId} % ${WRITERS}
    else 1 + (${propertyId} - 1) % ${landlords}
  end)`

/** Of a landlord's 40 agreements 28 are active. */
const STATUSES = `(array['PENDING', 'DRAFT', 'TERMINATED'] || array_fill('ACTIVE'::text, array[7]))`

/** Each property has three units; the first one has an agreement. `g` counts the rows of a table. */
export const toFillScript = (layout: Layout) =>
  [createUnits(layout), createAgreements(layout), createSignings(layout), BOOKS, MAINTENANCE].join('\n')

const createUnits = (layout: Layout) => `
  insert into users (id, phone, first_name, last_name, email, role, kyc_verified, last_login_at)
  select
    g, '9' || lpad(g::text, 9, '0'), 'Asha', 'Rao ' || g, 'user' || g || '@example.com',
    case when g < ${layout.firstTenant} then 'LANDLORD' else 'TENANT' end, true, now()
  from generate_series(1, ${layout.firstTenant + layout.properties}) g;

  insert into auth_sessions (user_id, auth_token, expires_by, token_expires_at)
  select id, encode(sha256(phone::bytea), 'hex'), now() + interval '1 hour', now() + interval '7 days'
  from users
  order by id;

  insert into properties (
    id, society_building, locality, pin_code, district, city, state, alias_name, property_type,
    common_amenities, property_approved_at, landlord_id, created_at, updated_at
  )
  select
    g,
    ${toSqlArray(FIRST_WORDS)}[1 + g % 10] || ' ' || ${toSqlArray(SECOND_WORDS)}[1 + g / 10 % 10] || ' ' || g % 97,
    'Sector ' || g % 50, 110001 + g % greatest(1, ${layout.owned} / 200),
    'Bengaluru Urban', 'Bengaluru', 'Karnataka', 'House ' || g, 'apartment',
    '{lift,parking}', ${CREATED_AT}, ${getOwner(layout, 'g')}, ${CREATED_AT}, ${CREATED_AT}
  from generate_series(1, ${layout.properties}) g;

  insert into property_units (
    id, property_id, landlord_id, managed_by_id, unit_name, room_type, furnishing_type, area_sqft,
    floor_number, unit_amenities, created_at, updated_at
  )
  select
    g, p, ${getOwner(layout, 'p')}, ${getOwner(layout, 'p')}, 'A-' || g, '2bhk', 'semi_furnished',
    650.5, g % 20, '{balcony}', ${CREATED_AT}, ${CREATED_AT}
  from generate_series(1, ${3 * layout.properties}) g, lateral (select (g + 2) / 3 as p) of;`

function createAgreements(layout: Layout) {
  const { firstTenant, landlords, properties } = layout
  const status = `${STATUSES}[1 + ((g - 1) / ${landlords}) % 10]`
  return `
  insert into agreements (
    id, agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date,
    agreement_end_date, tenure_in_months, rent_amount, deposit_amount, rent_due_day, notice_period_days,
    status, signed_date, timeline_length, timeline_hash, created_at, updated_at
  )
  select
    g, 'AGR-2026-' || lpad(g::text, 7, '0'), 'https://example.com/lease.pdf', 3 * g - 2,
    ${getOwner(layout, 'g')},
    current_date - 30, current_date + 300, 11, 25000, 100000,
    1 + g % 28, 30, ${status}, case when ${status} = 'ACTIVE' then current_date - 31 end,
    2, encode(sha256(g::text::bytea), 'hex'), ${CREATED_AT}, ${CREATED_AT}
  from generate_series(1, ${properties}) g;

  insert into agreement_tenants (agreement_id, tenant_id)
  select g, ${firstTenant} + g from generate_series(1, ${properties}) g;

  insert into agreement_counters (landlord_id, year, last_number)
  select g, 2026, 0 from generate_series(1, ${firstTenant - 1}) g;`
}

const createSignings = ({ firstTenant, properties }: Layout) => `
  insert into agreement_signatures (
    agreement_id, signer_id, signer_role, status, provider, provider_request_id, signing_url, signed_at,
    expires_at
  )
  select
    a.id, party.id, party.role,
    case when party.has_signed then 'SIGNED' else 'PENDING' end,
    'sandbox', gen_random_uuid()::text, 'https://example.com/sign/' || a.id,
    case when party.has_signed then a.created_at end, now() + interval '3 days'
  from agreements a
  join agreement_tenants t on t.agreement_id = a.id
  cross join lateral (
    values (a.landlord_id, 'LANDLORD', true), (t.tenant_id, 'TENANT', a.status <> 'PENDING')
  ) as party (id, role, has_signed)
  where a.status <> 'DRAFT'
  order by a.id;

  insert into timeline_entries (agreement_id, position, type, actor_id, details, occurred_at, hash)
  select
    a.id, n, case n when 1 then 'created' else 'sent' end, a.landlord_id, '{}', a.created_at,
    encode(sha256((a.id * n)::text::bytea), 'hex')
  from agreements a, generate_series(1, 2) n
  order by a.id;

  insert into activities (user_id, type, message, entity_type, entity_id, actor_id, occurred_at)
  select
    case n when 4 then ${firstTenant} + a.id else a.landlord_id end, 'agreement_sent',
    'The agreement ' || a.agreement_number || ' was sent to be signed',
    'agreement', a.id, a.landlord_id, a.created_at
  from agreements a, generate_series(1, 4) n
  order by a.id;

  insert into received_webhooks (provider, digest, payload, request_id, outcome, processed_at)
  select
    'sandbox', encode(sha256(('d' || g)::bytea), 'hex'), '{}', gen_random_uuid()::text, 'signed', now()
  from generate_series(1, ${properties}) g;`

const MAINTENANCE_STATUSES = toSqlArray([
  'open',
  'acknowledged',
  'in_progress',
  'on_hold',
  'resolved',
  'closed',
  'cancelled',
])

/** A request for each unit, in each state in turn, and a picture for every tenth. */
const MAINTENANCE = `
  insert into maintenance_requests (
    id, property_unit_id, agreement_id, raised_by_id, category, priority, title, status, borne_by, resolved_at,
    created_at, updated_at
  )
  select
    u.id, u.id, a.id, coalesce(t.tenant_id, u.landlord_id), 'plumbing', 'normal', 'The tap of ' || u.unit_name || ' leaks',
    request.status, 'landlord', case when request.status in ('resolved', 'closed') then u.created_at end,
    u.created_at, u.created_at
  from property_units u
  cross join lateral (select ${MAINTENANCE_STATUSES}[1 + u.id % 7] as status) request
  left join agreements a on a.property_unit_id = u.id and a.status = 'ACTIVE'
  left join agreement_tenants t on t.agreement_id = a.id
  order by u.id;

  insert into maintenance_entries (maintenance_request_id, status, text, is_internal, created_by_id, created_at)
  select r.id, event.status, event.text, event.status is null, r.raised_by_id, r.created_at
  from maintenance_requests r
  cross join lateral (values ('open', null), (r.status, 'Seen'), (null, 'Call the plumber')) event (status, text)
  order by r.id;

  insert into maintenance_attachments (id, maintenance_request_id, content_type, size, created_by_id, created_at)
  select r.id, r.id, 'image/webp', 4, r.raised_by_id, r.created_at
  from maintenance_requests r
  where r.id % 10 = 0
  order by r.id;

  insert into maintenance_files (attachment_id, content)
  select id, 'webp'::bytea from maintenance_attachments order by id;`
