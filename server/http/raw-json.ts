import {
  Kind,
  OptionalKind,
  Type,
  TypeRegistry,
  type Static,
  type TArray,
  type TObject,
  type TSchema,
} from '@sinclair/typebox'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../../db/orm'

/**
 * JSON that goes out as PostgreSQL wrote it: to read it, check it and write it again takes as long as all else that a list
 * takes. The statement is written from `schema` too, so that nothing is in it which that does not name.
 */
export class RawJson<S extends TSchema> {
  constructor(
    readonly schema: S,
    readonly text: string,
  ) {}
}

/** The schema of an answer that is written, or whose `data` are: nothing but what was written from it will do. */
export const toRawJsonSchema = <S extends TSchema>(answer: S) =>
  (answer.properties?.data
    ? Type.Object({ ...answer.properties, data: only(answer.properties.data) })
    : only(answer)) as InWriting<S>
const only = (schema: TSchema) => Type.Unsafe({ [Kind]: 'Written', written: schema })
TypeRegistry.Set<{ written: TSchema }>(
  'Written',
  (expected, value) => value instanceof RawJson && value.schema === expected.written,
)
type InWriting<S> =
  S extends TObject<infer P extends { data: TSchema }>
    ? TObject<Omit<P, 'data'> & { data: Only<P['data']> }>
    : S extends TSchema
      ? Only<S>
      : never
type Only<S extends TSchema> = TSchema & { static: RawJson<S> }

/** Tells what is written from one schema from what is written from another. */
export function toRowNumber(schema: TSchema): number {
  const known = numbers.get(schema) ?? (numbered += 1)
  numbers.set(schema, known)
  return known
}
const numbers = new WeakMap<TSchema, number>()
let numbered = 0

/** A row that a schema is written of; a field that an answer may lack is null in it. */
export type JsonRow<S extends TObject> = {
  [F in keyof Static<S>]-?: undefined extends Static<S>[F] ? NonNullable<Static<S>[F]> | null : Static<S>[F]
}
type Rows<O> = SelectQueryBuilder<any, any, O>

/** An array of what the schema of its items names. */
export const selectJsonArray = <S extends TObject, O extends JsonRow<S>>(db: Db, schema: S, rows: Rows<O>) =>
  sql<
    Static<TArray<S>>
  >`(select coalesce(json_agg(${json(schema)}), '[]') from ${named(db, schema, rows)} as row)`
/** The one row, or null. */
export const selectJsonObject = <S extends TObject, O extends JsonRow<S>>(db: Db, schema: S, rows: Rows<O>) =>
  sql<Static<S> | null>`(select to_json(${json(schema)}) from ${named(db, schema, rows)} as row)`

const named = (db: Db, { properties }: TObject, rows: Rows<unknown>) =>
  db.selectFrom(rows.as('row')).select(Object.keys(properties) as never[])
function json({ properties }: TObject) {
  const lackable = Object.keys(properties).filter(name => OptionalKind in properties[name]!)
  return lackable.length
    ? sql`to_jsonb(row) - array_remove(array[${sql.join(lackable.map(name => sql`case when ${sql.ref(`row.${name}`)} is null then ${sql.lit(name)} end`))}], null)`
    : sql`row`
}
