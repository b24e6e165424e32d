import { toNameKey } from '@kiraya/sdk/contract/names'
import { PaymentRow } from '@kiraya/sdk/contract/imports'
import { changeColumns, createColumn, toColumns } from './columns'
import type { OwnLease } from './own-leases'
import { pickFields } from './property-sheet'
import type { Locate, Row, SheetError, SheetSpec } from './read-sheet'

const rowColumns = changeColumns(toColumns(PaymentRow), {
  lease: { alternatives: ['unit_name'] },
  method: { flag: { name: 'method', help: 'how payments without a method were made' } },
})

/** One row is a payment; its lease is told by itself, or by the unit. */
export const paymentSheet = {
  columns: [
    ...rowColumns,
    createColumn('property', 'text', { fillsDown: true }),
    createColumn('unit_name', 'text'),
  ],
} satisfies SheetSpec

/** Whether some rows tell their lease by the unit alone. */
export const namesUnits = (rows: Row[]) => rows.some(({ values }) => !values.lease)

/** Returns the rows of the API, and which rows name no lease. */
export function toPayments(rows: Row[], locate: Locate, leases: OwnLease[]) {
  const errors: SheetError[] = []
  const payments = rows.map(({ line, values }): PaymentRow => {
    const found = values.lease ? { lease: String(values.lease) } : findLease(values, leases)
    if (found.mistake) errors.push({ ...locate(line, 'unit_name'), message: found.mistake })
    return { ...pickFields<PaymentRow>(values, rowColumns), lease: found.lease ?? '' }
  })
  return { payments, errors }
}

/** Finds the lease of a unit under which a payment was made: of several, the newest that had begun by then. */
function findLease(
  { property, unit_name, paid_on }: Row['values'],
  leases: OwnLease[],
): { lease?: string; mistake?: string } {
  const isSame = (one: unknown, other: unknown) => toNameKey(String(one)) === toNameKey(String(other))
  const ofUnit = leases.filter(
    ({ unit, property: { alias_name } }) =>
      isSame(unit.unit_name, unit_name) && (!property || isSame(alias_name, property)),
  )
  const properties = new Set(ofUnit.map(each => each.property.alias_name))
  if (properties.size > 1)
    return { mistake: `is in ${[...properties].join(' and in ')}: name the property too` }
  const newestFirst = ofUnit.toSorted((a, b) =>
    a.lease.agreement_start_date < b.lease.agreement_start_date ? 1 : -1,
  )
  const found =
    newestFirst.find(({ lease }) => lease.agreement_start_date <= String(paid_on)) ?? newestFirst.at(-1)
  return found ? { lease: found.lease.agreement_id } : { mistake: 'has no lease that you have' }
}
