import { sql } from 'kysely'
import { toNameKey } from '@kiraya/sdk/contract'
import type { LeaseRow, PropertyType } from '@kiraya/sdk/contract'
import { executeCompiled, findEntities } from '../../db/compiled-queries'
import { SQL_TRUE, type Db } from '../../db/database'
import { Agreement } from '../../db/entities'
import type { Tx } from '../deps'
import { isUuid } from '../domain/record-id'
import type { AgreementUnit } from '../leases/access'
import { selectShownNames } from '../listing/tenants/queries'

// What a landlord has already of the rows of an import, locked against other changes.

/** `is_listed`: a property of the landlord that is not deleted. */
type KnownProperty = {
  id: number
  alias_name: string
  pin_code: number
  property_type: PropertyType
  is_listed: boolean
}
export type KnownUnit = AgreementUnit & {
  property_id: number
  unit_name: string
  manager_phone: string | null
}
export type KnownLease = {
  agreement: Agreement
  unit: KnownUnit
  property: KnownProperty
  /** In the order of the lease. */
  tenants: Tenant[]
}
export type Known = Awaited<ReturnType<typeof loadKnown>>

export const toPropertyKey = ({ alias_name, pin_code }: Pick<KnownProperty, 'alias_name' | 'pin_code'>) =>
  `${pin_code} ${toNameKey(alias_name)}`

/** Loads the landlord's properties, units, leases and names of people of the rows; units come before leases in `LOCK_ORDER`. */
export async function loadKnown({ em, actor }: Tx, rows: LeaseRow[]) {
  const refs = rows.map(({ external_ref }) => external_ref)
  const given = { landlordId: actor.id, refs, uuids: refs.filter(isUuid) }
  const pinCodes = rows.map(({ property }) => property.pin_code)
  const properties = await executeCompiled(em, selectProperties, { ...given, pinCodes })
  const propertyIds = properties.map(({ id }) => id)
  const units = await executeCompiled(em, selectUnits, { landlordId: actor.id, propertyIds })
  const agreements = await findEntities(em, Agreement, selectLeases, given)
  const ids = agreements.map(({ id }) => id)
  const tenants = await executeCompiled(em, selectTenantsOf, { ids })
  const phones = rows.flatMap(row => row.tenants.map(({ phone_number }) => phone_number))
  const contacts = await executeCompiled(em, selectContacts, { landlordId: actor.id, phones })
  const shown = await executeCompiled(em, selectShownNames, { userId: actor.id, phones })
  const terms = await executeCompiled(em, selectLetTerms, { unitIds: units.map(({ id }) => id) })
  const byUnit = new Map(units.map(unit => [unit.id, unit]))
  const byProperty = new Map(properties.map(property => [property.id, property]))
  const leases = agreements.map((agreement): KnownLease => {
    const unit = byUnit.get(agreement.property_unit_id)!
    const own = tenants.filter(({ agreement_id }) => agreement_id === agreement.id)
    return { agreement, unit, property: byProperty.get(unit.property_id)!, tenants: own }
  })
  return {
    properties: Map.groupBy(
      properties.filter(({ is_listed }) => is_listed),
      toPropertyKey,
    ),
    units: Map.groupBy(
      units.filter(({ is_active }) => is_active),
      ({ property_id, unit_name }) => `${property_id} ${toNameKey(unit_name)}`,
    ),
    leases: new Map(
      leases.flatMap(lease => [
        [lease.agreement.agreement_id, lease] as const,
        [lease.agreement.external_ref ?? lease.agreement.agreement_id, lease] as const,
      ]),
    ),
    contacts: new Map(contacts.map(contact => [contact.phone, contact])),
    /** The names that the landlord is shown, which are a tenant's own once they have signed. */
    shown: new Map(shown.map(names => [names.phone!, names])),
    letTerms: Map.groupBy(terms, ({ property_unit_id }) => property_unit_id),
  }
}

type GivenRefs = { landlordId: number; refs: string[]; uuids: string[] }

/** Those of the rows by their PIN codes, and those of the leases that the rows repeat. */
const selectProperties = (
  _: Db,
  { landlordId, pinCodes, refs, uuids }: GivenRefs & { pinCodes: number[] },
) => sql<KnownProperty>`
  select id, alias_name, pin_code, property_type,
    (landlord_id = ${landlordId} and is_active and is_listed) as is_listed
  from properties
  where landlord_id = ${landlordId} and is_active and is_listed and pin_code = any(${pinCodes}::int[])
    or id = any(array(
      select unit.property_id from agreements lease join property_units unit on unit.id = lease.property_unit_id
      where lease.landlord_id = ${landlordId} and lease.is_active
        and (lease.external_ref = any(${refs}::text[]) or lease.agreement_id = any(${uuids}::uuid[]))
    ))
  order by id for share`

const selectUnits = (
  _: Db,
  { landlordId, propertyIds }: { landlordId: number; propertyIds: number[] },
) => sql<KnownUnit>`
  select id, property_id, unit_name, landlord_id, managed_by_id, is_active,
    (select phone from users where users.id = property_units.managed_by_id and managed_by_id <> landlord_id)
      as manager_phone
  from property_units
  where landlord_id = ${landlordId} and property_id = any(${propertyIds}::int[])
  order by id for share`

function selectLeases(db: Db, { landlordId, refs, uuids }: GivenRefs) {
  return db
    .selectFrom('agreements')
    .where('landlord_id', '=', landlordId)
    .where('is_active', '=', SQL_TRUE)
    .where(sql<boolean>`(external_ref = any(${refs}::text[]) or agreement_id = any(${uuids}::uuid[]))`)
    .orderBy('id')
    .forUpdate()
}

export type Tenant = { agreement_id: number; id: number; phone: string }

/** Selects the tenants of leases in their order. */
export const selectTenantsOf = (_: Db, { ids }: { ids: number[] }) => sql<Tenant>`
  select tenant.agreement_id, tenant.tenant_id as id, person.phone
  from agreement_tenants tenant join users person on person.id = tenant.tenant_id
  where tenant.agreement_id = any(${ids}::int[])
  order by tenant.id`

type Contact = { phone: string; first_name: string | null; last_name: string | null }

const selectContacts = (
  _: Db,
  { landlordId, phones }: { landlordId: number; phones: string[] },
) => sql<Contact>`
  select person.phone, contact.first_name, contact.last_name
  from tenant_contacts contact join users person on person.id = contact.tenant_id
  where contact.landlord_id = ${landlordId} and person.phone = any(${phones}::text[])`

export type LetTerm = { id?: number; agreement_start_date: string; agreement_end_date: string }

const selectLetTerms = (_: Db, { unitIds }: { unitIds: number[] }) => sql<
  LetTerm & { id: number; property_unit_id: number }
>`
  select id, property_unit_id, agreement_start_date, agreement_end_date from agreements
  where property_unit_id = any(${unitIds}::int[]) and is_active and status in ('PENDING', 'ACTIVE')`
