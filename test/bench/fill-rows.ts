import { listBookRows } from './fill-book-rows'
import { FIRST_WORDS, SECOND_WORDS, WRITERS, type Layout } from './layout'

export type TableRows = { table: string; columns: string; rows: string }

const toSqlArray = (values: string[]) => `(array['${values.join("','")}'])`

/** Each property has three units; the first one has an agreement. `g` counts the rows of a table. */
export const listTableRows = (layout: Layout): TableRows[] => [
  selectUsers(layout),
  selectSessions(),
  selectProperties(layout),
  selectUnits(layout),
  selectAgreements(layout),
  ...selectAgreementParties(layout),
  selectSignatures(),
  selectEvents(),
  selectActivities(layout),
  selectDeliveries(layout),
  ...listBookRows(),
]

const CREATED_AT = `timestamptz '2026-01-01' + g * interval '1 second' / 100`

const getOwner = ({ owned, firstWriter, landlords }: Layout, propertyId: string) => `(
  case
    when ${propertyId} > ${owned} then ${firstWriter} + ${propertyId} % ${WRITERS}
    else 1 + (${propertyId} - 1) % ${landlords}
  end)`

const selectUsers = ({ firstTenant, properties }: Layout) => ({
  table: 'users',
  columns: 'id, phone, first_name, last_name, email, role, kyc_verified, last_login_at',
  rows: `
    select
      g, '9' || lpad(g::text, 9, '0'), 'Asha', 'Rao ' || g, 'user' || g || '@example.com',
      case when g < ${firstTenant} then 'LANDLORD' else 'TENANT' end, true, now()
    from generate_series(1, ${firstTenant + properties}) g`,
})

const selectSessions = () => ({
  table: 'auth_sessions',
  columns: 'user_id, auth_token, expires_by, token_expires_at',
  rows: `
    select id, encode(sha256(phone::bytea), 'hex'), now() + interval '1 hour', now() + interval '7 days'
    from users
    order by id`,
})

const selectProperties = (layout: Layout) => ({
  table: 'properties',
  columns: `
    id, society_building, locality, pin_code, district, city, state, alias_name, property_type,
    common_amenities, property_approved_at, landlord_id, created_at, updated_at`,
  rows: `
    select
      g,
      ${toSqlArray(FIRST_WORDS)}[1 + g % 10] || ' ' || ${toSqlArray(SECOND_WORDS)}[1 + g / 10 % 10] || ' ' || g % 97,
      'Sector ' || g % 50, 110001 + g % greatest(1, ${layout.owned} / 200),
      'Bengaluru Urban', 'Bengaluru', 'Karnataka', 'House ' || g, 'apartment',
      '{lift,parking}', ${CREATED_AT}, ${getOwner(layout, 'g')}, ${CREATED_AT}, ${CREATED_AT}
    from generate_series(1, ${layout.properties}) g`,
})

const selectUnits = (layout: Layout) => ({
  table: 'property_units',
  columns: `
    id, property_id, landlord_id, managed_by_id, unit_name, room_type, furnishing_type,
    area_sqft, floor_number, unit_amenities, created_at, updated_at`,
  rows: `
    select
      g, p, ${getOwner(layout, 'p')}, ${getOwner(layout, 'p')}, 'A-' || g, '2bhk', 'semi_furnished',
      650.5, g % 20, '{balcony}', ${CREATED_AT}, ${CREATED_AT}
    from generate_series(1, ${3 * layout.properties}) g, lateral (select (g + 2) / 3 as p) of`,
})

/** Of a landlord's 40 agreements 28 are active. */
const STATUSES = `(array['PENDING', 'DRAFT', 'TERMINATED'] || array_fill('ACTIVE'::text, array[7]))`

function selectAgreements(layout: Layout) {
  const status = `${STATUSES}[1 + ((a.id - 1) / ${layout.landlords}) % 10]`
  return {
    table: 'agreements',
    columns: `
      id, agreement_number, document_url, property_unit_id, landlord_id,
      agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, deposit_amount,
      rent_due_day, notice_period_days, status, signed_date,
      timeline_length, timeline_hash, created_at, updated_at`,
    rows: `
      select
        g, 'AGR-2026-' || lpad(g::text, 7, '0'), 'https://example.com/lease.pdf', 3 * g - 2,
        ${getOwner(layout, 'g')},
        current_date - 30, current_date + 300, 11, 25000, 100000,
        1 + g % 28, 30, ${status}, case when ${status} = 'ACTIVE' then current_date - 31 end,
        2, encode(sha256(g::text::bytea), 'hex'), ${CREATED_AT}, ${CREATED_AT}
      from generate_series(1, ${layout.properties}) g, lateral (select g as id) a`,
  }
}

const selectAgreementParties = ({ firstTenant, properties }: Layout) => [
  {
    table: 'agreement_tenants',
    columns: 'agreement_id, tenant_id',
    rows: `select g, ${firstTenant} + g from generate_series(1, ${properties}) g`,
  },
  {
    table: 'agreement_counters',
    columns: 'landlord_id, year, last_number',
    rows: `select g, 2026, 0 from generate_series(1, ${firstTenant - 1}) g`,
  },
]

const selectSignatures = () => ({
  table: 'agreement_signatures',
  columns: `
    agreement_id, signer_id, signer_role, status, provider, provider_request_id,
    signing_url, signed_at, expires_at`,
  rows: `
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
    order by a.id`,
})

const selectEvents = () => ({
  table: 'agreement_events',
  columns: 'agreement_id, position, type, actor_id, details, occurred_at, hash',
  rows: `
    select
      a.id, n, case n when 1 then 'created' else 'sent' end, a.landlord_id, '{}', a.created_at,
      encode(sha256((a.id * n)::text::bytea), 'hex')
    from agreements a, generate_series(1, 2) n
    order by a.id`,
})

const selectActivities = ({ firstTenant }: Layout) => ({
  table: 'activities',
  columns: 'user_id, type, message, entity_type, entity_id, actor_id, occurred_at',
  rows: `
    select
      case n when 4 then ${firstTenant} + a.id else a.landlord_id end, 'agreement_sent',
      'The agreement ' || a.agreement_number || ' was sent to be signed',
      'agreement', a.id, a.landlord_id, a.created_at
    from agreements a, generate_series(1, 4) n
    order by a.id`,
})

const selectDeliveries = ({ properties }: Layout) => ({
  table: 'webhook_deliveries',
  columns: 'provider, digest, payload, request_id, outcome, processed_at',
  rows: `
    select
      'sandbox', encode(sha256(('d' || g)::bytea), 'hex'), '{}', gen_random_uuid()::text, 'signed', now()
    from generate_series(1, ${properties}) g`,
})
