import type { Property, PropertyWithUnits, Unit } from '@kiraya/sdk'
import { toNameKey } from '@kiraya/sdk/contract/names'
import { NewProperty } from '@kiraya/sdk/contract/properties'
import { NewUnit } from '@kiraya/sdk/contract/units'
import { formatCell } from './cells'
import { changeColumns, createColumn, omitColumns, toColumns, type Column } from './columns'
import type { PlannedProperty } from './property-records'
import type { Locate, Row, SheetError } from './read-sheet'
import { toKey } from './repeatable'

const nameFlag = { name: 'property', help: 'name of the property of rows without one' }
const pinFlag = { name: 'pin-code', help: 'PIN code of rows without one' }
const typeFlag = { name: 'property-type', help: 'kind of property of rows without one' }

export const propertyColumn = createColumn('property', 'text', {
  isRequired: true,
  fillsDown: true,
  schema: NewProperty.properties.alias_name,
  flag: nameFlag,
})

/** What a sheet says of the property of a row. A merged cell counts for all its rows. */
export const propertyColumns = changeColumns(
  omitColumns(toColumns(NewProperty), 'property_units').map(column => ({ ...column, fillsDown: true })),
  { pin_code: { flag: pinFlag }, property_type: { flag: typeFlag } },
)
// A manager's id means nothing on another server; the row of a property without units has no values here.
const unitColumns = omitColumns(toColumns({ ...NewUnit, required: [] }), 'managed_by_id')

/** One row is a unit. The rows of one property have its name or its number in `property`. */
export const propertySheet = {
  columns: [propertyColumn, ...propertyColumns, ...unitColumns],
}

export type FileProperty = { plan: PlannedProperty; line: number; unitLines: number[] }

/** Gathers the rows of each property. One that is called otherwise than by a number has that name. */
export function toProperties(rows: Row[]): FileProperty[] {
  const groups = Map.groupBy(rows, toPropertyKey)
  return [...groups.values()].map(group => {
    const { line, values } = group[0]!
    const withUnit = group.filter(row => row.values.unit_name !== undefined)
    const property_units = withUnit.map(row => pickFields<NewUnit>(row.values, unitColumns))
    const name = /^\d+$/.test(String(values.property)) ? {} : { alias_name: String(values.property) }
    const fields = pickFields<NewProperty>(gatherFields(group), propertyColumns)
    return { plan: { ...name, ...fields, property_units }, line, unitLines: withUnit.map(row => row.line) }
  })
}

const toPropertyKey = ({ values }: Row) => toNameKey(String(values.property))

/** Of several rows, the first that has a value tells it. */
const gatherFields = (group: Row[]): Row['values'] =>
  Object.assign({}, ...group.map(({ values }) => values).toReversed())

export const pickFields = <Body>(values: Row['values'], columns: readonly Column[]) =>
  Object.fromEntries(
    columns.filter(({ name }) => name in values).map(({ name }) => [name, values[name]]),
  ) as Body

/** Finds the rows of a property that contradict the first that has the value. */
export function findContradictions(rows: Row[], locate: Locate): SheetError[] {
  const groups = Map.groupBy(rows, toPropertyKey)
  return [...groups.values()].flatMap(group =>
    propertyColumns.flatMap(({ name }) => {
      const [first, ...others] = group.filter(({ values }) => name in values)
      return others
        .filter(({ values }) => formatCell(values[name]) !== formatCell(first!.values[name]))
        .map(({ line }) => ({
          ...locate(line, name),
          message: `differs from row ${first!.line}, which has the same property`,
        }))
    }),
  )
}

/** Finds the rows that say something of a unit, and not its name. */
export const findNameless = (rows: Row[], locate: Locate): SheetError[] =>
  rows
    .filter(({ values }) => !('unit_name' in values) && unitColumns.some(({ name }) => name in values))
    .map(({ line }) => ({ ...locate(line, 'unit_name'), message: 'is missing' }))

/** The cells of a file, with its heading. */
export function toCells(properties: PropertyWithUnits[]): string[][] {
  const rows = properties.flatMap((property, index) => {
    const propertyCells = [String(index + 1), ...formatFields(property, propertyColumns)]
    const units: Partial<Unit>[] = property.property_units.length > 0 ? property.property_units : [{}]
    return units.map(unit => [...propertyCells, ...formatFields(unit, unitColumns)])
  })
  return [propertySheet.columns.map(({ name }) => name), ...rows]
}

const formatFields = (record: Record<string, unknown>, columns: Column[]) =>
  columns.map(({ name }) => formatCell(record[name]))

/** The place follows from the PIN code, and a nameless property gets a name from the server. */
const identityColumns = propertyColumns.filter(
  ({ name }) => !['city', 'district', 'state', 'alias_name'].includes(name),
)

/** What makes a property of the file and an existing one the same. */
export function toIdentity(property: NewProperty | Property) {
  const { society_building, locality, city } = property
  const defaultName = society_building ?? locality ?? null
  const name = property.alias_name ?? defaultName
  const isNamedAfterCity = defaultName === null && name === city
  const values = identityColumns.map(
    ({ name: field, schema }) => (property as Record<string, unknown>)[field] ?? schema.default ?? null,
  )
  return toKey(toNameKey(JSON.stringify([isNamedAfterCity ? null : name, ...values])))
}
