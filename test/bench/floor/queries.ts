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

const userColumns = sql`
  u.id, u.user_id, u.phone, u.first_name, u.last_name, u.email,
  lower(u.role) as role,
  u.first_name is not null and u.last_name is not null and u.email is not null as has_completed_profile,
  u.kyc_verified as has_verified_profile`

const propertyColumns = sql`
  p.id, p.property_id, p.society_building, p.survey_number, p.road_name, p.locality, p.landmark,
  p.pin_code, p.district, p.city, p.state, p.country, p.alias_name, p.property_type, p.common_amenities,
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

/** Units that the user owns or manages. */
export const visibleUnits = (userId: string) => sql`
  property_units u
  where u.is_active and (u.landlord_id = ${userId} or u.managed_by_id = ${userId})`

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

export const selectActor = sql`select me.id ${fromSession}`

export const selectMe = sql`
  select ${jsonObject(`select ${userColumns} from users u where u.id = me.id`)} as row ${fromSession}`

// An array keeps the planner from walking all ids backwards for a page of the newest.
const listedProperties = sql`
  properties p
  where p.is_active and p.id = any (array(
    select id from properties where landlord_id = me.id and is_active
    union select property_id from property_units where landlord_id = me.id and is_active
  ))`

export const selectProperties = sql`
  select
    ${jsonArray(`select ${propertyColumns} from ${listedProperties} order by id desc limit $5::int`)} as data,
    (select count(*)::int from ${listedProperties}) as total
  ${fromSession}`

const propertyUnits = sql`
  select ${unitColumns} from ${visibleUnits('me.id')} and u.property_id = p.id order by u.id`

const propertyWithUnits = sql`
  select ${propertyColumns}, ${jsonArray(propertyUnits)} as property_units
  from properties p
  where p.is_active
    and p.id = $5::int
    and (
      p.landlord_id = me.id
      or exists (select from ${visibleUnits('me.id')} and u.property_id = p.id)
    )`

export const selectProperty = sql`select ${jsonObject(propertyWithUnits)} as row ${fromSession}`
