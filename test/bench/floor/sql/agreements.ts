import { agreementColumns, jsonObject, sql, visibleAgreement } from './fragments'

export const shareOwnUnit = sql`
  select *
  from property_units
  where is_active and id = $1 and (landlord_id = $2 or managed_by_id = $2)
  for share`

export const incrementAgreementNumber = sql`
  insert into agreement_counters (landlord_id, year, last_number)
  values ($1, $2, 1)
  on conflict (landlord_id, year) do update set last_number = agreement_counters.last_number + 1
  returning last_number`

export const countAgreementNumber = sql`
  select count(*)::int as n
  from agreements
  where is_active and landlord_id = $1 and agreement_number = $2`

export const insertAgreement = sql`
  insert into agreements (
    agreement_number, document_url, property_unit_id, landlord_id,
    agreement_start_date, agreement_end_date, tenure_in_months,
    rent_amount, deposit_amount, rent_due_day, notice_period_days,
    status, revision, timeline_length, created_at, updated_at, is_active
  )
  values (
    $1, $2, $3, $4,
    $5::text::date, $6::text::date, $7,
    $8::float8, $9::float8, $10, $11,
    'DRAFT', 0, 0, $12::timestamptz, $12::timestamptz, true
  )
  returning id, agreement_id`

export const insertTenant = sql`
  insert into agreement_tenants (agreement_id, tenant_id) values ($1, $2) returning id`

export const insertEvent = sql`
  insert into agreement_events (agreement_id, position, type, actor_id, details, occurred_at, hash)
  values ($1, $2, $3, $4::int, $5::text::jsonb, $6::timestamptz, $7)
  returning id`

export const updateAgreement = sql`
  update agreements
  set
    status = $2,
    timeline_length = $3,
    timeline_hash = $4,
    signed_date = $5::text::date,
    evidence_due_at = case when $2 = 'ACTIVE' then $6::timestamptz end,
    updated_at = $6::timestamptz
  where id = $1`

const ownAgreement = sql`select ${agreementColumns} from ${visibleAgreement('$1::int', '$2')}`

export const selectAgreementView = sql`select ${jsonObject(ownAgreement)} as row`

export const selectVisibleAgreement = sql`
  select a.id, a.property_unit_id from ${visibleAgreement('$2::int', '$1')}`

export const lockAgreement = sql`
  select *, agreement_start_date::text, agreement_end_date::text
  from agreements
  where id = $1
  for update`

export const selectTenants = sql`select * from agreement_tenants where agreement_id = $1 order by id`

export const selectUnit = sql`select * from property_units where id = $1`

export const shareUnit = sql`${selectUnit} for share`

export const lockUnit = sql`${selectUnit} for update`

export const countOverlappingAgreements = sql`
  select count(*)::int as n
  from agreements
  where is_active
    and id <> $1
    and property_unit_id = $2
    and status in ('PENDING', 'ACTIVE')
    and agreement_start_date <= $4::text::date
    and agreement_end_date >= $3::text::date`
