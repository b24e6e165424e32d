/** Joins a statement's lines: a client looks prepared statements up by their text, so indentation would cost time. */
export function sql(strings: TemplateStringsArray, ...parts: (string | number)[]) {
  return String.raw({ raw: strings }, ...parts)
    .replace(/\s+/g, ' ')
    .replace(/\( /g, '(')
    .replace(/ \)/g, ')')
    .trim()
}

/** The session behind a read: $1 to $4 are the token's hash, the session, the user and the phone number. */
export const fromSession = sql`
  from auth_sessions s
  join users me on me.id = s.user_id
  where s.auth_token = $1
    and s.sid = $2
    and me.id = $3
    and me.phone = $4
    and me.is_active`

/** A timestamp as responses have it, under its column's name. */
export const isoTime = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column.slice(2)}`

export const jsonArray = (rows: string) => `(select coalesce(json_agg(x), '[]') from (${rows}) x)`

export const jsonObject = (rows: string) => `(select row_to_json(x) from (${rows}) x)`

export const jsonPage = (columns: string, from: string, limit: string) => sql`
  ${jsonArray(`select ${columns} from ${from} order by id desc limit ${limit}::int`)} as data,
  (select count(*)::int from ${from}) as total`

export const userColumns = sql`
  u.id, u.user_id, u.phone, u.first_name, u.last_name, u.email,
  lower(u.role) as role,
  u.first_name is not null and u.last_name is not null and u.email is not null as has_completed_profile,
  u.kyc_verified as has_verified_profile`

export const buildingColumns = sql`
  p.society_building, p.survey_number, p.road_name, p.locality, p.landmark,
  p.pin_code, p.district, p.city, p.state, p.country`

export const propertyColumns = sql`
  p.id, p.property_id, ${buildingColumns}, p.alias_name, p.property_type, p.common_amenities,
  p.property_approved, ${isoTime('p.property_approved_at')}, p.property_approved_by,
  p.landlord_id, p.is_active, ${isoTime('p.created_at')}, ${isoTime('p.updated_at')}`

export const unitColumns = sql`
  u.id, u.property_unit_id, u.property_id, u.landlord_id, u.managed_by_id, u.unit_name,
  u.room_type, u.furnishing_type, u.furniture_included, u.area_sqft, u.floor_number,
  u.is_available and not exists (
    select from agreements a
    where a.property_unit_id = u.id and a.status = 'ACTIVE' and a.is_active
  ) as is_available,
  u.unit_notes, u.unit_amenities, u.is_active, ${isoTime('u.created_at')}, ${isoTime('u.updated_at')}`

export const agreementColumns = sql`
  a.id, a.agreement_id, a.agreement_number, a.document_url, a.property_unit_id, a.landlord_id,
  array(
    select t.tenant_id from agreement_tenants t where t.agreement_id = a.id order by t.id
  ) as tenant_ids,
  a.agreement_start_date, a.agreement_end_date, a.tenure_in_months, a.auto_renew,
  a.rent_amount, a.deposit_amount, a.rent_due_day, a.notice_period_days, a.status, a.amenities,
  a.pets_allowed, a.non_veg_allowed, a.smoking_allowed, a.bachelor_allowed,
  a.additional_policies, a.improvements, a.signed_date, a.termination_date, a.termination_reason,
  a.payment_terms, a.late_fee, a.billing_cycle, a.rent_in, a.rent_rounding, a.late_fee_kind, a.late_fee_percent,
  a.late_fee_grace_days, a.late_fee_cap, a.escalation_percent, a.escalation_every_months, a.recurring_charges,
  a.signing_order,
  (select r.agreement_id from agreements r where r.id = a.revises_id) as revises_agreement_id,
  (select r.agreement_id from agreements r where r.id = a.renews_id) as renews_agreement_id,
  a.is_active, ${isoTime('a.created_at')}, ${isoTime('a.updated_at')}`

/** Units that the user owns or manages. */
export const visibleUnits = (userId: string) => sql`
  property_units u
  where u.is_active and (u.landlord_id = ${userId} or u.managed_by_id = ${userId})`

// An array keeps the planner from walking all ids backwards for a page of the newest.
export const listedProperties = sql`
  properties p
  where p.is_active and p.id = any (array(
    select id from properties where landlord_id = me.id and is_active
    union select property_id from property_units where landlord_id = me.id and is_active
  ))`

export const visibleProperty = (userId: string, id: string) => sql`
  properties p
  where p.is_active
    and p.id = ${id}::int
    and (
      p.landlord_id = ${userId}
      or exists (select from ${visibleUnits(userId)} and u.property_id = p.id)
    )`

export const propertyWithUnits = (userId: string, id: string) => {
  const units = sql`select ${unitColumns} from ${visibleUnits(userId)} and u.property_id = p.id order by u.id`
  return sql`
    select ${propertyColumns}, ${jsonArray(units)} as property_units
    from ${visibleProperty(userId, id)}`
}

export const listedAgreements = sql`
  agreements a
  where a.is_active and a.id = any (array(
    select id from agreements where landlord_id = me.id and is_active
    union
    select g.id
    from property_units u
    join agreements g on g.property_unit_id = u.id
    where u.managed_by_id = me.id and u.is_active and g.is_active
    union
    select agreement_id from agreement_tenants where tenant_id = me.id
  ))`

export const visibleAgreement = (userId: string, id: string) => sql`
  agreements a
  where a.is_active
    and a.id = ${id}::int
    and (
      a.landlord_id = ${userId}
      or exists (
        select from property_units u
        where u.id = a.property_unit_id and u.managed_by_id = ${userId} and u.is_active
      )
      or exists (
        select from agreement_tenants t where t.agreement_id = a.id and t.tenant_id = ${userId}
      )
    )`
