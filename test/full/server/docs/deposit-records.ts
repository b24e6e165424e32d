import type { Dates } from '../../../operations/dates'
import type { Call, Leases, Parties } from './records'

type Given = { call: Call; otherCall: Call; dates: Dates; leases: Leases }

const settlement = {
  deductions: [{ type: 'damage', description: 'Painting', amount: 12000 }],
  refund_method: 'bank_transfer',
}

/** Ended leases with a deposit, of the landlord's own units, and of the other landlord's, whose tenant they are. */
export async function createDepositRecords(
  { call, otherCall, dates, leases }: Given,
  { units, rooms }: { units: number[]; rooms: number[] },
  own: Parties,
) {
  const rentedBy = { landlord: own.tenant, tenant: own.landlord }
  const letUnit = async (as: Call, unit: number, parties: Parties) =>
    leases.activate(as, await leases.draft(as, unit, parties), parties)
  const ended = await endLease(call, await letUnit(call, units[0]!, own))
  const accepted = await endLease(call, await letUnit(call, units[1]!, own))
  const { settlement_id } = await call('POST', `/agreements/${accepted}/deposit/settlement`, settlement)
  await otherCall('POST', `/agreements/${accepted}/deposit/settlement/accept`, { settlement_id })

  const rentedEnded = await endLease(otherCall, await letUnit(otherCall, rooms[0]!, rentedBy))
  const proposed = await otherCall('POST', `/agreements/${rentedEnded}/deposit/settlement`, settlement)
  const rented = await letUnit(otherCall, rooms[1]!, rentedBy)
  const rentedOnPaper = await leases.draft(otherCall, rooms[2]!, rentedBy)
  await otherCall('POST', `/agreements/${rentedOnPaper}/record`, { signed_on: dates.lastMonth })
  const propose = async (effective_on: string): Promise<number> => {
    const revision = { rent_amount: 27500, effective_on }
    return (await otherCall('POST', `/agreements/${rented}/rent-revisions`, revision)).id
  }
  return {
    ended,
    accepted,
    rentedEnded,
    proposal: proposed.settlement_id,
    rented,
    rentedOnPaper,
    acceptableRevision: await propose(dates.revisionDate),
    declinableRevision: await propose(dates.laterRevisionDate),
  }
}

async function endLease(as: Call, lease: number) {
  await as('POST', `/agreements/${lease}/payments`, { amount: 100000, method: 'upi', allow_duplicate: true })
  await as('POST', `/agreements/${lease}/terminate`, {})
  return lease
}
