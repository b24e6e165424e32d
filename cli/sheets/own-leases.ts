import pLimit from 'p-limit'
import type { Agreement, Kiraya, PropertyWithUnits, Unit } from '@kiraya/sdk'

const REQUESTS_AT_ONCE = 4
/** All there are. */
const all = { limit: 1_000_000 }
const PAGE = { limit: 100, sort: 'id' } as const

export type OwnLease = { lease: Agreement; unit: Unit; property: PropertyWithUnits }

/** All properties of the user, oldest first. */
export const listProperties = ({ properties }: Kiraya) => properties.list(PAGE).toArray(all)

/** The user's properties with the user's own units: units that the user manages belong to others. */
export async function loadOwnProperties(client: Kiraya): Promise<PropertyWithUnits[]> {
  const { user } = await client.auth.me()
  const list = await listProperties(client)
  const properties = await pLimit(REQUESTS_AT_ONCE).map(list, ({ id }) => client.properties.get(id))
  return properties.map(property => ({
    ...property,
    property_units: property.property_units
      .filter(({ landlord_id }) => landlord_id === user.id)
      .toSorted((a, b) => a.id - b.id),
  }))
}

/** The leases of the user's own units, oldest first. */
export async function loadOwnLeases(client: Kiraya): Promise<OwnLease[]> {
  const properties = await loadOwnProperties(client)
  const places = new Map(
    properties.flatMap(property =>
      property.property_units.map(unit => [unit.id, { unit, property }] as const),
    ),
  )
  const leases = await client.agreements.list(PAGE).toArray(all)
  return leases.flatMap(lease => {
    const place = places.get(lease.property_unit_id)
    return place ? [{ lease, ...place }] : []
  })
}

// What there is for leases, oldest first.

export const listCharges = ({ charges }: Kiraya) => charges.list(PAGE).toArray(all)
export const listPayments = ({ payments }: Kiraya) => payments.list(PAGE).toArray(all)
export const listPeople = ({ tenants }: Kiraya) => tenants.list(PAGE).toArray(all)

export async function loadHeldDeposits({ deposits }: Kiraya, ids: number[]) {
  const held = await pLimit(REQUESTS_AT_ONCE).map(
    ids,
    async id => [id, (await deposits.get(id)).held] as const,
  )
  return new Map(held)
}
