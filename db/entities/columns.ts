import { p, Type } from '@mikro-orm/core'
import { readClock } from '../clock'

/** text[]. MikroORM's array type does not quote: 'null' would become NULL, and outer spaces would be lost. */
export class TextArray extends Type<string[], string> {
  override getColumnType() {
    return 'text[]'
  }

  override convertToDatabaseValue(elements: string[]) {
    return elements && `{${elements.map(quoteElement).join(',')}}`
  }

  override convertToJSValue(elements: string[] | string) {
    return elements as string[]
  }
}

const quoteElement = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** The primary key, for joins and foreign keys. */
export const numericId = () => p.integer().primary().autoincrement()

/** The public identifier. */
export const uuid = () => p.uuid().unique().defaultRaw('gen_random_uuid()')

/** By the server's clock. There is no default: a statement that forgets the time fails. */
export const createdAt = { created_at: p.datetime(3).onCreate(readClock) }

export const timestamps = {
  ...createdAt,
  updated_at: p.datetime(3).onCreate(readClock).onUpdate(readClock),
}

/** Exact rupees with two decimals. */
export const rupees = () => p.decimal('number').precision(12).scale(2)

/** Exact rupees of the books: wider than one posting, so that no sum of postings overflows. */
export const amount = () => p.decimal('number').precision(20).scale(2)

/** Soft delete: the entity manager skips deleted records unless a query switches the filter off. */
export const softDeletion = { active: { name: 'active', cond: { is_active: true }, default: true } }
