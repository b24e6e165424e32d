import { ApiError, refuseFields, refuseRules, type BrokenRule } from '../errors'

/** A long list of violations tells a client no more than its beginning. */
const MAX_VIOLATIONS = 64

/** Collects the rules that rows break, so that one answer names them all, each by its row and field. */
export function createRowChecks() {
  const broken: BrokenRule[] = []
  return {
    /** Runs a rule of a row; the fields that break it stand at `place` of the row. */
    check<T>(row: number, place: string, rule: () => T): T | undefined {
      try {
        return rule()
      } catch (error) {
        if (!(error instanceof ApiError && error.brokenRules)) throw error
        for (const each of error.brokenRules) {
          const property = ['rows', row, place, each.property].filter(part => part !== '').join('.')
          broken.push({ ...each, property })
        }
        return undefined
      }
    },

    /** @throws VALIDATION_ERROR A row breaks a rule. */
    requireNone() {
      if (broken.length > 0) throw refuseRules('invalid_fields', broken.slice(0, MAX_VIOLATIONS))
    },
  }
}
export type RowChecks = ReturnType<typeof createRowChecks>

/** @throws VALIDATION_ERROR A row before, or the same one, has the value. */
export function requireNew(values: Set<string>, value: string, field: string) {
  if (values.has(value)) throw refuseFields('repeated_in_import', field)
  values.add(value)
}
