/** The floor's statements. $1 to $4 of a read are the token's hash, the session, the user and the phone number; `me` is whom the session belongs to. */
const session =
  'from auth_sessions s join users me on me.id = s.user_id where s.auth_token = $1 and s.sid = $2 and me.id = $3 and me.phone = $4 and me.is_active'
const time = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column.slice(2)}`
const many = (rows: string) => `(select coalesce(json_agg(x), '[]') from (${rows}) x)`
const single = (rows: string) => `(select row_to_json(x) from (${rows}) x)`

const user = `u.id, u.user_id, u.phone, u.first_name, u.last_name, u.email, lower(u.role) as role, u.first_name is not null and u.last_name is not null and u.email is not null as has_completed_profile, u.kyc_verified as has_verified_profile`
const building = `p.society_building, p.survey_number, p.road_name, p.locality, p.landmark, p.pin_code, p.district, p.city, p.state, p.country`
const propertyFields = `p.id, p.property_id, ${building}, p.alias_name, p.property_type, p.common_amenities, p.property_approved, ${time('p.property_approved_at')}, p.property_approved_by, p.landlord_id, p.is_active, ${time('p.created_at')}, ${time('p.updated_at')}`
const unitFields = `u.id, u.property_unit_id, u.property_id, u.landlord_id, u.managed_by_id, u.unit_name, u.room_type, u.furnishing_type, u.furniture_included, u.area_sqft, u.floor_number,
  u.is_available and not exists (select from agreements a where a.property_unit_id = u.id and a.status = 'ACTIVE' and a.is_active) as is_available, u.unit_notes, u.unit_amenities, u.is_active, ${time('u.created_at')}, ${time('u.updated_at')}`
const agreementFields = `a.id, a.agreement_id, a.agreement_number, a.document_url, a.property_unit_id, a.landlord_id,
  array(select t.tenant_id from agreement_tenants t where t.agreement_id = a.id order by t.id) as tenant_ids, a.agreement_start_date, a.agreement_end_date, a.tenure_in_months, a.auto_renew, a.rent_amount, a.deposit_amount,
  a.rent_due_day, a.notice_period_days, a.status, a.amenities, a.pets_allowed, a.non_veg_allowed, a.smoking_allowed, a.bachelor_allowed, a.additional_policies, a.improvements, a.signed_date, a.termination_date, a.termination_reason,
  a.payment_terms, a.late_fee, a.signing_order, (select r.agreement_id from agreements r where r.id = a.revises_id) as revises_agreement_id, a.is_active, ${time('a.created_at')}, ${time('a.updated_at')}`

const unitsOf = (me: string) =>
  `property_units u where u.is_active and (u.landlord_id = ${me} or u.managed_by_id = ${me})`
// An array keeps the planner from walking all ids backwards for a page of the newest.
const propertiesOf = `properties p where p.is_active and p.id = any (array(select id from properties where landlord_id = me.id and is_active union select property_id from property_units where landlord_id = me.id and is_active))`
const propertyOf = (me: string, id: string) =>
  `properties p where p.is_active and p.id = ${id}::int and (p.landlord_id = ${me} or exists (select from ${unitsOf(me)} and u.property_id = p.id))`
const agreementsOf = `agreements a where a.is_active and a.id = any (array(select id from agreements where landlord_id = me.id and is_active
  union select g.id from property_units u join agreements g on g.property_unit_id = u.id where u.managed_by_id = me.id and u.is_active and g.is_active union select agreement_id from agreement_tenants where tenant_id = me.id))`
const agreementOf = (
  me: string,
  id: string,
) => `agreements a where a.is_active and a.id = ${id}::int and (a.landlord_id = ${me}
  or exists (select from property_units u where u.id = a.property_unit_id and u.managed_by_id = ${me} and u.is_active) or exists (select from agreement_tenants t where t.agreement_id = a.id and t.tenant_id = ${me}))`
const withUnits = (me: string, id: string) =>
  `select ${propertyFields}, ${many(`select ${unitFields} from ${unitsOf(me)} and u.property_id = p.id order by u.id`)} as property_units from ${propertyOf(me, id)}`
const page = (fields: string, of: string, limit: string) =>
  `${many(`select ${fields} from ${of} order by id desc limit ${limit}::int`)} as data, (select count(*)::int from ${of}) as total`

// Reads.
export const actor = `select me.id ${session}`
export const me = `select ${single(`select ${user} from users u where u.id = me.id`)} as row ${session}`
export const properties = `select ${page(propertyFields, propertiesOf, '$5')} ${session}`
export const property = `select ${single(withUnits('me.id', '$5'))} as row ${session}`
const unitsOfProperty = `${unitsOf('me.id')} and u.property_id = (select p.id from ${propertyOf('me.id', '$5')})`
export const units = `select ${many(`select ${unitFields} from ${unitsOfProperty} order by id limit 50`)} as data, (select count(*)::int from ${unitsOfProperty}) as total, exists (select from ${propertyOf('me.id', '$5')}) as there ${session}`
const candidates = `select p.property_id, ${building}, p.property_type, round(alike.name::numeric, 4) as score from properties p cross join lateral (select similarity(p.society_building, $5::text) as name offset 0) alike
  where p.is_active and p.pin_code = $6::int and alike.name >= 0.3 order by score desc, p.id limit 10`
export const search = `select ${many(candidates)} as data ${session}`
export const agreements = `select ${page(agreementFields, agreementsOf, '$5')} ${session}`
export const agreement = `select ${single(`select ${agreementFields} from ${agreementOf('me.id', '$5')}`)} as row ${session}`
export const signatures = `select ${single(
  `select a.signed_date, ${many(`select distinct on (s.signer_id) s.id, s.signature_id, s.signer_id, lower(s.signer_role) as signer_role, case when s.status = 'PENDING' and s.expires_at <= $6::timestamptz then 'expired' else lower(s.status) end as status, ${time('s.expires_at')}, s.decline_reason, ${time('s.signed_at')}
  from agreement_signatures s where s.agreement_id = a.id and s.provider_request_id is not null order by s.signer_id, s.status = 'SIGNED' desc, s.id desc`)} as signatures from ${agreementOf('me.id', '$5')}`,
)} as row ${session}`
const active = `agreements a where a.landlord_id = me.id and a.status = 'ACTIVE' and a.is_active`
const due = `date_trunc('month', $5::date)::date + least(a.rent_due_day, extract(day from date_trunc('month', $5::date) + interval '1 month - 1 day')::int) - 1`
export const dashboard = `select ${single(`select ${single(`select ${user} from users u where u.id = me.id`)} as user, ${single(`select (select count(*) from ${propertiesOf}) as total_properties,
    (select count(distinct t.tenant_id) from agreement_tenants t join ${active.replace(' where ', ' on a.id = t.agreement_id where ')}) as total_tenants,
    (select count(*) from ${active} and ${due} <= $5::date and a.agreement_start_date <= ${due} and a.agreement_end_date >= ${due}) as pending_payments, 0 as maintenance_requests`)} as stats,
  ${many(`select y.id, y.type, y.message, y.entity_type, y.entity_id, y.actor_id, ${time('y.occurred_at')} from activities y where y.user_id = me.id order by y.id desc limit 20`)} as recent_activity`)} as row ${session}`

// Sign-in.
const limits = (
  n: number,
) => `insert into rate_limits (key, count, resets_at, created_at) values ${Array.from({ length: n }, (_, i) => `($${2 + 2 * i}, 1, $${3 + 2 * i}::timestamptz, $1::timestamptz)`)}
  on conflict (key) do update set count = case when rate_limits.resets_at <= $1::timestamptz then 1 else rate_limits.count + 1 end, resets_at = case when rate_limits.resets_at <= $1::timestamptz then excluded.resets_at else rate_limits.resets_at end returning count`
export const countThree = limits(3)
export const countTwo = limits(2)
export const giveBack = 'update rate_limits set count = count - 1 where key in ($1, $2) and count > 0'
export const accountByPhone =
  'select user_id, first_name, last_name, email, phone as phone_number, last_login_at, is_active from users where phone = $1'
export const putOtp =
  'insert into otp_sessions (phone_number, otp, expire_at, attempts, updated_at, created_at) values ($1, $2, $3::timestamptz, 0, $4::timestamptz, $4::timestamptz) on conflict (phone_number) do update set otp = $2, expire_at = $3::timestamptz, attempts = 0, updated_at = $4::timestamptz, created_at = $4::timestamptz'
export const useOtp = `merge into otp_sessions o using (select $1::text as phone, $2::text as otp) given on given.phone = o.phone_number when matched and (o.expire_at <= $3::timestamptz or o.attempts >= 5) then do nothing
  when matched and o.otp = given.otp then delete when matched then update set attempts = o.attempts + 1, updated_at = $3::timestamptz returning merge_action() as action`
export const addUser = 'insert into users (phone) values ($1) on conflict (phone) do nothing'
export const lockUser = 'select * from users where phone = $1 and is_active for update'
export const password = 'select id, password from users where phone = $1 and is_active'
export const lockAccount = 'select * from users where id = $1 and is_active and password = $2 for update'
export const dropSessions =
  'delete from auth_sessions where user_id = $1 and token_expires_at <= $2::timestamptz'
export const deactivateSessions =
  'update auth_sessions set is_active = false, updated_at = $2::timestamptz where user_id = $1 and is_active'
export const addSession =
  'insert into auth_sessions (sid, user_id, auth_token, expires_by, token_expires_at, created_at, updated_at, is_active) values ($1, $2, $3, $4::timestamptz, $5::timestamptz, $6::timestamptz, $6::timestamptz, true) returning id'
export const signedIn =
  'update users set last_login_at = $2::timestamptz, updated_at = $2::timestamptz where id = $1'
export const userById = `select row_to_json(x) as row from (select ${user} from users u where u.id = $1) x`

// Properties and units.
export const tell = `insert into activities (user_id, occurred_at, type, message, entity_type, entity_id, actor_id) select u.id, $1::timestamptz, n.type, n.message, n.entity_type, n.entity_id, n.actor_id
  from json_to_recordset($2::text::json) as n (user_id int, position int, type text, message text, entity_type text, entity_id int, actor_id int) join users u on u.id = n.user_id and u.is_active order by u.id, n.position for key share of u`
export const heldUser = 'select id from users where id = $1 and is_active for key share'
export const activeUser = 'select * from users where id = $1 and is_active'
export const addProperty = `insert into properties (society_building, locality, pin_code, district, city, state, country, alias_name, property_type, property_approved, property_approved_at, landlord_id, created_at, updated_at, is_active)
  values ($1, $2, $3, $4, $5, $6, 'India', $7, $8, true, $9::timestamptz, $10, $9::timestamptz, $9::timestamptz, true) returning id, property_id`
const unitColumns =
  'property_id, landlord_id, managed_by_id, unit_name, room_type, is_available, created_at, updated_at'
export const addUnits = `insert into property_units (${unitColumns}) select ${unitColumns} from json_populate_recordset(null::property_units, $1::text::json) returning *`
export const shownProperty = `select ${single(withUnits('$1::int', '$2'))} as row`
export const lockOwnUnit =
  'select * from property_units where is_active and id = $1 and property_id = $2 and (landlord_id = $3 or managed_by_id = $3) for update'
export const noteUnit =
  'update property_units set unit_notes = $2, updated_at = $3::timestamptz where id = $1'
export const shownUnit = `select ${single(`select ${unitFields} from ${unitsOf('$1::int')} and u.id = $2::int`)} as row`

// Agreements.
export const shareOwnUnit =
  'select * from property_units where is_active and id = $1 and (landlord_id = $2 or managed_by_id = $2) for share'
export const nextNumber =
  'insert into agreement_counters (landlord_id, year, last_number) values ($1, $2, 1) on conflict (landlord_id, year) do update set last_number = agreement_counters.last_number + 1 returning last_number'
export const numberTaken =
  'select count(*)::int as n from agreements where is_active and landlord_id = $1 and agreement_number = $2'
export const addAgreement = `insert into agreements (agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, deposit_amount, rent_due_day, notice_period_days, status, revision, timeline_length, created_at, updated_at, is_active)
  values ($1, $2, $3, $4, $5::text::date, $6::text::date, $7, $8::float8, $9::float8, $10, $11, 'DRAFT', 0, 0, $12::timestamptz, $12::timestamptz, true) returning id, agreement_id`
export const addTenant =
  'insert into agreement_tenants (agreement_id, tenant_id) values ($1, $2) returning id'
export const addEvent =
  'insert into agreement_events (agreement_id, position, type, actor_id, details, occurred_at, hash) values ($1, $2, $3, $4::int, $5::text::jsonb, $6::timestamptz, $7) returning id'
export const moveAgreement =
  'update agreements set status = $2, timeline_length = $3, timeline_hash = $4, signed_date = $5::text::date, updated_at = $6::timestamptz where id = $1'
export const shownAgreement = `select ${single(`select ${agreementFields} from ${agreementOf('$1::int', '$2')}`)} as row`

// Signing and webhooks.
export const visibleAgreement = `select a.id, a.property_unit_id from ${agreementOf('$2::int', '$1')}`
export const unitById = 'select * from property_units where id = $1'
export const shareUnit = `${unitById} for share`
export const lockUnit = `${unitById} for update`
export const lockAgreement =
  'select *, agreement_start_date::text, agreement_end_date::text from agreements where id = $1 for update'
export const tenantsOf = 'select * from agreement_tenants where agreement_id = $1 order by id'
export const openSignature = `select * from agreement_signatures where agreement_id = $1 and signer_id = $2 and status in ('PENDING', 'SIGNED') for update`
export const overlapping = `select count(*)::int as n from agreements where is_active and id <> $1 and property_unit_id = $2 and status in ('PENDING', 'ACTIVE') and agreement_start_date <= $4::text::date and agreement_end_date >= $3::text::date`
export const addSignature = `insert into agreement_signatures (agreement_id, signer_id, signer_role, status, provider, expires_at, reminders, created_at, updated_at) values ($1, $2, $3, 'PENDING', 'sandbox', $4::timestamptz, 0, $5::timestamptz, $5::timestamptz) returning id, signature_id`
export const earlierSignatures =
  'select * from agreement_signatures where agreement_id = $1 and provider_request_id is not null order by id desc'
export const twoUsers = 'select * from users where id in ($1, $2)'
export const lockSignature = 'select * from agreement_signatures where id = $1 for update'
export const lockSignatures = 'select * from agreement_signatures where agreement_id = $1 for update'
export const sameRequest = `select count(*)::int as n from agreement_signatures where provider = 'sandbox' and provider_request_id = $1`
export const earlierSignature =
  'select * from agreement_signatures where agreement_id = $1 and signer_id = $2 and id <> $3 and provider_request_id is not null order by id desc limit 1'
export const sentSignature =
  'update agreement_signatures set provider_request_id = $2, provider_signature_id = $3, signing_url = $4, expires_at = $5::timestamptz, next_reminder_at = $6::timestamptz, updated_at = $7::timestamptz where id = $1'
export const knownSignatures = `select * from agreement_signatures where agreement_id = $1 and status in ('PENDING', 'SIGNED')`
export const deliveriesOf = `select id from webhook_deliveries where provider = 'sandbox' and request_id = $1 order by id`
export const addDelivery = `insert into webhook_deliveries (provider, digest, payload, request_id, document_id, next_attempt_at, created_at) values ('sandbox', $1, $2, $3, $4, $5::timestamptz, $6::timestamptz) on conflict (digest) do update set digest = $1 returning id, processed_at`
export const tryDelivery = `update webhook_deliveries set attempts = attempts + 1, next_attempt_at = $2::timestamptz + greatest(interval '1 minute', $2::timestamptz - created_at) where id = $1 returning payload`
export const deliveryDone = `update webhook_deliveries set outcome = 'signed', processed_at = $2::timestamptz, next_attempt_at = null, last_error = null where id = $1`
export const signatureOf = `select * from agreement_signatures where provider = 'sandbox' and provider_request_id = $1`
export const signedSignature = `update agreement_signatures set status = 'SIGNED', signed_at = $2::timestamptz, next_reminder_at = null, updated_at = $2::timestamptz where id = $1`
export const documentsDue = `update agreement_signatures set next_reminder_at = null, document_due_at = $2::timestamptz where agreement_id = $1 and status = 'SIGNED'`
export const addSandboxRecord =
  'insert into sandbox_records (id, kind, data) values ($1, $2, $3::text::jsonb)'
export const sandboxRecord = 'select data from sandbox_records where id = $1 and kind = $2'
