import type { AnnualBooks, Arrears, BookSummary, BookUnit, RentRoll, RollTenant } from '@kiraya/sdk'
import { say, type Language } from './messages'

// Reports as people read them: units and tenants by name, and the sums in a last row.

const toUnit = ({ property_name, unit_name }: BookUnit) => `${property_name}/${unit_name}`
const toNames = (tenants: RollTenant[]) => tenants.map(({ id, name }) => name ?? id).join(', ')

/** A table without rows stays empty. */
const withTotal = <Row>(rows: Row[], total: Partial<Row> & object) =>
  rows.length > 0 ? [...rows, total] : []

export const toMonthsView = ({ months, ...sums }: BookSummary, language: Language) =>
  withTotal(months, { ...sums, month: say('total')(language) })

export function toRentRollView({ rows, ...sums }: RentRoll, language: Language) {
  const named = rows.map(row => ({
    ...row,
    unit: toUnit(row),
    tenants: row.agreement_id === null ? say('vacant')(language) : toNames(row.tenants),
  }))
  return withTotal(named, { ...sums, unit: say('total')(language) })
}

export function toArrearsView({ rows, ...sums }: Arrears, language: Language) {
  const named = rows.map(row => ({ ...row, unit: toUnit(row), tenants: toNames(row.tenants) }))
  return withTotal(named, { ...sums, unit: say('total')(language) })
}

export function toAnnualView({ rows, ...sums }: AnnualBooks, language: Language) {
  const named = rows.map(row => ({ ...row, unit: toUnit(row) }))
  return withTotal(named, { ...sums, unit: say('total')(language) })
}
