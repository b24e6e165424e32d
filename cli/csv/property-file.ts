import type { Property, PropertyWithUnits, Unit } from '@kiraya/sdk'
import { NewProperty } from '@kiraya/sdk/contract/properties'
import { NewUnit } from '@kiraya/sdk/contract/units'
import type { PlannedProperty } from './property-records'
import { toKey } from './repeatable'
import { number } from './cells'
import { toColumns } from './contract-columns'
import type { Column, CsvError, Row } from './read-csv'

type PropertyField = Exclude<keyof NewProperty, 'property_units'>
/** A manager's id means nothing on another server. */
type UnitField = Exclude<keyof NewUnit, 'managed_by_id'>
type Name = 'property' | PropertyField | UnitField

const propertyColumns = toColumns<PropertyField>(NewProperty, 'property_units')
// The row of a property without units has none of these.
const unitColumns = toColumns<UnitField>({ ...NewUnit, required: [] }, 'managed_by_id')

/** One row is a unit. The rows of one property have its number in `property` and repeat its values. */
export const propertyFileColumns: Column<Name>[] = [
  { name: 'property', kind: number(1, 1_000_000_000), isRequired: true },
  ...propertyColumns,
  ...unitColumns,
]

export type FileProperty = { plan: PlannedProperty; line: number; unitLines: number[] }

/** Gathers the rows of each property; its values are those of its first row. */
export function toProperties(rows: Row<Name>[]): FileProperty[] {
  const groups = Map.groupBy(rows, ({ values }) => values.property)
  return [...groups.values()].map(group => {
    const [first] = group
    const withUnit = group.filter(({ values }) => values.unit_name !== undefined)
    const units = withUnit.map(row => pickFields<NewUnit>(row, unitColumns))
    const plan = { ...pickFields<NewProperty>(first!, propertyColumns), property_units: units }
    return { plan, line: first!.line, unitLines: withUnit.map(({ line }) => line) }
  })
}

const pickFields = <Body>({ values }: Row<Name>, columns: Column<Name>[]) =>
  Object.fromEntries(
    columns.filter(({ name }) => values[name] !== undefined).map(({ name }) => [name, values[name]]),
  ) as Body

/** Returns what no single cell shows: units without a name, and rows of a property that contradict each other. */
export function findContradictions(rows: Row<Name>[]): CsvError[] {
  const firstRows = new Map(rows.toReversed().map(row => [row.values.property, row]))
  return rows.flatMap(({ line, values }) => {
    const first = firstRows.get(values.property)!
    const isNameless = values.unit_name === undefined
    const hasUnit = unitColumns.some(({ name }) => values[name] !== undefined)
    const nameless = isNameless && hasUnit ? [{ line, column: 'unit_name', message: 'is missing' }] : []
    const different = propertyColumns
      .filter(({ name }) => values[name] !== undefined && !isEqual(values[name], first.values[name]))
      .map(({ name }) => ({
        line,
        column: name,
        message: `differs from line ${first.line}, which has the same property`,
      }))
    return [...nameless, ...different]
  })
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The cells of a file, with its heading. */
export function toCells(properties: PropertyWithUnits[]): string[][] {
  const heading = propertyFileColumns.map(({ name }) => name)
  const rows = properties.flatMap((property, index) => {
    const propertyCells = [String(index + 1), ...formatFields(property, propertyColumns)]
    const units: Partial<Unit>[] = property.property_units.length > 0 ? property.property_units : [{}]
    return units.map(unit => [...propertyCells, ...formatFields(unit, unitColumns)])
  })
  return [heading, ...rows]
}

const formatFields = (record: object, columns: Column[]) =>
  columns.map(({ name, kind }) => {
    const value = (record as Record<string, string | null | undefined>)[name]
    return value === null || value === undefined ? '' : kind.format(value)
  })

/**
 * What makes a property of the file and an existing one the same: all values but the place, which follows from
 * the PIN code, and with the name that the server gives to a nameless one.
 */
export function toIdentity(property: NewProperty | Property) {
  const { society_building, locality, city } = property
  const defaultName = society_building ?? locality ?? null
  const name = property.alias_name ?? defaultName
  const isNamedAfterCity = defaultName === null && name !== null && name === city
  return toKey(
    property.pin_code,
    property.property_type,
    isNamedAfterCity ? null : name,
    society_building ?? null,
    property.survey_number ?? null,
    property.road_name ?? null,
    locality ?? null,
    property.landmark ?? null,
    property.country ?? 'India',
    property.common_amenities ?? null,
  )
}
