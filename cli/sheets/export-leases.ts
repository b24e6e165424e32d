import type { Agreement, Charge, Kiraya, Payment, Tenant } from '@kiraya/sdk'
import { toTable } from './cells'
import { buildingColumns, leaseUnitColumns, openingColumns, paperColumns, termColumns } from './lease-sheet'
import {
  listCharges,
  listPayments,
  listPeople,
  loadHeldDeposits,
  loadOwnLeases,
  type OwnLease,
} from './own-leases'

const toNames = (columns: { name: string }[]) => columns.map(({ name }) => name)
const tenantFields = ['first_name', 'last_name', 'phone'] as const

/** The name of a column for the tenants from the second on has a number. */
const toNumbered = (name: string, index: number) => (index === 0 ? name : `${name}_${index + 1}`)

/** The cells of the leases that have not ended, with the heading: what an import takes, with an opening as of now. */
export async function toLeaseCells(client: Kiraya) {
  const own = await loadOwnLeases(client)
  const leases = own.filter(({ lease }) => ['DRAFT', 'PENDING', 'ACTIVE'].includes(lease.status))
  const active = leases.filter(({ lease }) => lease.status === 'ACTIVE').map(({ lease }) => lease.id)
  const [people, charges, payments, { as_of: today }, held] = await Promise.all([
    listPeople(client),
    listCharges(client),
    listPayments(client),
    client.books.arrears(),
    loadHeldDeposits(client, active),
  ])
  const byId = new Map(people.map(person => [person.id, person]))
  const chargesByLease = Map.groupBy(charges, ({ agreement_id }) => agreement_id)
  const paymentsByLease = Map.groupBy(payments, ({ agreement_id }) => agreement_id)
  const rows = leases.map(each => {
    const { id, opening } = each.lease
    const [charges = [], payments = []] = [chargesByLease.get(id), paymentsByLease.get(id)]
    const books = { charges, payments, held: held.get(id) ?? 0, today }
    const isActive = active.includes(id)
    return { ...toFields(each, byId), ...(isActive ? toOpening(each.lease, books) : renameAdvance(opening)) }
  })
  const most = Math.max(1, ...leases.map(({ lease }) => lease.tenant_ids.length))
  const tenantNames = Array.from({ length: most }, (_, index) =>
    tenantFields.map(name => toNumbered(name, index)),
  ).flat()
  const placeNames = ['external_ref', 'property', ...toNames([...buildingColumns, ...leaseUnitColumns])]
  const leaseNames = toNames([...termColumns, ...openingColumns, ...paperColumns])
  const names = [...placeNames, 'manager_phone', ...tenantNames, ...leaseNames, 'internal_notes']
  return { cells: toTable(names, rows), left: own.length - leases.length }
}

function toFields({ lease, unit, property }: OwnLease, people: Map<number, Tenant>) {
  const tenants = lease.tenant_ids.flatMap((id, index) =>
    tenantFields.map(name => [toNumbered(name, index), people.get(id)?.[name]] as const),
  )
  const charges = lease.recurring_charges?.map(({ type, amount, description }) =>
    [type, amount, description].filter(part => part !== null).join(':'),
  )
  return {
    ...property,
    ...unit,
    ...lease,
    property: property.alias_name,
    external_ref: lease.external_ref ?? lease.agreement_id,
    manager_phone: unit.managed_by_id === unit.landlord_id ? null : people.get(unit.managed_by_id)?.phone,
    ...Object.fromEntries(tenants),
    recurring_charges: charges,
    signed_on: lease.signed_date,
  }
}

type Books = { charges: Charge[]; payments: Payment[]; held: number; today: string }

/**
 * What fell due by now is settled, but for what is outstanding: the books of a copy begin after the last such rent, and
 * charge again what the schedule has posted ahead.
 */
function toOpening({ opening }: Agreement, { charges, payments, held, today }: Books) {
  const isAhead = ({ source, due_date }: Charge) => source === 'schedule' && due_date > today
  const [ahead, due] = [charges.filter(isAhead), charges.filter(charge => !isAhead(charge))]
  const rents = due.flatMap(({ type, period_end }) => (type === 'rent' && period_end ? [period_end] : []))
  const settled_until = [opening?.settled_until ?? '', ...rents].toSorted().at(-1)
  if (!settled_until) return {}
  const balance = sum(
    due.filter(({ type }) => type !== 'deposit').map(({ amount_outstanding }) => amount_outstanding),
  )
  const advance = sum([
    ...payments.map(({ unapplied_amount }) => unapplied_amount),
    ...ahead.map(({ amount_paid }) => amount_paid),
  ])
  const owed = sum([balance, -advance])
  return {
    settled_until,
    owed: owed > 0 ? owed : null,
    advance_paid: owed < 0 ? -owed : null,
    deposit_held: held,
  }
}

/** Adds rupees, exactly. */
const sum = (rupees: number[]) => rupees.reduce((total, each) => total + Math.round(each * 100), 0) / 100

const renameAdvance = (opening: Agreement['opening']) => ({ ...opening, advance_paid: opening?.advance })
