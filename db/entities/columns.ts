import { p, Type } from '@mikro-orm/core'

/** text[]: MikroORM's own array type leaves elements unquoted, so 'null' would become NULL and blanks at the ends be lost. */
export class TextArray extends Type<string[], string> {
  override getColumnType() {
    return 'text[]'
  }

  override convertToDatabaseValue(list: string[]) {
    return list && `{${list.map(text => `"${text.replace(/["\\]/g, '\\$&')}"`)}}`
  }

  override convertToJSValue(list: string[] | string) {
    return list as string[]
  }
}

/** Every record has a numeric id for the inside and a UUID for the outside. */
export const numericId = () => p.integer().primary().autoincrement()
export const uuid = () => p.uuid().unique().defaultRaw('gen_random_uuid()')

export const createdAt = {
  created_at: p
    .datetime(3)
    .defaultRaw('now()')
    .onCreate(() => new Date()),
}
export const timestamps = {
  ...createdAt,
  updated_at: p
    .datetime(3)
    .defaultRaw('now()')
    .onCreate(() => new Date())
    .onUpdate(() => new Date()),
}

/** Rupees with two decimals, held exactly. */
export const rupees = () => p.decimal('number').precision(12).scale(2)

/** A query through the entity manager sees no deleted record unless it asks for it. */
export const softDeletion = { active: { name: 'active', cond: { is_active: true }, default: true } }
