import { InvalidArgumentError } from 'commander'

const unitsMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads the milliseconds of a time such as `30s` or `2h`. */
export function parseDuration(text: string) {
  const [, amount, unit] = /^(-?\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  if (!amount) return { mistake: 'must be a time such as 500ms, 30s, 15m, 2h or 4d' }
  return { value: Math.round(Number(amount) * unitsMs[unit!]!) }
}

/** The same for an argument or a flag that is no field of the API. */
export function parseDurationMs(text: string) {
  const { value, mistake } = parseDuration(text)
  if (value === undefined) throw new InvalidArgumentError(mistake)
  return value
}
