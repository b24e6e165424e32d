import { Kind } from '@sinclair/typebox'
import type { Schema } from './operations'
import { texts } from './sample-texts'

// Values of a schema of the contract: valid ones at its limits, and ones that break one keyword in one place.

/**
 * A value of the whole schema. `place` is what has the limit or the violation, such as `property_units.0.unit_name`;
 * `stored` is what the server makes of a value that it accepts.
 */
export type Case = { place: string; keyword: string; value: unknown; stored: unknown }
type Cases = { accepted: Case[]; refused: Case[] }

const wrongTypes: Record<string, unknown[]> = {
  string: [null, 7, true, ['x'], {}],
  integer: [null, '7', '', true, [7], {}],
  number: [null, '7', '', true, [7], {}],
  boolean: [null, 'true', 0, 1, [], {}],
  array: [null, 'x', 7, {}, { 0: {} }, { length: 2 ** 32 - 1 }],
  object: [null, 'x', '', 7, false, [], [{}]],
}

const toCases = (keyword: string, values: unknown[]): Case[] =>
  values.map(value => ({ place: '', keyword, value, stored: value }))
/** Cases of values that the server changes into another one. */
const toChangedCases = (keyword: string, values: unknown[], stored: unknown): Case[] =>
  values.map(value => ({ place: '', keyword, value, stored }))
/** The case of a limit that the schema has. */
const toLimitCases = (keyword: string, limit: number | undefined, create: (limit: number) => unknown) =>
  limit === undefined ? [] : toCases(keyword, [create(limit)])

/** Moves cases of a part into the whole. */
const moveInto = (cases: Case[], name: string, wrap: (value: unknown) => unknown): Case[] =>
  cases.map(({ place, keyword, value, stored }) => ({
    place: place ? `${name}.${place}` : name,
    keyword,
    value: wrap(value),
    stored: wrap(stored),
  }))

/** Creates a value that the schema accepts, with every optional field. */
export const createValid = (schema: Schema): unknown => listCases(schema).accepted[0]!.value

/** Lists values at the limits of a schema, and values with one violation each. */
export function listCases(schema: Schema): Cases {
  if (schema.anyOf) return listUnionCases(schema.anyOf)
  if ('const' in schema) return listEnumCases([schema.const])
  const { accepted, refused } = listTypeCases(schema)
  return { accepted, refused: [...refused, ...toCases('type', wrongTypes[String(schema.type)]!)] }
}

function listTypeCases(schema: Schema): Cases {
  if (schema.type === 'string') return listTextCases(schema)
  if (schema.type === 'boolean') return { accepted: toCases('type', [true, false]), refused: [] }
  if (schema.type === 'array') return listArrayCases(schema)
  if (schema.patternProperties) return listRecordCases(schema)
  return schema.type === 'object' ? listObjectCases(schema) : listNumberCases(schema)
}

function listUnionCases(schemas: Schema[]): Cases {
  const others = schemas.filter(({ type }) => type !== 'null')
  const isEnum = others.every(each => 'const' in each)
  const cases = isEnum ? [listEnumCases(others.map(each => each.const))] : others.map(listCases)
  const isNullable = others.length < schemas.length
  // Of several types the server does not say which rule of one was broken.
  const nameUnion = (each: Case) => (cases.length > 1 && !each.place ? { ...each, keyword: 'union' } : each)
  // The wrong type for one may be the right one for another.
  const isRefused = ({ place, keyword, value }: Case) =>
    place !== '' ||
    (!(isNullable && (value === null || value === '')) && (cases.length === 1 || keyword !== 'type'))
  return {
    accepted: [
      ...cases.flatMap(each => each.accepted),
      ...toChangedCases('null', isNullable ? [null, ''] : [], null),
    ],
    refused: cases.flatMap(each => each.refused.filter(isRefused).map(nameUnion)),
  }
}

function listEnumCases(values: unknown[]): Cases {
  const other = String(values[0])
  const wrong = [null, '', 'nonsense', 0, {}, [values[0]], `x${other}`, `${other}x`]
  return { accepted: toCases('enum', values), refused: toCases('enum', wrong) }
}

