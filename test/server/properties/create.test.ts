import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { signInUser, type TestResponse } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { broken } from '../http/forms'
import { propertyShape, unitShape } from './shapes'

const time = clock(new Date('2026-03-01T10:00:00.123Z'))
const server = testServer({ overrides: { now: time.now } })
const toResult = ({ status, body }: TestResponse) => [status, body]
const created = (data: unknown) => [201, { success: true, data }]
const base = { pin_code: 560048, property_type: 'apartment' }
const create = async (body: unknown) => (await signInUser(server)).call('POST', '/properties', body)
const countProperties = async () =>
  (
    await getKysely(server.em())
      .selectFrom('properties')
      .select(e => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

describe('201: a property', () => {
  test('needs only a PIN code and a type; the other fields have defaults', async () => {
    const owner = await signInUser(server)
    const response = await owner.call('POST', '/properties', base)
    expect(toResult(response)).toEqual(
      created({ ...propertyShape({ landlord_id: owner.id }), property_units: [] }),
    )
    expect(Date.parse(response.body.data.property_approved_at)).toBe(time.now().getTime())
  })

  test('has every field of the request', async () => {
    const given = {
      ...base,
      society_building: 'White House',
      survey_number: '12/3',
      road_name: 'ITPL Main Road',
      locality: 'Whitefield',
      landmark: 'Opposite the lake',
      alias_name: 'Home',
      country: 'Bharat',
      common_amenities: ['lift', 'null', 'big  pool', 'a "b" \\ {c}, d', 'जिम'],
    }
    expect(toResult(await create(given))).toEqual(created({ ...propertyShape(given), property_units: [] }))
  })

  test('has the default of every optional field that is null', async () => {
    const optional = Object.fromEntries(
      [
        'society_building',
        'survey_number',
        'road_name',
        'locality',
        'landmark',
        'district',
        'city',
        'state',
        'country',
        'alias_name',
        'common_amenities',
        'property_units',
      ].map(name => [name, null]),
    )
    expect(toResult(await create({ ...base, ...optional }))).toEqual(
      created({ ...propertyShape(), property_units: [] }),
    )
  })
})

describe('201: the fields of a property', () => {
  for (const [name, given, alias] of [
    ['the building', { society_building: 'White House', locality: 'Whitefield' }, 'White House'],
    ['the locality, without a building', { locality: 'Whitefield' }, 'Whitefield'],
    ['the city, without building and locality', {}, 'Bengaluru'],
    ['the alias of the request', { society_building: 'White House', alias_name: 'Home' }, 'Home'],
  ] as const) {
    test(`the alias is ${name}`, async () => {
      expect((await create({ ...base, ...given })).body.data.alias_name).toBe(alias)
    })
  }

  for (const property_type of [
    'apartment',
    'gated_community_villa',
    'independent_house',
    'commercial',
    'pg',
  ]) {
    test(`the type can be ${property_type}`, async () => {
      expect((await create({ ...base, property_type })).body.data.property_type).toBe(property_type)
    })
  }
})

describe('201: a new property', () => {
  test('is approved and belongs to the caller; fields that clients cannot set are ignored', async () => {
    const owner = await signInUser(server)
    const other = await signInUser(server)
    const { body } = await owner.call('POST', '/properties', {
      ...base,
      id: 1,
      property_id: crypto.randomUUID(),
      landlord_id: other.id,
      property_approved: false,
      property_approved_at: null,
      property_approved_by: other.id,
      is_active: false,
      created_at: '2000-01-01T00:00:00Z',
      nonsense: { a: 1 },
    })
    expect(body.data).toEqual({ ...propertyShape({ landlord_id: owner.id }), property_units: [] })
    expect((await owner.call('GET', `/properties/${body.data.id}`)).body.data).toMatchObject({
      id: body.data.id,
    })
  })

  test('is returned with all its units', async () => {
    const owner = await signInUser(server)
    const manager = await signInUser(server)
    const { body } = await owner.call('POST', '/properties', {
      ...base,
      property_units: [
        { unit_name: 'A-101' },
        {
          unit_name: 'A-102',
          managed_by_id: manager.id,
          room_type: '2bhk',
          is_available: false,
          landlord_id: manager.id,
        },
      ],
    })
    const shared = { landlord_id: owner.id, property_id: body.data.id }
    expect(body.data.property_units).toEqual([
      unitShape({ ...shared, managed_by_id: owner.id }),
      unitShape({
        ...shared,
        unit_name: 'A-102',
        managed_by_id: manager.id,
        room_type: '2bhk',
        is_available: false,
      }),
    ])
  })
})

describe('a PIN code', () => {
  test('that is known sets city, district and state', async () => {
    expect(
      (await create({ ...base, pin_code: 682001, city: 'Paris', district: 'Seine', state: 'France' })).body
        .data,
    ).toMatchObject({ city: 'Kochi', district: 'Ernakulam', state: 'Kerala' })
  })

  test('that is unknown needs city, district and state of the request', async () => {
    expect(
      (await create({ ...base, pin_code: 999999, city: 'Newtown', district: 'Newland', state: 'Kerala' }))
        .body.data,
    ).toMatchObject({
      pin_code: 999999,
      city: 'Newtown',
      district: 'Newland',
      state: 'Kerala',
      alias_name: 'Newtown',
    })
  })

  for (const [given, missing] of [
    [{}, ['city', 'district', 'state']],
    [{ city: 'Newtown' }, ['district', 'state']],
    [{ city: 'Newtown', state: 'Kerala', district: null }, ['district']],
  ] as const) {
    test(`400: unknown with ${JSON.stringify(given)} names ${missing.join(', ')}`, async () => {
      expect(toResult(await create({ ...base, pin_code: 999999, ...given }))).toEqual([
        400,
        broken(...missing),
      ])
    })
  }

  for (const pin_code of [
    99999,
    1000000,
    0,
    -560048,
    12345,
    560048.5,
    '560048',
    null,
    true,
    [],
    {},
    undefined,
  ]) {
    test(`400: ${JSON.stringify(pin_code)}`, async () => {
      expect(toResult(await create({ ...base, pin_code }))).toEqual([400, broken('pin_code')])
    })
  }
})

const invalidTexts = ['', '   ', 'x'.repeat(256), 1, true, [], {}, 'a\0b', '\ud800']
const invalidFields = {
  property_type: [undefined, null, 'castle', 'Apartment', '', 1, ['pg']],
  ...Object.fromEntries(
    [
      'society_building',
      'survey_number',
      'road_name',
      'locality',
      'landmark',
      'district',
      'city',
      'state',
      'country',
      'alias_name',
    ].map(name => [name, invalidTexts]),
  ),
  common_amenities: ['lift', {}, 1, Array(101).fill('x')],
  property_units: ['x', {}, 1, Array.from({ length: 101 }, () => ({ unit_name: 'x' }))],
}

describe('400: a property', () => {
  for (const [field, values] of Object.entries(invalidFields)) {
    for (const value of values) {
      test(`with ${field} ${JSON.stringify(value)?.slice(0, 30)} names the field`, async () => {
        expect(toResult(await create({ ...base, [field]: value }))).toEqual([400, broken(field)])
      })
    }
  }

  test('with several invalid fields names each of them', async () => {
    expect(toResult(await create({ pin_code: 1, property_type: 'x', alias_name: '' }))).toEqual([
      400,
      {
        ...broken('pin_code', 'property_type', 'alias_name'),
        error: {
          ...broken().error,
          details: expect.arrayContaining(broken('pin_code', 'property_type', 'alias_name').error.details),
        },
      },
    ])
    for (const [field, value] of [
      ['common_amenities', ['ok', '']],
      ['property_units', [{ unit_name: 'ok' }, {}]],
    ] as const) {
      const { status, body } = await create({ ...base, [field]: value })
      expect([status, body.error.details[0].property.split('.')[0]]).toEqual([400, field])
    }
  })

  for (const body of [[], 'x', 1, null, true]) {
    test(`with the body ${JSON.stringify(body)}`, async () => {
      expect((await create(body)).status).toBe(400)
    })
  }

  test('with an invalid unit is not stored', async () => {
    const before = await countProperties()
    const inactive = await signInUser(server)
    await getKysely(server.em())
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', inactive.id)
      .execute()
    for (const managed_by_id of [2_000_000_000, inactive.id]) {
      const response = await create({
        ...base,
        property_units: [{ unit_name: 'A' }, { unit_name: 'B', managed_by_id }],
      })
      expect(toResult(response)).toEqual([400, broken('managed_by_id')])
      expect(response.body.error.message).toContain(String(managed_by_id))
    }
    expect(await countProperties()).toBe(before)
  })
})
