import { addDays, compareDays, countDays } from './dates'

/** An amount in paise that holds from a day on, until the next one. */
export type AmountFrom = { from: string; amount: number }

/** An amount in paise and the number of days on which it held. */
export type Span = { amount: number; days: number }

/**
 * Splits the days from `first` to `last` by the amount that held on each. Of two amounts from the same day the
 * later in the list counts; days before the first amount are in no span.
 */
export function splitIntoSpans(amounts: AmountFrom[], first: string, last: string): Span[] {
  const inForce = findInForce(amounts, first)
  const changes = amounts.filter(({ from }) => from > first && from <= last)
  const inOrder = changes.toSorted((a, b) => compareDays(a.from, b.from))
  if (inForce) inOrder.unshift(inForce)
  return inOrder
    .map(({ from, amount }, index) => {
      const next = inOrder[index + 1]
      const until = next ? addDays(next.from, -1) : last
      return { amount, days: countDays(from > first ? from : first, until) }
    })
    .filter(({ days }) => days > 0)
}

/** Without a sort: a tenure has hundreds of periods, and may have as many amounts. */
function findInForce(amounts: AmountFrom[], day: string) {
  let found: AmountFrom | undefined
  for (const amount of amounts) {
    if (amount.from <= day && (!found || amount.from >= found.from)) found = amount
  }
  return found
}

/** Sums amount × days over spans, exactly. */
export function sumAmountDays(spans: Span[]) {
  return spans.reduce((sum, { amount, days }) => sum + BigInt(amount) * BigInt(days), 0n)
}
