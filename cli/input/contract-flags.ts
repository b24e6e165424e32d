import type { FieldFlag, FieldFlagTable } from './flags'
import type { FieldKind } from './kinds'

/** An object of the contract. */
export type Schema<Value> = { static: Value; properties: Record<string, object>; required?: string[] }

/** What a flag or a column of a file needs of the schema of its field. */
export type FieldSchema = {
  type?: string
  text?: string
  enum?: readonly string[]
  anyOf?: FieldSchema[]
  items?: FieldSchema
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  'x-refers'?: 'user' | 'unit' | 'agreement'
}

/** What the command line alone needs: an alias, better words, or a kind that no schema tells. */
export type FlagWords<Input> = { [Name in keyof Input]?: Partial<FieldFlag> }

const kinds: Record<string, FieldKind> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
}
const referenceKinds = { user: 'person', unit: 'unit', agreement: 'agreement' } as const

/** Returns the flags of an input: all follow from its schema, but for a few words. */
export function toFieldFlags<Input>(input: Schema<Input>, words: FlagWords<Input> = {}): FieldFlagTable {
  const flags = Object.entries(input.properties).map(([name, property]) => {
    const isRequired = input.required?.includes(name)
    return [name, { ...toFieldFlag(property), isRequired, ...words[name as keyof Input] }]
  })
  return Object.fromEntries(flags)
}

function toFieldFlag(field: FieldSchema): Partial<FieldFlag> {
  const schema = removeNull(field)
  return { kind: toKind(schema), description: toHelp(field.text), choices: schema.enum }
}

/** A field that may be null is a union; so are a few words, which come with their enumeration. */
export const removeNull = (field: FieldSchema) => (field.anyOf && !field.enum ? field.anyOf[0]! : field)

function toKind({ enum: words, type = '', items, 'x-refers': record }: FieldSchema): FieldKind | undefined {
  if (record) return referenceKinds[record]
  if (words) return 'choice'
  return items?.type === 'string' ? 'texts' : kinds[type]
}

/** Help begins with a small letter, unless an abbreviation begins it, and has no Markdown. */
const toHelp = (text?: string) =>
  text?.replaceAll('`', '').replace(/^[A-Z](?=[a-z]| )/, letter => letter.toLowerCase())
