import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import * as contract from '../../sdk/contract'

// What the contract says, as text; RECORD=contract writes it anew, for you to read what changed.

const REQUEST = /^New|^[A-Z]\w*(?:Input|Change|Query|Search|Posting)$/

type Schema = {
  text?: string
  type?: string
  const?: unknown
  format?: string
  pattern?: string
  default?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  uniqueItems?: boolean
  minProperties?: number
} & Partial<Record<(typeof LIMITS)[number], number>>

const LIMITS = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
] as const

/** Returns a field's values in a line, such as `integer, minimum 1, maximum 31 | null`. */
function describeValue(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(describeValue).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const { type, format, pattern, items, properties, uniqueItems, default: usual } = schema
  const limits = LIMITS.filter(name => schema[name] !== undefined).map(name => `${name} ${schema[name]}`)
  const parts = [
    type,
    format,
    pattern,
    ...limits,
    uniqueItems && 'unique',
    usual !== undefined && `default ${JSON.stringify(usual)}`,
    items && `of (${describeValue(items)})`,
    properties &&
      `{ ${listFields(schema)
        .map(({ text, mark }) => text.replace(':', `${mark}:`))
        .join('; ')} }`,
  ]
  return parts.filter(Boolean).join(', ')
}

const listFields = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, field]) => ({
    text: `${name}: ${describeValue(field)}`,
    mark: required.includes(name) ? '' : '?',
  }))

/** The paths of the fields that have no text. */
function listBareFields({ properties = {}, items, anyOf = [] }: Schema, path: string): string[] {
  const inner = [...(items ? [items] : []), ...anyOf].flatMap(part => listBareFields(part, path))
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.text ? [] : [`${path}.${name}`]),
    ...listBareFields(field, `${path}.${name}`),
  ])
  return [...inner, ...fields]
}

test('every field has a text, apart from what stands around a response', () => {
  const schemas = Object.entries({ ...contract } as Record<string, Schema | Function>)
  const bare = schemas.flatMap(([name, schema]) =>
    typeof schema === 'object' ? listBareFields(schema, name) : [],
  )
  expect(bare.filter(path => !path.endsWith('.data'))).toEqual([])
  expect(bare).toContain('UnitPage.data')
})

test('every type has a text, by which the package publishes it', async () => {
  const files = [...new Glob('*.ts').scanSync(join(import.meta.dir, '../../sdk/contract'))]
  const sources = await Promise.all(
    files.map(file => Bun.file(join(import.meta.dir, '../../sdk/contract', file)).text()),
  )
  const types = [...sources.join('\n').matchAll(/^export type (\w+) = Static</gm)].map(([, name]) => name!)
  const schemas = { ...contract } as Record<string, Schema>
  expect(types.filter(name => !schemas[name]?.text)).toEqual([])
  expect(types.length).toBeGreaterThan(100)
})

/** Compares a text with the recorded one, or records it. */
async function expectRecorded(name: string, texts: string[]) {
  const file = join(import.meta.dir, 'contract', name)
  const text = `${texts.join('\n')}\n`
  if (process.env.RECORD === 'contract') await Bun.write(file, text)
  expect(text).toBe(await Bun.file(file).text())
}

test('requests hold what the recorded text says, with its limits', async () => {
  const requests = Object.entries({ ...contract } as Record<string, unknown>)
    .filter(([name, schema]) => REQUEST.test(name) && typeof schema === 'object')
    .toSorted(([a], [b]) => (a < b ? -1 : 1)) as [string, Schema][]
  const fields = requests.flatMap(([request, schema]) =>
    schema.properties
      ? listFields(schema).map(({ text, mark }) => ({ text, request: request + mark }))
      : [{ text: describeValue(schema), request }],
  )
  const byField = Map.groupBy(fields, ({ text }) => text)
  const lines = [...byField].map(([text, uses]) => `${text} (${uses.map(use => use.request).join(' ')})`)
  await expectRecorded('requests.txt', lines.toSorted())
})

test('each reason has the code that is recorded', async () => {
  const byCode = Map.groupBy(Object.entries(contract.codeByReason).toSorted(), ([, code]) => code)
  const lines = [...byCode].map(
    ([code, reasons]) => `${code}: ${reasons.map(([reason]) => reason).join(' ')}`,
  )
  await expectRecorded('reasons.txt', lines.toSorted())
})
