import { NewOpening, type RecordInput } from '@kiraya/sdk/contract/agreements'
import type { FlagWords, Schema } from '../input/flags'

type Opened = { opening?: RecordInput['opening'] }
type Given<Input> = Omit<Input, 'opening'> & { [Name in keyof NewOpening]?: NewOpening[Name] | null }

export const openingWords = {
  settled_until: { description: 'last day before the books of a lease that has begun, YYYY-MM-DD' },
} as const satisfies FlagWords<Given<object>>

/** Makes a flag of each field of the opening. */
export const withOpeningFlags = <Input>(input: Schema<Input>) =>
  ({ ...input, properties: { ...input.properties, ...NewOpening.properties } }) as unknown as Schema<
    Given<Input>
  >

/** Returns the fields with their opening; to clear its last day takes it away. */
export function gatherOpening<Input extends Opened>({
  settled_until,
  owed,
  advance,
  deposit_held,
  ...fields
}: Given<Input>): Input {
  const given = Object.entries({ settled_until, owed, advance, deposit_held }).filter(
    ([, value]) => value !== undefined,
  )
  const opening = settled_until === null ? null : Object.fromEntries(given)
  return { ...fields, ...(given.length > 0 && { opening }) } as unknown as Input
}
