import { InvalidArgumentError, Option, type Command } from 'commander'

const number = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : wrong('must be a number'))
const integer = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : wrong('must be a whole number'))
const boolean = (text: string) =>
  text === 'true' || text === 'false' ? text === 'true' : wrong('must be true or false')
const wrong = (rule: string): never => {
  throw new InvalidArgumentError(rule)
}
const kinds = {
  text: { argument: '<text>' },
  number: { argument: '<number>', parse: number },
  integer: { argument: '<number>', parse: integer },
  boolean: { argument: '<true|false>', parse: boolean },
  texts: { argument: '<text>', parse: (text: string, before?: string[]) => [...(before ?? []), text] },
  integers: {
    argument: '<id>',
    parse: (text: string, before?: number[]) => [...(before ?? []), integer(text)],
  },
} satisfies Record<string, { argument: string; parse?: (text: string, before?: any) => unknown }>

/** A field of the API as a flag: its name is the field's in kebab-case; `as` are shorter ones. */
export type Field = { kind: keyof typeof kinds; about?: string; as?: string; needed?: boolean }
export type Fields = Record<string, Field>

const kebab = (name: string) => name.replaceAll('_', '-')
const camel = (name: string) => name.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Adds a flag for each field, and for a change `--clear` for those that may be emptied. */
export function addFieldFlags(command: Command, fields: Fields, change = false) {
  for (const [name, { kind, about = '', as }] of Object.entries(fields))
    for (const flag of [as, kebab(name)].filter(Boolean)) {
      const { argument, parse } = kinds[kind] as {
        argument: string
        parse?: (text: string, before: unknown) => unknown
      }
      const repeatable = kind === 'texts' || kind === 'integers' ? ' (repeatable)' : ''
      const option = new Option(
        `--${flag} ${argument}`,
        `${about}${repeatable}`.trim() || undefined,
      ).hideHelp(!!as && flag !== as)
      command.addOption(parse ? option.argParser(parse) : option)
    }
  return change
    ? command.option(
        '--clear <field>',
        'empties an optional field (repeatable)',
        (field: string, before: string[] = []) => [...before, field],
      )
    : command
}

/** The body that the flags describe; what is needed and absent is named. */
export function toRequestBody<T>(
  fields: Fields,
  options: Record<string, unknown>,
  required: string[] = [],
): T {
  const given = Object.entries(fields).map(
    ([name, { as }]) => [name, options[camel(kebab(name))] ?? (as && options[camel(as)])] as const,
  )
  const missing = given
    .filter(([name, value]) => required.includes(name) && value === undefined)
    .map(([name]) => `--${fields[name]!.as ?? kebab(name)}`)
  if (missing.length) throw new MissingFlagsError(missing)
  const cleared = ((options.clear ?? []) as string[]).map(
    field => [field.replaceAll('-', '_'), null] as const,
  )
  return Object.fromEntries([...given.filter(([, value]) => value !== undefined), ...cleared]) as T
}

export class MissingFlagsError extends Error {
  constructor(flags: string[]) {
    super(`${flags.join(', ')} ${flags.length > 1 ? 'are' : 'is'} required`)
  }
}

export const pagingFields: Fields = {
  page: { kind: 'integer', about: 'which page' },
  limit: { kind: 'integer', about: 'items on it, at most 100' },
  sort: { kind: 'text', about: 'a field, with - before it for the largest first' },
  q: { kind: 'text', about: 'text to look for' },
}
