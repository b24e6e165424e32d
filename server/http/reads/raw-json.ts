import { Kind, Type, TypeRegistry, type Static, type TObject, type TSchema } from '@sinclair/typebox'

/** JSON as PostgreSQL wrote it: parsing, checking and writing it again doubles the cost of a list. */
export class RawJson<T> {
  /** Makes the type exact: a query that selects a field more than the response has does not compile. */
  declare private readonly type: (value: T) => T

  constructor(readonly text: string) {}
}

/** Its values are not checked and copied again, as those of lists are not. */
export const toRawJson = <T>(value: T) => new RawJson<T>(JSON.stringify(value))

/** The same in texts that are made as the client reads them, for what may be too long to be in memory at once. */
export class RawJsonStream<T> {
  declare private readonly type: (value: T) => T

  constructor(readonly texts: AsyncIterable<string>) {}
}

type Raw<T> = TSchema & { static: RawJson<T> }

/** A list is raw in its `data` alone, as is what has a message beside it. */
type RawResponse<S extends TSchema> =
  S extends TObject<infer P extends { data: TSchema }>
    ? TObject<Omit<P, 'data'> & { data: Raw<Static<P['data']>> }>
    : Raw<Static<S>>

/** Declares that a response, or its `data`, is raw JSON; `schema` describes it. */
export function rawJson<S extends TSchema>(schema: S) {
  const data: TSchema | undefined = schema.properties?.data
  const raw = data ? Type.Object({ ...schema.properties, data: toRaw(data) }) : toRaw(schema)
  return raw as RawResponse<S>
}

/** Declares a response as raw JSON that is sent in texts. */
export const rawJsonStream = <S extends TSchema>(schema: S) =>
  toRaw(schema) as TSchema & { static: RawJsonStream<Static<S>> }

const toRaw = (schema: TSchema) => Type.Unsafe({ [Kind]: 'RawJsonText', rawJsonOf: schema })

TypeRegistry.Set('RawJsonText', (_, value) => value instanceof RawJson || value instanceof RawJsonStream)
