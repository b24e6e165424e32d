import { InvalidArgumentError } from 'commander'
import { UsageError } from '../runtime/errors'
import { parseDuration } from './duration'
import { toPhone } from '@kiraya/sdk/phone'

type Parsed = { value: unknown; mistake?: undefined } | { value?: undefined; mistake: string }
type Parse = (text: string, field: { choices?: readonly string[] }) => Parsed
type Kind = {
  argument: string
  isRepeatable?: boolean
  /** Without it the text is the value. */
  parse?: Parse
  /** The record that a name stands for. */
  record?: 'person' | 'unit' | 'agreement'
}

const kinds = {
  text: { argument: '<text>' },
  phone: { argument: '<number>', parse: text => ({ value: toPhone(text) ?? text }) },
  number: { argument: '<number>', parse: createParseNumber(/^-?\d+(\.\d+)?$/, 'must be a number') },
  integer: { argument: '<number>', parse: createParseNumber(/^-?\d+$/, 'must be a whole number') },
  boolean: { argument: '<true|false>', parse: parseBoolean },
  switch: { argument: '', parse: parseBoolean },
  duration: { argument: '<time>', parse: parseDuration },
  choice: { argument: '<word>', parse: parseChoice },
  texts: { argument: '<text>', isRepeatable: true },
  unit: { argument: '<unit>', record: 'unit' },
  agreement: { argument: '<agreement>', record: 'agreement' },
  person: { argument: '<person>', record: 'person' },
  people: { argument: '<person>', record: 'person', isRepeatable: true },
  allocations: { argument: '<charge:rupees>', isRepeatable: true, parse: parseAllocation },
  newUnits: { argument: '<name>', isRepeatable: true, parse: unit_name => ({ value: { unit_name } }) },
  acceptance: { argument: '<day>', parse: on => ({ value: { on } }) },
  items: { argument: '<type:rupees:text>', isRepeatable: true, parse: parseItem },
} satisfies Record<string, Kind>

export type FieldKind = keyof typeof kinds
export const fieldKinds: Record<FieldKind, Kind> = kinds

/** A field has a wrong value; a person at a terminal is asked for it again. */
export class FieldError extends UsageError {
  constructor(
    readonly field: string,
    message: string,
    exitCode?: number,
  ) {
    super(message, exitCode)
  }
}

function createParseNumber(pattern: RegExp, mistake: string): Parse {
  return text => (pattern.test(text) ? { value: Number(text) } : { mistake })
}

function parseBoolean(text: string): Parsed {
  const word = text.toLowerCase()
  if (word !== 'true' && word !== 'false') return { mistake: 'must be true or false' }
  return { value: word === 'true' }
}

/** `31:5000`. */
function parseAllocation(text: string): Parsed {
  const [, charge, rupees] = /^(\d+) *: *(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? []
  if (!charge) return { mistake: 'must be the id of a charge, a colon and rupees, as 31:5000' }
  return { value: { charge_id: Number(charge), amount: Number(rupees) } }
}

/** `maintenance:2500:Society maintenance`; without a description the type describes it. */
function parseItem(text: string): Parsed {
  const [, type, rupees, description] = /^(\w+) *: *(\d+(?:\.\d+)?)(?: *: *(.+))?$/.exec(text.trim()) ?? []
  if (!type)
    return { mistake: 'must be a type, rupees and a description, as "maintenance:2500:Society maintenance"' }
  const described = description ?? type.charAt(0).toUpperCase() + type.slice(1)
  return { value: { type: type.toLowerCase(), amount: Number(rupees), description: described } }
}

/** Words are accepted in any case, with blanks or dashes for underscores. */
function parseChoice(text: string, { choices = [] }: { choices?: readonly string[] }): Parsed {
  const toWord = (choice: string) => choice.trim().toLowerCase().replaceAll(/[ -]/g, '_')
  const value = choices.find(choice => toWord(choice) === toWord(text))
  return value === undefined ? { mistake: `must be one of ${choices.join(', ')}` } : { value }
}

/** Returns a parser for a whole number from 1 to `max`. */
export const parseCount = (max: number) => (text: string) => {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= max) return count
  throw new InvalidArgumentError(`must be a whole number from 1 to ${max}`)
}
