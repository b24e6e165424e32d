export type OpenCharge = {
  id: number
  type: ChargeType
  due_date: string
  /** Paise. */
  outstanding: number
}

/** Amounts are paise. */
export type Allocation = { charge_id: number; amount: number }

export type AllocationViolation = {
  /** The position in the request. */
  index: number
  cause: 'unknown_charge' | 'repeated_charge' | 'above_outstanding' | 'above_available'
  charge_id: number
  /** The most that this allocation could be, in paise. */
  max_amount: number
}

/** The order in which charges of one date are paid. */
const RANKS = {
  rent: 0,
  maintenance: 1,
  electricity: 2,
  water: 2,
  other: 3,
  damage: 3,
  opening_balance: 3,
  deposit: 4,
  // Paid after everything else, whatever its date.
  late_fee: 5,
} as const

export type ChargeType = keyof typeof RANKS

/** Allocates the available paise to open charges: by due date, late fees last; what is left is an advance. */
export function allocate(available: number, open: OpenCharge[]): Allocation[] {
  let left = available
  return sortForPayment(open)
    .map(({ id, outstanding }) => {
      const amount = Math.min(left, outstanding)
      left -= amount
      return { charge_id: id, amount }
    })
    .filter(({ amount }) => amount > 0)
}

/** Sorts charges in the order in which money is applied to them when the payer says nothing else. */
export function sortForPayment<Charge extends Omit<OpenCharge, 'outstanding'>>(charges: Charge[]) {
  return charges.toSorted(
    (a, b) =>
      Number(a.type === 'late_fee') - Number(b.type === 'late_fee') ||
      Date.parse(a.due_date) - Date.parse(b.due_date) ||
      RANKS[a.type] - RANKS[b.type] ||
      a.id - b.id,
  )
}

/** Finds what is wrong with a payer's own allocations, at most one violation each; empty if they can be applied. */
export function findAllocationViolations(requested: Allocation[], open: OpenCharge[], available: number) {
  const outstandingById = new Map(open.map(({ id, outstanding }) => [id, outstanding]))
  const seen = new Set<number>()
  const violations: AllocationViolation[] = []
  let left = available
  for (const [index, { charge_id, amount }] of requested.entries()) {
    const outstanding = outstandingById.get(charge_id)
    const violation = findViolation(amount, outstanding, seen.has(charge_id), left)
    if (violation) violations.push({ index, charge_id, ...violation })
    seen.add(charge_id)
    left = Math.max(0, left - amount)
  }
  return violations
}

function findViolation(amount: number, outstanding: number | undefined, isRepeated: boolean, left: number) {
  if (outstanding === undefined) return { cause: 'unknown_charge', max_amount: 0 } as const
  if (isRepeated) return { cause: 'repeated_charge', max_amount: 0 } as const
  if (amount > outstanding) return { cause: 'above_outstanding', max_amount: outstanding } as const
  if (amount > left) return { cause: 'above_available', max_amount: left } as const
  return undefined
}
