import { NewOpening, RecordInput } from '@kiraya/sdk/contract/agreements'
import { LeaseRow, LeaseTenant, LeaseTerms, LeaseUnit } from '@kiraya/sdk/contract/imports'
import { toNameKey } from '@kiraya/sdk/contract/names'
import { changeColumns, createColumn, omitColumns, toColumns } from './columns'
import { countMonths, DAY_MS } from './dates'
import { pickFields, propertyColumn, propertyColumns } from './property-sheet'
import type { Locate, Row, SheetError, SheetSpec } from './read-sheet'
import type { Period } from './values'

const { external_ref, manager_phone, internal_notes } = LeaseRow.properties
// The alias name is in the column `property`; whether a unit can be let follows from its lease.
export const buildingColumns = omitColumns(propertyColumns, 'alias_name')
export const leaseUnitColumns = omitColumns(toColumns(LeaseUnit), 'is_available')
const nameColumns = omitColumns(toColumns(LeaseTenant), 'phone_number')
export const termColumns = changeColumns(toColumns(LeaseTerms, { recurring_charges: { kind: 'items' } }), {
  agreement_start_date: { alternatives: ['period'] },
  tenure_in_months: {
    alternatives: ['period', 'end_date'],
    flag: { name: 'months', help: 'months of leases without a period' },
  },
  rent_due_day: { flag: { name: 'due-day', help: 'day of the month on which the rent is due', value: '5' } },
  notice_period_days: { flag: { name: 'notice-days', help: 'days of notice', value: '30' } },
})
export const openingColumns = changeColumns(toColumns(NewOpening), {
  settled_until: {
    isRequired: false,
    neededBy: ['owed', 'advance_paid', 'deposit_held'],
    flag: { name: 'settled-until', help: 'last day until which all is settled, but for what is owed' },
  },
}).map(column => (column.name === 'advance' ? { ...column, name: 'advance_paid' } : column))
const signingHelp =
  'day on which leases were signed on paper, or "start" for their first; without one they stay drafts'
export const paperColumns = changeColumns(omitColumns(toColumns(RecordInput), 'opening'), {
  signed_on: { isRequired: false, flag: { name: 'signed-on', help: signingHelp } },
})

/** One row is a lease; `Tenant 2` and `Mobile 2` are those of a second tenant. */
export const leaseSheet = {
  columns: [
    createColumn('external_ref', 'text', { schema: external_ref }),
    { ...propertyColumn, isSection: true },
    ...buildingColumns,
    ...leaseUnitColumns,
    createColumn('manager_phone', 'phone', { schema: manager_phone }),
    createColumn('tenant', 'text', { isNumbered: true }),
    createColumn('phone', 'phones', { isRequired: true, isNumbered: true }),
    ...nameColumns.map(column => ({ ...column, isNumbered: true })),
    ...termColumns,
    createColumn('end_date', 'date'),
    createColumn('period', 'period'),
    createColumn('maintenance', 'number', { schema: { exclusiveMinimum: 0 } }),
    ...openingColumns,
    ...paperColumns,
    createColumn('internal_notes', 'text', { schema: internal_notes }),
  ],
  findVacancy: ({ tenant = '', first_name, phone, agreement_start_date, period }) => {
    const isNamed = [first_name, phone, agreement_start_date, period].some(Boolean)
    const isVacant = /^(vacant|empty|to let|खाली)([\s.]|$)/i.test(String(tenant)) || (!isNamed && !tenant)
    return isVacant ? 'which has no tenant' : undefined
  },
} satisfies SheetSpec

/** What the API takes. */
const MAX_REF = 100

type Values = Row['values']
/** What is wrong with a row, by the name of the column. */
type Report = (name: string, message: string) => void

/** Returns the rows of the API, and what no single cell shows. */
export function toLeases(rows: Row[], locate: Locate, isSignedAtStart: boolean) {
  const errors: SheetError[] = []
  const lines = new Map<string, number>()
  const leases = rows.map(({ line, values }) => {
    const report: Report = (name, message) => errors.push({ ...locate(line, name), message })
    const isCoTenant = (number: number) =>
      ['tenant', 'first_name', 'last_name'].some(name => locate(line, `${name}_${number}`).cell)
    const lease = toLease(values, { report, isCoTenant, isSignedAtStart })
    const first = lines.get(lease.external_ref)
    if (first) report('unit_name', `has the lease of row ${first} already`)
    else lines.set(lease.external_ref, line)
    return lease
  })
  return { leases, errors }
}

