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
import type { Db } from '../../db/database'

/**
 * JSON that is sent as PostgreSQL wrote it, since parsing, checking and writing it again doubles the cost of a list.
 * The query is built from `schema` as well, so the JSON has only the fields that the schema declares.
 */
export class RawJson<S extends TSchema> {
  constructor(
    readonly schema: S,
    readonly text: string,
  ) {}
}

/** The same in texts that are made as the client reads them, for what may be too long to be in memory at once. */
export class RawJsonStream<S extends TSchema> {
  constructor(
    readonly schema: S,
    readonly texts: AsyncIterable<string>,
  ) {}
}

/** The schema of a response that is raw JSON. */
type RawJsonSchema<S> = TSchema & { static: RawJson<S extends TSchema ? S : never> }

/** The same for a response, of which a page has raw JSON in `data` alone. */
type RawResponseSchema<S> =
  S extends TObject<infer P extends { data: TSchema }>
    ? TObject<Omit<P, 'data'> & { data: RawJsonSchema<P['data']> }>
    : RawJsonSchema<S>

/** Declares a response, or its `data`, as raw JSON. Only JSON that was built from the same schema passes. */
export function toRawJsonSchema<S extends TSchema>(response: S) {
  const { data } = response.properties ?? {}
  const schema = data
    ? Type.Object({ ...response.properties, data: createRawSchema(data) })
    : createRawSchema(response)
  return schema as RawResponseSchema<S>
}

/** Declares a response as raw JSON that is sent in texts. */
export function toRawJsonStreamSchema<S extends TSchema>(response: S) {
  return createRawSchema(response) as TSchema & { static: RawJsonStream<S> }
}

function createRawSchema(schema: TSchema) {
  return Type.Unsafe({ [Kind]: 'RawJson', rawJsonOf: schema })
}

TypeRegistry.Set<{ rawJsonOf: TSchema }>(
  'RawJson',
  ({ rawJsonOf }, value) =>
    (value instanceof RawJson || value instanceof RawJsonStream) && value.schema === rawJsonOf,
)

const schemaIds = new WeakMap<TSchema, number>()
let lastSchemaId = 0

/** Returns a number that identifies a schema, for the key of a compiled query. */
export function getSchemaId(schema: TSchema): number {
  const id = schemaIds.get(schema) ?? (lastSchemaId += 1)
  schemaIds.set(schema, id)
  return id
}

/** A row that has every field of a schema; optional fields are null when they are absent. */
export type JsonRow<S extends TObject> = {
  [F in keyof Static<S>]-?: undefined extends Static<S>[F] ? NonNullable<Static<S>[F]> | null : Static<S>[F]
}
type Rows<O> = SelectQueryBuilder<any, any, O>

/** Selects rows as a JSON array with the fields of a schema. */
export function selectJsonArray<S extends TObject, O extends JsonRow<S>>(db: Db, schema: S, rows: Rows<O>) {
  const fields = selectFields(db, schema, rows)
  return sql<Static<TArray<S>>>`(select coalesce(json_agg(${toJson(schema)}), '[]') from ${fields} as row)`
}

/** Selects the one row as a JSON object with the fields of a schema, or null. */
export function selectJsonObject<S extends TObject, O extends JsonRow<S>>(db: Db, schema: S, rows: Rows<O>) {
  const fields = selectFields(db, schema, rows)
  return sql<Static<S> | null>`(select to_json(${toJson(schema)}) from ${fields} as row)`
}

function selectFields(db: Db, { properties }: TObject, rows: Rows<unknown>) {
  return db.selectFrom(rows.as('row')).select(Object.keys(properties) as never[])
}

/** Removes optional fields that are null. */
function toJson({ properties }: TObject) {
  const optional = Object.keys(properties).filter(name => OptionalKind in properties[name]!)
  if (optional.length === 0) return sql`row`
  const absentNames = optional.map(
    name => sql`case when ${sql.ref(`row.${name}`)} is null then ${sql.lit(name)} end`,
  )
  return sql`to_jsonb(row) - array_remove(array[${sql.join(absentNames)}], null)`
}
