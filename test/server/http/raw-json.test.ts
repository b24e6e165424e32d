import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { sql } from 'kysely'
import { PropertyPage, Unit, UnitPage } from '@kiraya/sdk/contract'
import { getKysely, type Db } from '../../../db/database'
import { selectJsonArray, selectJsonObject, RawJson, toRawJsonSchema } from '../../../server/http/raw-json'
import { testServer } from '../../support/server'

const server = testServer()

const Item = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  at: Type.Optional(Type.String()),
  note: Type.Union([Type.String(), Type.Null()]),
})
function selectRows(db: Db) {
  const values = sql<{
    id: number
    secret: string
    name: string
    at: string | null
    note: string | null
  }>`(values (2, 'never shown', 'b "quoted" \\ é', null, null), (1, 'nor this', 'a', 'noon', 'x')) `
  return db
    .selectFrom(values.as<'v'>(sql`v(id, secret, name, at, note)`))
    .select(['v.id', 'v.secret', 'v.name', 'v.at', 'v.note'])
}
async function selectJson(build: (db: Db) => ReturnType<typeof sql>) {
  const db = getKysely(server.em())
  const { json } = await db.selectNoFrom(build(db).as('json')).executeTakeFirstOrThrow()
  return json
}

test('fields outside the schema are omitted, and so are optional fields that are null', async () => {
  const first = { id: 1, name: 'a', at: 'noon', note: 'x' }
  const second = { id: 2, name: 'b "quoted" \\ é', note: null }
  expect(await selectJson(db => selectJsonArray(db, Item, selectRows(db).orderBy('v.id')))).toStrictEqual([
    first,
    second,
  ])
  expect(
    await selectJson(db => selectJsonArray(db, Item, selectRows(db).orderBy('v.id', 'desc'))),
  ).toStrictEqual([second, first])
  expect(
    await selectJson(db => selectJsonObject(db, Item, selectRows(db).where('v.id', '=', 2))),
  ).toStrictEqual(second)
  expect(
    await selectJson(db =>
      selectJsonObject(db, Type.Object({ name: Type.String() }), selectRows(db).where('v.id', '=', 1)),
    ),
  ).toStrictEqual({ name: 'a' })
})

test('no rows: an empty list, or null for one object', async () => {
  const selectNone = (db: Db) => selectRows(db).where('v.id', '=', 3)
  expect(await selectJson(db => selectJsonArray(db, Item, selectNone(db)))).toEqual([])
  expect(await selectJson(db => selectJsonObject(db, Item, selectNone(db)))).toBeNull()
})

test('a response accepts only raw JSON that was built from its own schema', () => {
  const whole = TypeCompiler.Compile(toRawJsonSchema(Unit))
  const page = TypeCompiler.Compile(toRawJsonSchema(UnitPage))
  const metadata = { page: 1, limit: 50, total: 0, total_pages: 0 }
  expect([
    whole.Check(new RawJson(Unit, '{}')),
    whole.Check(new RawJson(Item, '{}')),
    whole.Check({}),
    whole.Check('{}'),
  ]).toEqual([true, false, false, false])
  expect([
    page.Check({ data: new RawJson(UnitPage.properties.data, '[]'), metadata }),
    page.Check({ data: new RawJson(PropertyPage.properties.data, '[]'), metadata }),
    page.Check({ data: [], metadata }),
  ]).toEqual([true, false, false])
})
