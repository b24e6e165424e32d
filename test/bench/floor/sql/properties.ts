import { jsonObject, propertyWithUnits, sql, unitColumns, visibleUnits } from './fragments'

export const shareUser = sql`select id from users where id = $1 and is_active for key share`

export const insertProperty = sql`
  insert into properties (
    society_building, locality, pin_code, district, city, state, country, alias_name, property_type,
    property_approved, property_approved_at, landlord_id, created_at, updated_at, is_active
  )
  values (
    $1, $2, $3, $4, $5, $6, 'India', $7, $8,
    true, $9::timestamptz, $10, $9::timestamptz, $9::timestamptz, true
  )
  returning id, property_id`

const newUnitColumns = sql`
  property_id, landlord_id, managed_by_id, unit_name, room_type, is_available, created_at, updated_at`

export const insertUnits = sql`
  insert into property_units (${newUnitColumns})
  select ${newUnitColumns}
  from json_populate_recordset(null::property_units, $1::text::json)
  returning *`

export const selectPropertyView = sql`select ${jsonObject(propertyWithUnits('$1::int', '$2'))} as row`

export const lockOwnUnit = sql`
  select *
  from property_units
  where is_active and id = $1 and property_id = $2 and (landlord_id = $3 or managed_by_id = $3)
  for update`

export const updateUnitNotes = sql`
  update property_units set unit_notes = $2, updated_at = $3::timestamptz where id = $1`

const ownUnit = sql`select ${unitColumns} from ${visibleUnits('$1::int')} and u.id = $2::int`

export const selectUnitView = sql`select ${jsonObject(ownUnit)} as row`
