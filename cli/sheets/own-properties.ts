import pLimit from 'p-limit'
import type { Kiraya, PropertyWithUnits } from '@kiraya/sdk'

const REQUESTS_AT_ONCE = 4
const MAX_RECORDS = 1_000_000
const all = { limit: MAX_RECORDS }

/** All properties of the user, oldest first. */
export const listProperties = ({ properties }: Kiraya) =>
  properties.list({ limit: 100, sort: 'id' }).toArray(all)

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
