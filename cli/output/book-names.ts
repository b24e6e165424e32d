import type { Agreement, Allocation, Charge, Kiraya, Payment, Schedule } from '@kiraya/sdk'
import { loadPeopleLabels, loadUnitLabels } from './names'

// Charges and payments as people read them: by lease, unit and payer. Without a name the id stays.

const MAX_SINGLE_READS = 10

type Lease = Pick<Agreement, 'id' | 'agreement_number' | 'property_unit_id'>

/** Adds the agreement's number and the unit's name to charges. */
export async function addChargeNames(client: Kiraya, charges: Charge[]) {
  const toNames = await loadLeaseNames(client, charges)
  return charges.map(({ id, charge_id, ...charge }) => ({
    id,
    charge_id,
    ...toNames(charge.agreement_id, charge.property_unit_id),
    ...charge,
  }))
}

/** Adds the agreement's number and the names of unit and payer to payments. */
export async function addPaymentNames(client: Kiraya, payments: Payment[]) {
  if (payments.length === 0) return []
  const [toNames, people] = await Promise.all([loadLeaseNames(client, payments), loadPeopleLabels(client)])
  return payments.map(({ id, payment_id, ...payment }) => ({
    id,
    payment_id,
    ...toNames(payment.agreement_id),
    payer: people.get(payment.payer_id) ?? payment.payer_id,
    ...payment,
  }))
}

/** Adds what the charges are for to the allocations of a payment. */
export async function describeAllocations(client: Kiraya, allocations: Allocation[]) {
  if (allocations.length > MAX_SINGLE_READS) return allocations
  const describe = async ({ charge_id, amount }: Allocation) => {
    const charge = await client.charges.get(charge_id).catch(() => undefined)
    return { charge_id, amount, description: charge?.description, due_date: charge?.due_date }
  }
  return Promise.all(allocations.map(describe))
}

/** Says of each instalment whether it is posted, the most important columns first. */
export const toScheduleView = ({ total_rent, instalments }: Schedule) => ({
  total_rent,
  instalments: instalments.map(({ due_date, description, amount, charge_id, ...instalment }) => ({
    due_date,
    description,
    amount,
    status: charge_id === null ? 'projected' : 'posted',
    charge_id,
    ...instalment,
  })),
})

async function loadLeaseNames(client: Kiraya, rows: { agreement_id: number }[]) {
  const leases = await loadLeases(client, new Set(rows.map(({ agreement_id }) => agreement_id)))
  const unitIds = new Set([...leases.values()].map(({ property_unit_id }) => property_unit_id))
  const units = leases.size > 0 ? await loadUnitLabels(client, unitIds) : new Map<number, string>()
  return (agreementId: number, knownUnitId?: number) => {
    const lease = leases.get(agreementId)
    const unitId = lease?.property_unit_id ?? knownUnitId
    const unit = unitId === undefined ? undefined : (units.get(unitId) ?? unitId)
    return { agreement: lease?.agreement_number ?? agreementId, unit }
  }
}

/** Few are read one by one, so that one that cannot be read hides no other; of many those on the newest page. */
async function loadLeases(client: Kiraya, ids: Set<number>): Promise<Map<number, Lease>> {
  const loadOne = (id: number): Promise<Lease[]> =>
    client.agreements.get(id).then(
      lease => [lease],
      () => [],
    )
  const loadNewest = async (): Promise<Lease[]> => {
    const { data } = await client.agreements.list({ limit: 100, sort: '-id' })
    return data
  }
  const isFew = ids.size <= MAX_SINGLE_READS
  const leases = isFew
    ? (await Promise.all([...ids].map(loadOne))).flat()
    : await loadNewest().catch(() => [])
  return new Map(leases.map(lease => [lease.id, lease]))
}
