import { expect, test } from 'bun:test'
import { Type, type TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { sql } from 'kysely'
import {
  AgreementResponse,
  AgreementPage,
  PropertyCandidates,
  PropertyPage,
  PropertyWithUnits,
  SignaturesResponse,
  TenantPage,
  Unit,
  UnitPage,
} from '@kiraya/sdk/contract'
import { getKysely, type Db } from '../../../db/database'
import { selectJsonArray, selectJsonObject, RawJson, toRawJsonSchema } from '../../../server/http/raw-json'
import { createDraft, createUnit, signInUser, agreementTerms } from '../../support/users'
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

/** Copies the schema, so that it allows no other fields. */
function toStrict(schema: TSchema): TSchema {
  if (schema.type === 'array') return { ...schema, items: toStrict(schema.items) }
  if (schema.type !== 'object') return schema
  const fields = Object.entries<TSchema>(schema.properties)
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, toStrict(field)]))
  return { ...schema, additionalProperties: false, properties }
}
/** The schema of the whole response body. */
function toEnvelope(schema: TSchema) {
  const fields = schema.properties?.data ? schema.properties : { data: schema }
  return toStrict(Type.Object({ success: Type.Literal(true), ...fields }))
}

const fullProperty = {
  pin_code: 560_048,
  property_type: 'pg',
  society_building: 'Tower',
  survey_number: '1/2',
  road_name: 'MG Road',
  locality: 'Whitefield',
  landmark: 'the lake',
  alias_name: 'Home',
  common_amenities: ['lift', 'a "pool"'],
  property_units: [
    {
      unit_name: 'A',
      room_type: '2bhk',
      furnishing_type: 'unfurnished',
      furniture_included: 'a bed',
      area_sqft: 650.5,
      floor_number: -1,
      unit_notes: 'north',
      unit_amenities: ['tap'],
    },
  ],
}
const optionalTerms = {
  deposit_amount: 0.5,
  amenities: ['tap'],
  additional_policies: 'x',
  improvements: 'y',
  payment_terms: 'z',
  late_fee: 10.25,
}

/** Creates records with all optional fields, and records without any. */
async function createRecords() {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { property, unit } = await createUnit(owner)
  const { agreement } = await createDraft(owner, [tenant])
  const { data: full } = (await owner.call('POST', '/properties', fullProperty)).body
  const terms = agreementTerms(full.property_units[0].id, [tenant.id], {
    ...optionalTerms,
    signing_order: [owner.id, tenant.id],
  })
  const { data: lease } = (await owner.call('POST', '/agreements', terms)).body
  const { status } = await owner.call('POST', `/agreements/${lease.id}/sign`, { signer_id: owner.id })
  expect(status).toBe(200)
  return { owner, property, unit, agreement, full, lease }
}

function getReads({ property, unit, agreement, full, lease }: Awaited<ReturnType<typeof createRecords>>) {
  const reads: [TSchema, ...string[]][] = [
    [PropertyPage, '/properties', '/properties?q=nothing'],
    [PropertyWithUnits, `/properties/${property.id}`, `/properties/${full.id}`],
    [
      PropertyCandidates,
      '/properties/search?name=Tower&pin_code=560048',
      '/properties/search?name=Tower&pin_code=110001',
      '/properties/search?name=Tower&pin_code=560048&locality=Whitefield',
    ],
    [UnitPage, `/properties/${full.id}/units`, `/properties/${property.id}/units?q=nothing`],
    [
      Unit,
      `/properties/${property.id}/units/${unit.id}`,
      `/properties/${full.id}/units/${full.property_units[0].id}`,
    ],
    [TenantPage, '/tenants', '/tenants?q=nothing'],
    [AgreementPage, '/agreements', '/agreements?q=nothing'],
    [AgreementResponse, `/agreements/${agreement.id}`, `/agreements/${lease.id}`],
    [SignaturesResponse, `/agreements/${agreement.id}/signatures`, `/agreements/${lease.id}/signatures`],
  ]
  return reads.flatMap(([schema, ...paths]) => paths.map(path => ({ schema, path })))
}

test('every raw JSON response matches its schema, with all fields and with none', async () => {
  const records = await createRecords()
  for (const { schema, path } of getReads(records)) {
    const { status, body, headers } = await records.owner.call('GET', path)
    const errors = [...TypeCompiler.Compile(toEnvelope(schema)).Errors(body)]
    expect([
      path,
      status,
      headers.get('content-type'),
      errors.map(({ path: at, message }) => `${at} ${message}`),
    ]).toEqual([path, 200, 'application/json;charset=utf-8', []])
  }
})
