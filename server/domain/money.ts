import type { RentRounding } from '@kiraya/sdk/contract'

/** The highest amount of one posting, in paise: the contract's highest rent. */
export const MAX_AMOUNT = 999_999_999_999

/** Maps rupees with at most two decimals to integer paise. */
export function toPaise(rupees: number) {
  return Math.round(rupees * 100)
}

/** Maps integer paise to rupees with at most two decimals. */
export function toRupees(paise: number) {
  return paise / 100
}

/** Adds paise to an amount in rupees. */
export function addPaise(rupees: number, paise: number) {
  return toRupees(toPaise(rupees) + paise)
}

/** Sums amounts in paise. */
export function sumPaise(amounts: number[]) {
  return amounts.reduce((total, amount) => total + amount, 0)
}

/** Sums amounts in rupees. */
export function sumRupees(amounts: number[]) {
  return toRupees(sumPaise(amounts.map(toPaise)))
}

/**
 * Divides exactly and rounds half up, to an integer. A negative quotient is rounded as its mirror image,
 * so that a reversal equals what it reverses.
 */
export function divideHalfUp(numerator: number | bigint, denominator: number | bigint) {
  const dividend = BigInt(numerator)
  const divisor = BigInt(denominator)
  if (dividend < 0n) return -divideMagnitudes(-dividend, divisor)
  return divideMagnitudes(dividend, divisor)
}

function divideMagnitudes(dividend: bigint, divisor: bigint) {
  return Number((2n * dividend + divisor) / (2n * divisor))
}

/** Rounds paise half up to a multiple of `rounding`, which is in rupees. */
export function roundTo(paise: number, rounding: RentRounding) {
  const unit = toPaise(rounding)
  return divideHalfUp(paise, unit) * unit
}
