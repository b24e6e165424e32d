import { InvalidArgumentError } from 'commander'

/** Returns a parser for a whole number from 1 to `max`. */
export const parseCount = (max: number) => (text: string) => {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= max) return count
  throw new InvalidArgumentError(`must be a whole number from 1 to ${max}`)
}
