import { countDays } from '../domain/dates'

/** The buckets by the days for which a charge has been due. */
export const AGE_BUCKETS = [
  { bucket: 'days_0_30', maxDays: 30 },
  { bucket: 'days_31_60', maxDays: 60 },
  { bucket: 'days_61_90', maxDays: 90 },
  { bucket: 'days_over_90', maxDays: Infinity },
] as const

export type AgeBucket = (typeof AGE_BUCKETS)[number]['bucket']

/** Finds the bucket of what falls due on a date; undefined if that is yet to come. */
export function findAgeBucket(dueDate: string, today: string): AgeBucket | undefined {
  const daysOverdue = countDays(dueDate, today) - 1
  if (daysOverdue < 0) return undefined
  return AGE_BUCKETS.find(({ maxDays }) => daysOverdue <= maxDays)?.bucket
}

/** Sums what is outstanding, in paise, by age; what is not yet due counts nowhere. */
export function sumByAge(charges: { due_date: string; outstanding: number }[], today: string) {
  const sums = { days_0_30: 0, days_31_60: 0, days_61_90: 0, days_over_90: 0, total: 0 }
  for (const { due_date, outstanding } of charges) {
    const bucket = findAgeBucket(due_date, today)
    if (!bucket) continue
    sums[bucket] += outstanding
    sums.total += outstanding
  }
  return sums
}
