import type { Property, PropertyWithUnits, Unit } from '@kiraya/sdk'
import { toNameKey } from '@kiraya/sdk/contract/names'
import { NewProperty } from '@kiraya/sdk/contract/properties'
import { NewUnit } from '@kiraya/sdk/contract/units'
import { formatCell } from './cells'
import { toColumns, type Column } from './columns'
import type { PlannedProperty } from './property-records'
import type { CsvError, Row } from './read-csv'
import { toKey } from './repeatable'

const numberColumn: Column = {
  name: 'property',
  kind: 'integer',
  isRequired: true,
  schema: { minimum: 1, maximum: 1_000_000_000 },
}
const propertyColumns = toColumns(NewProperty, 'property_units')
// A manager's id means nothing on another server; the row of a property without units has no values here.
const unitColumns = toColumns({ ...NewUnit, required: [] }, 'managed_by_id')

/** One row is a unit. The rows of one property have its number in `property` and repeat its values. */
export const propertyFileColumns = [numberColumn, ...propertyColumns, ...unitColumns]

export type FileProperty = { plan: PlannedProperty; line: number; unitLines: number[] }

/** Gathers the rows of each property; its values are those of its first row. */
export function toProperties(rows: Row[]): FileProperty[] {
  const groups = Map.groupBy(rows, ({ values }) => values.property)
  return [...groups.values()].map(group => {
    const [first] = group
    const withUnit = group.filter(({ values }) => values.unit_name !== undefined)
    const units = withUnit.map(row => pickFields<NewUnit>(row, unitColumns))
    const plan = { ...pickFields<NewProperty>(first!, propertyColumns), property_units: units }
    return { plan, line: first!.line, unitLines: withUnit.map(({ line }) => line) }
  })
}

const pickFields = <Body>({ values }: Row, columns: Column[]) =>
  Object.fromEntries(
    columns.filter(({ name }) => name in values).map(({ name }) => [name, values[name]]),
  ) as Body

/** Returns what no single cell shows: units without a name, and rows of a property that contradict each other. */
export function findContradictions(rows: Row[]): CsvError[] {
  const firstRows = new Map(rows.toReversed().map(row => [row.values.property, row]))
  return rows.flatMap(({ line, values }) => {
    const first = firstRows.get(values.property)!
    const isNameless = values.unit_name === undefined && unitColumns.some(({ name }) => name in values)
    const message = `differs from line ${first.line}, which has the same property`
    const different = propertyColumns
      .filter(({ name }) => name in values && formatCell(values[name]) !== formatCell(first.values[name]))
      .map(({ name }) => ({ line, column: name, message }))
    return [...(isNameless ? [{ line, column: 'unit_name', message: 'is missing' }] : []), ...different]
  })
}

/** The cells of a file, with its heading. */
export function toCells(properties: PropertyWithUnits[]): string[][] {
  const rows = properties.flatMap((property, index) => {
    const propertyCells = [String(index + 1), ...formatFields(property, propertyColumns)]
    const units: Partial<Unit>[] = property.property_units.length > 0 ? property.property_units : [{}]
    return units.map(unit => [...propertyCells, ...formatFields(unit, unitColumns)])
  })
  return [propertyFileColumns.map(({ name }) => name), ...rows]
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
