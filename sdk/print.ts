import { Kind, OptionalKind, type TSchema } from '@sinclair/typebox'
import * as contract from './contract/index.ts'

// Prints the types of the contract as interfaces: editors show neither names nor documentation of `Static<>`.

type Print = (part: TSchema) => string

const INPUT = /^New|(Change|Input|Options|Posting|Query|Search)$/

/** Prints the type of a schema, its parts by `print`. */
function printType(schema: TSchema, print: Print): string {
  const { anyOf, const: value, items, patternProperties, properties, type = 'unknown' } = schema
  if (anyOf) return anyOf.map(print).join(' | ')
  if (value !== undefined) return typeof value === 'string' ? `'${value}'` : String(value)
  if (items) return print(items).includes(' | ') ? `(${print(items)})[]` : `${print(items)}[]`
  if (patternProperties) return `Record<string, ${print(Object.values<TSchema>(patternProperties)[0]!)}>`
  if (properties)
    return `{ ${listFields(schema)
      .map(([name, part]) => printField(name, part, print))
      .join('; ')} }`
  return type === 'integer' ? 'number' : type
}

const listFields = ({ properties }: TSchema) => Object.entries<TSchema>(properties)

/** In an input `absent` lets an optional field be undefined too, which `exactOptionalPropertyTypes` refuses. */
const printField = (name: string, part: TSchema, print: Print, absent = '') =>
  part[OptionalKind] ? `${name}?: ${print(part)}${absent}` : `${name}: ${print(part)}`

/** The text of a schema, what its values must be, and the default. */
function printComment(schema: TSchema) {
  const { text, default: usual, anyOf, ...whole } = schema
  const isNullable = anyOf?.[1]?.type === 'null'
  const sentences = [text, describeLimits(isNullable ? anyOf[0] : { ...whole, anyOf })]
  if (usual !== undefined) sentences.push(`Default \`${usual}\``)
  return `/** ${sentences.filter(Boolean).map(toSentence).join(' ')} */`
}

function describeLimits(schema: TSchema): string | undefined {
  const { format, description, minimum, maximum } = schema
  if (format === 'date-time') return 'An ISO 8601 timestamp'
  if (['Text', 'Decimal', 'Array'].includes(schema[Kind])) return description
  return maximum === undefined || description ? undefined : `From ${minimum} to ${maximum}`
}

const toSentence = (text: string) => text[0]!.toUpperCase() + text.slice(1).replace(/\.?$/, '.')

/** Objects and enumerations with a text of their own are published under their names. */
const published = Object.entries<TSchema>({ ...contract } as never).filter(
  ([, { text, properties, anyOf }]) => text && (properties ?? anyOf),
)
const toShape: Print = schema => printType(schema, toShape)
const names = new Map(published.map(([name, schema]) => [toShape(schema), name]))
const printPart: Print = part => names.get(toShape(part)) ?? printType(part, printPart)

function printPublished([name, schema]: [string, TSchema]) {
  if (!schema.properties)
    return `${printComment(schema)}\nexport type ${name} = ${printType(schema, printPart)}`
  const absent = INPUT.test(name) ? ' | undefined' : ''
  const lines = listFields(schema).map(
    ([field, part]) => `  ${printComment(part)}\n  ${printField(field, part, printPart, absent)}`,
  )
  return `${printComment(schema)}\nexport interface ${name} {\n${lines.join('\n')}\n}`
}

/** Prints every type of the contract. */
export function printTypes() {
  const reasons = Object.keys(contract.codeByReason).map(reason => `'${reason}'`)
  const types = [
    ...published.map(printPublished),
    `/** The cause of an error. */\nexport type ErrorReason = ${reasons.join(' | ')}`,
  ]
  return `${types.join('\n\n')}\n`
}