function listTextCases({ format, pattern, minLength, maxLength }: Schema): Cases {
  const keyword = format ?? pattern!
  const { accepted, refused, fill } = texts[keyword]!
  const isTrimmed = format !== 'secret'
  return {
    accepted: [
      ...toCases(keyword, accepted),
      ...toChangedCases('trimmed', isTrimmed ? [` \n\t\u00a0${accepted[0]}\u00a0 `] : [], accepted[0]),
      ...toLimitCases('min_length', minLength, fill!),
      ...toLimitCases('max_length', maxLength, fill!),
    ],
    refused: [
      ...toCases(keyword, isTrimmed ? refused.filter(text => text === text.trim()) : refused),
      ...toLimitCases('min_length', minLength, limit => fill!(limit - 1)),
      ...toLimitCases('max_length', maxLength, limit => fill!(limit + 1)),
    ],
  }
}

function listNumberCases({ [Kind]: kind, type, minimum, exclusiveMinimum, maximum }: Schema): Cases {
  const isDecimal = kind === 'Decimal'
  const step = isDecimal ? 0.01 : 1
  const least = minimum ?? exclusiveMinimum!
  // A decimal has one rule, that of its type.
  const toKeyword = (keyword: string) => (isDecimal ? 'type' : keyword)
  return {
    accepted: [
      ...toLimitCases('minimum', minimum, limit => limit),
      ...toLimitCases('minimum', exclusiveMinimum, limit => limit + step),
      ...toLimitCases('maximum', maximum, limit => limit),
    ],
    refused: [
      ...toLimitCases(toKeyword('minimum'), minimum, limit => limit - step),
      ...toLimitCases(toKeyword('minimum'), exclusiveMinimum, limit => limit),
      ...toLimitCases(toKeyword('maximum'), maximum, limit => limit + step),
      ...toCases('type', isDecimal ? [least + 1.005] : []),
      ...toCases('type', type === 'integer' ? [least + 0.5] : []),
    ],
  }
}

function listArrayCases({ items, minItems = 0, maxItems, uniqueItems }: Schema): Cases {
  const inner = listCases(items!)
  const first = inner.accepted[0]!.value
  const createItems = (length: number) =>
    Array.from({ length }, (_, index) => (uniqueItems ? Number(first) + index : first))
  const withItem = (value: unknown) => [value, ...createItems(Math.max(0, minItems - 1))]
  return {
    accepted: [
      ...moveInto(inner.accepted, '0', withItem),
      ...toCases('min_items', [createItems(minItems)]),
      ...toLimitCases('max_items', maxItems, createItems),
    ],
    refused: [
      ...moveInto(inner.refused, '0', withItem),
      ...toCases('min_items', minItems ? [createItems(minItems - 1)] : []),
      ...toLimitCases('max_items', maxItems, limit => createItems(limit + 1)),
      ...toCases('unique_items', uniqueItems ? [[first, first]] : []),
    ],
  }
}

/** Texts under names that the client chooses. */
function listRecordCases({ patternProperties, maxProperties }: Schema): Cases {
  const inner = listCases(Object.values(patternProperties!)[0]!)
  const create = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`name ${index}`, 'x']))
  return {
    accepted: [
      ...moveInto(inner.accepted, 'name', name => ({ name })),
      ...toCases('max_properties', [create(0), create(maxProperties!), { ['x'.repeat(255)]: 'x' }]),
    ],
    refused: [
      ...moveInto(inner.refused, 'name', name => ({ name })),
      ...toCases('max_properties', [create(maxProperties! + 1)]),
      ...moveInto(toCases('name', ['x']), 'a\0', value => ({ 'a\0': value })),
    ],
  }
}

function listObjectCases({ properties = {}, required = [] }: Schema): Cases {
  const fields = Object.entries(properties).map(([name, field]) => ({ name, ...listCases(field) }))
  const valid = Object.fromEntries(fields.map(({ name, accepted }) => [name, accepted[0]!.value]))
  const without = (name: string) =>
    Object.fromEntries(Object.entries(valid).filter(([field]) => field !== name))
  const optional = Object.keys(properties).filter(name => !required.includes(name))
  const least = Object.fromEntries(required.map(name => [name, valid[name]]))
  return {
    accepted: [
      ...toCases('optional', [valid, least, ...optional.map(without)]),
      ...toChangedCases('undeclared', [{ ...valid, surprise: { toys: [1] }, length: 2 ** 32 - 1 }], valid),
      ...fields.flatMap(({ name, accepted }) =>
        moveInto(accepted, name, value => ({ ...valid, [name]: value })),
      ),
    ],
    refused: [
      ...required.flatMap(name => moveInto(toCases('is_required', [name]), name, () => without(name))),
      ...fields.flatMap(({ name, refused }) =>
        moveInto(refused, name, value => ({ ...valid, [name]: value })),
      ),
    ],
  }
}
