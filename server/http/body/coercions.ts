import type { TSchema } from '@sinclair/typebox'
import { INDIAN_UTC_OFFSET_MS } from '../../domain/dates'
import { DAY_MS } from '../../domain/durations'
import { isInstant } from './formats'
import { isNullable } from './violations'

type Coerce = (value: unknown) => unknown

/**
 * Maps what forms and date pickers send: the empty text of an optional field to null, and midnight in UTC or India to
 * its day. Changes objects in place; undefined for a schema in which there is neither.
 */
export function createCoercion(schema: TSchema): Coerce | undefined {
  if (schema.type === 'object') return coerceFields(schema)
  if (schema.type === 'array') return coerceItems(schema)
  if (schema.format === 'calendar-date') return toCalendarDate
  if (!isNullable(schema)) return undefined
  const coerce = createCoercion(schema.anyOf[0])
  return value => (value === '' ? null : coerce ? coerce(value) : value)
}

function coerceFields({ properties }: TSchema): Coerce | undefined {
  const coercions = Object.entries<TSchema>(properties ?? {}).flatMap(([name, schema]) => {
    const coerce = createCoercion(schema)
    return coerce ? [{ name, coerce }] : []
  })
  if (coercions.length === 0) return undefined
  return value => {
    if (typeof value !== 'object' || value === null) return value
    const fields = value as Record<string, unknown>
    for (const { name, coerce } of coercions)
      if (Object.hasOwn(fields, name)) fields[name] = coerce(fields[name])
    return value
  }
}

function coerceItems({ items }: TSchema): Coerce | undefined {
  const coerce = createCoercion(items)
  return coerce && (value => (Array.isArray(value) ? value.map(coerce) : value))
}

/** Maps a timestamp at midnight in UTC or India to its day; without a zone it is either. */
function toCalendarDate(value: unknown) {
  if (typeof value !== 'string' || !value.includes('T')) return value
  const text = value.replace(/\.0+(?=Z|[+-]|$)/, '')
  const instant = /Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`
  if (!isInstant(instant)) return value
  const ms = Date.parse(instant)
  const midnight = [ms, ms + INDIAN_UTC_OFFSET_MS].find(local => local % DAY_MS === 0)
  return midnight === undefined ? value : new Date(midnight).toISOString().slice(0, 10)
}
