import type { CallOptions, Kiraya, NewProperty, NewUnit, PropertyWithUnits } from '@kiraya/sdk'
import { toNameKey } from '@kiraya/sdk/contract/names'
import { createOnce, toKey } from './repeatable'

/** The API takes so many units with a new property. */
const MAX_FIRST_UNITS = 100

export type PlannedProperty = NewProperty & { property_units: NewUnit[] }

type Source = {
  client: Kiraya
  /** What distinguishes the keys of this record from those of others with the same values. */
  key: unknown[]
  /** The property, if it was created before. */
  id?: number
}

/** Creates a property with its units, or the units that an existing one lacks. */
export async function completeProperty({ client, key, id }: Source, plan: PlannedProperty) {
  const input = { ...plan, property_units: plan.property_units.slice(0, MAX_FIRST_UNITS) }
  const { properties, units } = client
  const create = () => createOnce(properties, input, toKey(...key, input))
  const property = id === undefined ? await create() : await properties.get(id)
  const unitCalls = {
    create: (unit: NewUnit, options: CallOptions) => units.create(property.id, unit, options),
    get: (unitId: number) => units.get(property.id, unitId),
  }
  for (const [index, unit] of selectMissing(plan, property))
    property.property_units.push(await createOnce(unitCalls, unit, toKey(...key, property.id, unit, index)))
  return property
}

/** Two units may have one name: as many are missing as the plan has more of that name. */
function selectMissing({ property_units }: PlannedProperty, existing: PropertyWithUnits) {
  const names = existing.property_units.map(({ unit_name }) => toNameKey(unit_name))
  return [...property_units.entries()].filter(([, { unit_name }]) => {
    const index = names.indexOf(toNameKey(unit_name))
    if (index >= 0) names.splice(index, 1)
    return index < 0
  })
}
