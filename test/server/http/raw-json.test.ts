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

const it = testServer()

const Item = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  at: Type.Optional(Type.String()),
  note: Type.Union([Type.String(), Type.Null()]),
})
const rows = (db: Db) =>
  db
    .selectFrom(
      sql<{
        id: number
        secret: string
        name: string
        at: string | null
        note: string | null
      }>`(values (2, 'never shown', 'b "quoted" \\ é', null, null), (1, 'nor this', 'a', 'noon', 'x')) `.as<'v'>(
        sql`v(id, secret, name, at, note)`,
      ),
    )
    .select(['v.id', 'v.secret', 'v.name', 'v.at', 'v.note'])
const ask = async (build: (db: Db) => ReturnType<typeof sql>) =>
  (
    await getKysely(it.em())
      .selectNoFrom(build(getKysely(it.em())).as('json'))
      .executeTakeFirstOrThrow()
  ).json

test('what the schema does not name is not written, and what may be lacking is not written where it is null', async () => {
  const first = { id: 1, name: 'a', at: 'noon', note: 'x' }
  const second = { id: 2, name: 'b "quoted" \\ é', note: null }
  expect(await ask(db => selectJsonArray(db, Item, rows(db).orderBy('v.id')))).toStrictEqual([first, second])
  expect(await ask(db => selectJsonArray(db, Item, rows(db).orderBy('v.id', 'desc')))).toStrictEqual([
    second,
    first,
  ])
  expect(await ask(db => selectJsonObject(db, Item, rows(db).where('v.id', '=', 2)))).toStrictEqual(second)
  expect(
    await ask(db =>
      selectJsonObject(db, Type.Object({ name: Type.String() }), rows(db).where('v.id', '=', 1)),
    ),
  ).toStrictEqual({ name: 'a' })
})

test('nothing is nothing: an empty list, no row', async () => {
  const none = (db: Db) => rows(db).where('v.id', '=', 3)
  expect(await ask(db => selectJsonArray(db, Item, none(db)))).toEqual([])
  expect(await ask(db => selectJsonObject(db, Item, none(db)))).toBeNull()
})

test('an answer that is to be written takes only what was written from the same schema', () => {
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

/** The same, which allows nothing else. */
const strict = (schema: TSchema): TSchema =>
  schema.type === 'object'
    ? {
        ...schema,
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries<TSchema>(schema.properties).map(([name, field]) => [name, strict(field)]),
        ),
      }
    : schema.type === 'array'
      ? { ...schema, items: strict(schema.items) }
      : schema
/** As the schema is sent to somebody who knows it as JSON alone. */
const asEnvelope = (schema: TSchema) =>
  strict(
    schema.properties?.data
      ? Type.Object({ success: Type.Literal(true), ...schema.properties })
      : Type.Object({ success: Type.Literal(true), data: schema }),
  )

test('every answer that is written is what its schema says, with everything given and with nothing', async () => {
  const owner = await signInUser(it.url)
  const tenant = await signInUser(it.url)
  const { property, unit } = await createUnit(owner)
  const { agreement } = await createDraft(owner, [tenant])
  const place = {
    society_building: 'Tower',
    survey_number: '1/2',
    road_name: 'MG Road',
    locality: 'Whitefield',
    landmark: 'the lake',
    alias_name: 'Home',
    common_amenities: ['lift', 'a "pool"'],
  }
  const full = (
    await owner.call('POST', '/properties', {
      pin_code: 560_048,
      property_type: 'pg',
      ...place,
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
    })
  ).body.data
  const lease = (
    await owner.call(
      'POST',
      '/agreements',
      agreementTerms(full.property_units[0].id, [tenant.id], {
        deposit_amount: 0.5,
        amenities: ['tap'],
        additional_policies: 'x',
        improvements: 'y',
        payment_terms: 'z',
        late_fee: 10.25,
        signing_order: [owner.id, tenant.id],
      }),
    )
  ).body.data
  expect((await owner.call('POST', `/agreements/${lease.id}/sign`, { signer_id: owner.id })).status).toBe(200)
  const paths: [TSchema, ...string[]][] = [
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
  for (const [schema, ...all] of paths)
    for (const path of all) {
      const { status, body, headers } = await owner.call('GET', path)
      const check = TypeCompiler.Compile(asEnvelope(schema))
      expect([
        path,
        status,
        headers.get('content-type'),
        [...check.Errors(body)].map(({ path: at, message }) => `${at} ${message}`),
      ]).toEqual([path, 200, 'application/json;charset=utf-8', []])
    }
})
