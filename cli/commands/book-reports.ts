import type { AnnualBooks, Arrears, BookSummary, RentRoll, RentRollRow, RollTenant } from '@kiraya/sdk'

// Reports as people read them: units and tenants by name, and the sums in a last row.

const toUnit = ({ property_name, unit_name }: Pick<RentRollRow, 'property_name' | 'unit_name'>) =>
  `${property_name}/${unit_name}`
const toNames = (tenants: RollTenant[]) => tenants.map(({ id, name }) => name ?? id).join(', ')

/** A table without rows stays empty. */
const withTotal = <Row>(rows: Row[], total: Partial<Row> & object) =>
  rows.length > 0 ? [...rows, total] : []

export const toMonthsView = ({ months, ...sums }: BookSummary) =>
  withTotal(months, { ...sums, month: 'Total' })

export function toRentRollView({ rows, ...sums }: RentRoll) {
  const named = rows.map(row => ({
    ...row,
    unit: toUnit(row),
    tenants: row.agreement_id === null ? 'vacant' : toNames(row.tenants),
  }))
  return withTotal(named, { ...sums, unit: 'Total' })
}

export function toArrearsView({ rows, ...sums }: Arrears) {
  const named = rows.map(row => ({ ...row, unit: toUnit(row), tenants: toNames(row.tenants) }))
  return withTotal(named, { ...sums, unit: 'Total' })
}

export function toAnnualView({ rows, ...sums }: AnnualBooks) {
  const named = rows.map(row => ({ ...row, unit: toUnit(row) }))
  return withTotal(named, { ...sums, unit: 'Total' })
}
