import { addDays, compareDays, countDays } from './dates'

/** An amount in paise that is in force from a day on, until the next one. */
export type DatedAmount = { effective_on: string; amount: number }

/** An amount in paise and the number of days on which it was in force. */
export type Span = { amount: number; days: number }

/** Sorts amounts by their days. Of two from the same day the later in the list stays the later one. */
export function sortByDay<Dated extends { effective_on: string }>(amounts: Dated[]) {
  return amounts.toSorted((a, b) => compareDays(a.effective_on, b.effective_on))
}

/**
 * Splits the days from `first` to `last` by the amount that was in force on each. The amounts are sorted; of two
 * from the same day the later counts; days before the first amount are in no span.
 */
export function splitIntoSpans(sorted: DatedAmount[], first: string, last: string): Span[] {
  const spans: Span[] = []
  const inForce = sorted.findLastIndex(({ effective_on }) => effective_on <= first)
  for (let index = Math.max(inForce, 0); index < sorted.length; index++) {
    const { effective_on, amount } = sorted[index]!
    if (effective_on > last) break
    const next = sorted[index + 1]?.effective_on
    const until = next && next <= last ? addDays(next, -1) : last
    const days = countDays(effective_on > first ? effective_on : first, until)
    if (days > 0) spans.push({ amount, days })
  }
  return spans
}

/** Sums amount × days over spans, exactly. */
export function sumAmountDays(spans: Span[]) {
  return spans.reduce((sum, { amount, days }) => sum + BigInt(amount) * BigInt(days), 0n)
}
