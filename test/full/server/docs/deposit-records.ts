import type { Dates } from '../../../operations/dates'
import type { Call } from './records'

type Parties = { landlord: number; tenant: number }
/** Lets a unit of a landlord until it is ACTIVE, and returns the lease's id. */
type Let = (as: Call, unit: number, parties: Parties) => Promise<number>
type Given = { call: Call; otherCall: Call; letUnit: Let; dates: Dates }

const settlement = {
  deductions: [{ type: 'damage', description: 'Painting', amount: 12000 }],
  refund_method: 'bank_transfer',
}

/** Ended leases with a deposit, of the landlord's own units, and of the other landlord's, whose tenant they are. */
export async function createDepositRecords(
  { call, otherCall, letUnit, dates }: Given,
  { units, rooms }: { units: number[]; rooms: number[] },
  { landlord, tenant }: Parties,
) {
  const own = { landlord, tenant }
  const rentedBy = { landlord: tenant, tenant: landlord }
  const ended = await endLease(call, await letUnit(call, units[0]!, own))
  const accepted = await endLease(call, await letUnit(call, units[1]!, own))
  const { settlement_id } = await call('POST', `/agreements/${accepted}/deposit/settlement`, settlement)
  await otherCall('POST', `/agreements/${accepted}/deposit/settlement/accept`, { settlement_id })

  const rentedEnded = await endLease(otherCall, await letUnit(otherCall, rooms[0]!, rentedBy))
  const proposed = await otherCall('POST', `/agreements/${rentedEnded}/deposit/settlement`, settlement)
  const rented = await letUnit(otherCall, rooms[1]!, rentedBy)
  const propose = async (effective_on: string) => {
    const revision = { rent_amount: 27500, effective_on }
    return (await otherCall('POST', `/agreements/${rented}/rent-revisions`, revision)).id as number
  }
  return {
    ended,
    accepted,
    rentedEnded,
    proposal: proposed.settlement_id as string,
    rented,
    acceptableRevision: await propose(dates.revisionDate),
    declinableRevision: await propose(dates.laterRevisionDate),
  }
}

async function endLease(as: Call, lease: number) {
  await as('POST', `/agreements/${lease}/payments`, { amount: 100000, method: 'upi', allow_duplicate: true })
  await as('POST', `/agreements/${lease}/terminate`, {})
  return lease
}