type Options = { report: Report; isCoTenant: (number: number) => boolean; isSignedAtStart: boolean }

function toLease(values: Values, { report, isCoTenant, isSignedAtStart }: Options): LeaseRow {
  const term = findTerm(values, report)
  const { tenants, notes } = toTenants(values, isCoTenant, report)
  const { property, unit_name, maintenance, registration_number, stamp_number, manager_phone } = values
  const recurring_charges = [
    ...((values.recurring_charges ?? []) as object[]),
    ...(maintenance ? [{ type: 'maintenance', amount: maintenance }] : []),
  ]
  const terms = pickFields<LeaseRow['terms']>(values, termColumns)
  const signed_on = values.signed_on ?? (isSignedAtStart ? term.agreement_start_date : undefined)
  const internal_notes = [values.internal_notes, ...notes].filter(Boolean).join('\n')
  return removeAbsent({
    external_ref:
      values.external_ref ??
      toNameKey([property, unit_name, term.agreement_start_date].join('/')).slice(-MAX_REF),
    property: { alias_name: property, ...pickFields<object>(values, buildingColumns) },
    unit: pickFields(values, leaseUnitColumns),
    manager_phone,
    tenants,
    terms: { ...terms, ...term, ...(recurring_charges.length > 0 && { recurring_charges }) },
    opening: toOpening(values, term.agreement_start_date),
    paper: signed_on && removeAbsent({ signed_on, registration_number, stamp_number }),
    internal_notes: internal_notes || undefined,
  }) as LeaseRow
}

const removeAbsent = (fields: Values): Values =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''))

/** A period of two days, a last day and months tell the same. */
function findTerm(values: Values, report: Report) {
  const { period, end_date, agreement_start_date, tenure_in_months } = values
  const told = (period ?? {}) as Partial<Extract<Period, { from: string }>>
  const start = (agreement_start_date ?? told.from) as string
  if (!start) report('agreement_start_date', 'is missing')
  if (told.from && start !== told.from) report('period', `begins on another day than ${start}`)
  const untilEnd = end_date && start ? countMonths(start, String(end_date)) : undefined
  if (end_date && start && !untilEnd) report('end_date', `must be whole months after ${start}`)
  // A default of months counts only where nothing else tells them.
  const months = told.months ?? untilEnd ?? (tenure_in_months as number)
  if (told.months && untilEnd && told.months !== untilEnd) report('end_date', 'differs from the period')
  return { agreement_start_date: start, tenure_in_months: months }
}

/** Of a lease that began later than on the next day there is nothing to settle, unless the row says so. */
function toOpening(values: Values, start: string) {
  const { settled_until, deposit_held } = values
  const given = { owed: values.owed || undefined, advance: values.advance_paid || undefined, deposit_held }
  const isLater = Date.parse(String(settled_until)) + DAY_MS < Date.parse(start)
  const isSaid = Object.values(given).some(value => value !== undefined)
  return settled_until && (isSaid || !isLater) ? removeAbsent({ settled_until, ...given }) : undefined
}

const TITLE = /^(mr|mrs|ms|miss|dr|shri|sri|smt)\b\.? */i

/** The tenants by their numbers, and what else is known of them: further numbers in a cell, or in a column without a name. */
function toTenants(values: Values, isCoTenant: (number: number) => boolean, report: Report) {
  const notes: string[] = []
  const numbers = Object.keys(values).map(name =>
    Number(/^(?:tenant|phone|first_name|last_name)_(\d+)$/.exec(name)?.[1] ?? 1),
  )
  const tenants = [...new Set([1, ...numbers])]
    .toSorted((a, b) => a - b)
    .flatMap(number => {
      const get = (name: string) => values[number === 1 ? name : `${name}_${number}`]
      const [phone_number, ...others] = (get('phone') ?? []) as string[]
      const [first, ...rest] = String(get('tenant') ?? '')
        .replace(TITLE, '')
        .split(/\s+/)
      const first_name = get('first_name') ?? (first || undefined)
      const last_name = get('last_name') ?? (rest.join(' ') || undefined)
      const isOther = number > 1 && !isCoTenant(number)
      const further = isOther ? [phone_number, ...others] : others
      if (further.length > 0) notes.push(`Other phone: ${further.join(', ')}`)
      if (isOther) return []
      if (!phone_number) report(`phone_${number}`, 'is missing')
      return [removeAbsent({ phone_number, first_name, last_name })]
    })
  return { tenants, notes }
}
