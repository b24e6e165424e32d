import {
  agreementColumns,
  buildingColumns,
  fromSession,
  isoTime,
  jsonArray,
  jsonObject,
  jsonPage,
  listedAgreements,
  listedProperties,
  propertyColumns,
  propertyWithUnits,
  sql,
  unitColumns,
  userColumns,
  visibleAgreement,
  visibleProperty,
  visibleUnits,
} from './fragments'

export const selectActor = sql`select me.id ${fromSession}`

const ownUser = jsonObject(`select ${userColumns} from users u where u.id = me.id`)

export const selectMe = sql`select ${ownUser} as row ${fromSession}`

export const selectProperties = sql`
  select ${jsonPage(propertyColumns, listedProperties, '$5')} ${fromSession}`

export const selectProperty = sql`
  select ${jsonObject(propertyWithUnits('me.id', '$5'))} as row ${fromSession}`

const readableProperty = visibleProperty('me.id', '$5')
const unitsOfProperty = sql`
  ${visibleUnits('me.id')} and u.property_id = (select p.id from ${readableProperty})`

export const selectUnits = sql`
  select
    ${jsonArray(`select ${unitColumns} from ${unitsOfProperty} order by id limit 50`)} as data,
    (select count(*)::int from ${unitsOfProperty}) as total,
    exists (select from ${readableProperty}) as property_exists
  ${fromSession}`

const similarBuildings = sql`
  select p.property_id, ${buildingColumns}, p.property_type, round(alike.name::numeric, 4) as score
  from properties p
  cross join lateral (select similarity(p.society_building, $5::text) as name offset 0) alike
  where p.is_active
    and p.pin_code = $6::int
    and alike.name >= 0.3
  order by score desc, p.id
  limit 10`

export const selectSimilarBuildings = sql`select ${jsonArray(similarBuildings)} as data ${fromSession}`

export const selectAgreements = sql`
  select ${jsonPage(agreementColumns, listedAgreements, '$5')} ${fromSession}`

const readableAgreement = visibleAgreement('me.id', '$5')

export const selectAgreement = sql`
  select ${jsonObject(`select ${agreementColumns} from ${readableAgreement}`)} as row ${fromSession}`

const newestSignatures = sql`
  select distinct on (s.signer_id)
    s.id, s.signature_id, s.signer_id,
    lower(s.signer_role) as signer_role,
    case
      when s.status = 'PENDING' and s.expires_at <= $6::timestamptz then 'expired'
      else lower(s.status)
    end as status,
    ${isoTime('s.expires_at')}, s.decline_reason, ${isoTime('s.signed_at')}
  from agreement_signatures s
  where s.agreement_id = a.id and s.provider_request_id is not null
  order by s.signer_id, s.status = 'SIGNED' desc, s.id desc`

const agreementSignatures = sql`
  select a.signed_date, ${jsonArray(newestSignatures)} as signatures from ${readableAgreement}`

export const selectSignatures = sql`select ${jsonObject(agreementSignatures)} as row ${fromSession}`

const isActiveAgreement = `a.landlord_id = me.id and a.status = 'ACTIVE' and a.is_active`

const managedAgreements = sql`
  select id from agreements where landlord_id = me.id and is_active
  union all
  select a.id
  from property_units u
  join agreements a on a.property_unit_id = u.id
  where u.managed_by_id = me.id
    and u.landlord_id <> me.id
    and u.is_active
    and a.landlord_id <> me.id
    and a.is_active`

const stats = sql`
  with managed_agreements as materialized (${managedAgreements})
  select
    (select count(*) from ${listedProperties}) as total_properties,
    (
      select count(distinct t.tenant_id)
      from agreement_tenants t
      join agreements a on a.id = t.agreement_id
      where ${isActiveAgreement}
    ) as total_tenants,
    (
      select count(*)
      from agreements a
      join charges c on c.agreement_id = a.id
      where a.landlord_id = me.id
        and a.status in ('ACTIVE', 'TERMINATED')
        and a.is_active
        and c.type = 'rent'
        and c.amount > c.amount_paid + c.amount_credited
        and c.due_date <= $5::date
    ) as pending_payments,
    (
      select count(*)
      from maintenance_requests r
      where r.status not in ('resolved', 'closed', 'cancelled')
        and (
          r.property_unit_id = any (array(select u.id from ${visibleUnits('me.id')}))
          or r.agreement_id = any (array(select agreement_id from agreement_tenants where tenant_id = me.id))
        )
    ) as maintenance_requests,
    (
      select coalesce(sum(y.amount + y.tds_amount), 0)
      from managed_agreements g
      join payments y on y.agreement_id = g.id
      where y.status = 'posted'
        and y.paid_on >= date_trunc('month', $5::date)
        and y.paid_on < date_trunc('month', $5::date) + interval '1 month'
    ) as collected_this_month,
    (
      select coalesce(sum(c.amount - c.amount_paid - c.amount_credited), 0)
      from managed_agreements g
      join charges c on c.agreement_id = g.id
      where c.amount > c.amount_paid + c.amount_credited and c.due_date < $5::date
    ) as overdue_amount,
    (
      select count(*)
      from ${visibleUnits('me.id')}
        and u.is_available
        and not exists (
          select from agreements a
          where a.property_unit_id = u.id and a.status = 'ACTIVE' and a.is_active
        )
    ) as vacant_units`

const recentActivity = sql`
  select y.id, y.type, y.message, y.entity_type, y.entity_id, y.actor_id, ${isoTime('y.occurred_at')}
  from activities y
  where y.user_id = me.id
  order by y.id desc
  limit 20`

const dashboard = sql`
  select
    ${ownUser} as user,
    ${jsonObject(stats)} as stats,
    ${jsonArray(recentActivity)} as recent_activity`

export const selectDashboard = sql`select ${jsonObject(dashboard)} as row ${fromSession}`
