import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import {
  Agreement,
  AgreementCounter,
  KycRequest,
  Property,
  PropertyUnit,
  SandboxRecord,
  User,
  WebhookDelivery,
} from '../../db/entities'
import { openDatabase, query, type Db, type Orm } from '../../db/orm'
import { records } from '../../db/records'
import { transact } from '../../db/records'
import { toFault } from '../../server/http/error-mapping'
import { freshDatabase } from '../support/database'

let database: Awaited<ReturnType<typeof freshDatabase>>
let orm: Orm
beforeAll(async () => {
  database = await freshDatabase()
  orm = openDatabase(database.url, { poolSize: 4 })
})
afterAll(async () => {
  await orm.close()
  await database.drop()
})

let phones = 9_000_000_000
const newUser = (given: { first_name?: string } = {}) =>
  records(orm).insert(User, { phone: String(phones++), ...given })
const place = {
  pin_code: 560_048,
  city: 'Bengaluru',
  district: 'Bengaluru Urban',
  state: 'Karnataka',
  alias_name: 'Home',
  property_type: 'pg',
} as const
const newProperty = async (given: Partial<Property> = {}) =>
  records(orm).insert(Property, { ...place, landlord_id: (await newUser()).id, ...given })
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    error => toFault(error).code,
  )

test('an inserted record has what the database gives it, times as dates', async () => {
  const user = await newUser({ first_name: 'Asha' })
  expect(await records(orm).findOne(User, { id: user.id })).toMatchObject({
    id: expect.any(Number),
    user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    phone: user.phone,
    first_name: 'Asha',
    last_name: null,
    email: null,
    password: null,
    last_login_at: null,
    role: 'LANDLORD',
    kyc_verified: false,
    created_at: expect.any(Date),
    updated_at: expect.any(Date),
    is_active: true,
  })
})

test('values come back as they were given: lists, JSON, decimals, dates, times of any year, half characters mended', async () => {
  const { id: landlord_id } = await newUser()
  const { id: property_id } = await newProperty({
    landlord_id,
    common_amenities: ['lift', 'a "quoted", {odd} \\ one', ' ', 'null'],
    society_building: 'half \ud800 one',
  })
  const property = await records(orm).findOneOrFail(Property, { id: property_id })
  expect(property.common_amenities).toEqual(['lift', 'a "quoted", {odd} \\ one', ' ', 'null'])
  const [inserted] = await records(orm).insertMany(PropertyUnit, [
    {
      property_id,
      landlord_id,
      managed_by_id: landlord_id,
      unit_name: 'half \udc00 too',
      room_type: '2bhk',
      area_sqft: 650.55,
      is_available: true,
    },
  ])
  const unit = await records(orm).findOneOrFail(PropertyUnit, { id: inserted!.id })
  expect([unit.area_sqft, unit.unit_name, property.society_building]).toEqual([
    650.55,
    'half \ufffd too',
    'half \ufffd one',
  ])
  const { id } = await records(orm).insert(Agreement, {
    agreement_number: 'A',
    document_url: 'https://example.com/a.pdf',
    property_unit_id: unit.id,
    landlord_id,
    agreement_start_date: '2028-02-29',
    agreement_end_date: '2029-01-28',
    tenure_in_months: 11,
    rent_amount: 0.1 + 0.2,
    rent_due_day: 1,
    notice_period_days: 30,
    signing_order: [landlord_id],
  })
  const agreement = await records(orm).findOneOrFail(Agreement, { id })
  expect(agreement).toMatchObject({
    agreement_start_date: '2028-02-29',
    rent_amount: 0.3,
    signing_order: [landlord_id],
    status: 'DRAFT',
    revision: 0,
    deposit_amount: null,
  })
  const far = new Date('9999-12-31T23:59:59.999Z')
  expect(
    (
      await records(orm).insert(WebhookDelivery, {
        provider: 'sandbox',
        digest: crypto.randomUUID(),
        payload: '{}',
        next_attempt_at: far,
      })
    ).next_attempt_at,
  ).toEqual(far)
})

test('records are found by equality, nothing, lists, comparisons and one of several conditions, deleted ones when asked for', async () => {
  const db = records(orm)
  const { id: landlord_id } = await newUser()
  const of = { landlord_id }
  const [a, b, c] = [
    await newProperty({ ...of, locality: 'a' }),
    await newProperty({ ...of, locality: 'b' }),
    await newProperty({ ...of }),
  ]
  const ids = (found: { id: number }[]) => found.map(({ id }) => id)
  const newest = { orderBy: { id: 'desc' } } as const
  expect(ids(await db.find(Property, of, newest))).toEqual([c.id, b.id, a.id])
  expect(ids(await db.find(Property, { ...of, locality: null }))).toEqual([c.id])
  expect(ids(await db.find(Property, { ...of, locality: { $ne: null } }, newest))).toEqual([b.id, a.id])
  expect(ids(await db.find(Property, { ...of, locality: { $ne: 'a' } }))).toEqual([b.id])
  expect(ids(await db.find(Property, { ...of, id: { $in: [a.id, c.id] } }, newest))).toEqual([c.id, a.id])
  expect(ids(await db.find(Property, { ...of, id: { $in: [] } }))).toEqual([])
  expect(
    ids(await db.find(Property, { ...of, id: { $gt: a.id }, created_at: { $lte: new Date() } }, newest)),
  ).toEqual([c.id, b.id])
  expect(
    ids(await db.find(Property, { ...of, $or: [{ locality: 'a' }, { id: { $gte: c.id } }] }, newest)),
  ).toEqual([c.id, a.id])
  expect(await db.update(Property, { id: b.id }, { is_active: false })).toBe(1)
  expect([
    await db.count(Property, of),
    await db.findOne(Property, { id: b.id }),
    (await db.findOne(Property, { id: b.id }, { filters: false }))?.is_active,
  ]).toEqual([2, undefined, false])
  expect([
    await db.delete(Property, { id: { $in: [a.id, b.id] } }),
    await db.delete(Property, { id: a.id }),
  ]).toEqual([2, 0])
})

test('a condition without a value finds nothing by accident, and what cannot be missing is told', async () => {
  const { id } = await newUser()
  await expect(refusal(records(orm).find(User, { id: undefined as never }))).resolves.toBe(
    'INTERNAL_SERVER_ERROR',
  )
  await expect(records(orm).delete(User, { id, phone: undefined as never })).rejects.toThrow(
    'A search by phone was given no value',
  )
  await expect(records(orm).findOneOrFail(User, { id: -1 })).rejects.toThrow('A record of users is missing')
  expect(await records(orm).count(User, { id })).toBe(1)
})

test('fields that are set are written, those alone, and the time of the change', async () => {
  const { id } = await newUser({ first_name: 'Asha' })
  await transact(orm, async tx => {
    const user = await tx.findOneOrFail(User, { id }, { lock: 'update' })
    await records(orm).update(KycRequest, { id: -1 }, { status: 'ERROR' })
    user.email = 'asha@example.com'
    user.first_name = undefined
    await tx.flush()
    user.last_name = 'Rao'
  })
  const user = await records(orm).findOneOrFail(User, { id })
  expect([user.email, user.first_name, user.last_name]).toEqual(['asha@example.com', null, 'Rao'])
  expect(user.updated_at.getTime()).toBeGreaterThan(user.created_at.getTime())
  const { rows } = await sql<{
    version: string
  }>`select xmin::text as version from users where id = ${id}`.execute(query(orm))
  await transact(
    orm,
    async tx => void Object.assign(await tx.findOneOrFail(User, { id }), { email: 'asha@example.com' }),
  )
  expect(
    (await sql`select xmin::text as version from users where id = ${id}`.execute(query(orm))).rows,
  ).toEqual(rows)
})

test('what another transaction changed in a field that was not set stays', async () => {
  const { id } = await newUser()
  await transact(orm, async tx => {
    const user = await tx.findOneOrFail(User, { id })
    await records(orm).update(User, { id }, { email: 'theirs@example.com' })
    user.first_name = 'Mine'
  })
  expect(await records(orm).findOne(User, { id })).toMatchObject({
    email: 'theirs@example.com',
    first_name: 'Mine',
  })
})

test('in a transaction a record is one object; read again it has what came since, but for what was set', async () => {
  const { id } = await newUser()
  await transact(orm, async tx => {
    const first = await tx.findOneOrFail(User, { id })
    first.first_name = 'Mine'
    await records(orm).update(User, { id }, { email: 'theirs@example.com', first_name: 'Theirs' })
    const second = await tx.findOneOrFail(User, { id }, { lock: 'update' })
    expect([first === second, second.email, second.first_name]).toEqual([true, 'theirs@example.com', 'Mine'])
    expect(
      (await tx.insert(AgreementCounter, { landlord_id: id, year: 2026, last_number: 1 })).last_number,
    ).toBe(1)
    ;(await tx.findOneOrFail(AgreementCounter, { landlord_id: id, year: 2026 })).last_number = 2
  })
  expect(await records(orm).findOne(AgreementCounter, { landlord_id: id, year: 2026 })).toMatchObject({
    last_number: 2,
  })
})

test('JSON that is changed in place is written', async () => {
  const id = crypto.randomUUID()
  await records(orm).insert(SandboxRecord, { id, kind: 'test', data: { list: [1], in: { side: 'a' } } })
  await transact(orm, async tx => {
    const { data } = (await tx.findOneOrFail(SandboxRecord, { id }, { lock: 'update' })) as unknown as {
      data: { list: number[]; in: { side: string } }
    }
    data.list.push(2)
    data.in.side = 'b'
  })
  expect((await records(orm).findOneOrFail(SandboxRecord, { id })).data).toEqual({
    list: [1, 2],
    in: { side: 'b' },
  })
})

test('all of a transaction or nothing, whoever fails: the work, a statement, or the commit', async () => {
  const count = () => records(orm).count(User, {})
  const before = await count()
  const phone = String(phones++)
  expect(
    await transact(orm, async tx => {
      await tx.insert(User, { phone })
      throw new Error('enough')
    }).catch(error => error.message),
  ).toBe('enough')
  expect(
    await transact(orm, async tx => {
      await tx.insert(User, { phone })
      await tx.insert(User, { phone })
    }).catch(error => error.code),
  ).toBe('23505')
  await query(orm)
    .schema.createTable('later')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('of', 'integer')
    .addForeignKeyConstraint('later_of', ['of'], 'later', ['id'], fk => fk.deferrable().initiallyDeferred())
    .execute()
  expect(
    await transact(orm, async tx => {
      await tx.insert(User, { phone })
      await sql`insert into later values (1, 2)`.execute(query(tx))
    }).catch(error => error.code),
  ).toBe('23503')
  expect(await count()).toBe(before)
  expect(orm.getConnectionCounts()).toMatchObject({ waiting: 0 })
  expect(
    await Promise.all(Array.from({ length: 12 }, () => transact(orm, tx => tx.count(User, {})))),
  ).toEqual(Array(12).fill(before))
})

test('locks are held until the end, and a query of the same transaction sees what it did', async () => {
  const { id } = await newUser()
  const order: string[] = []
  const named = (db: Db, given: { id: number }) =>
    db.selectFrom('users').where('id', '=', given.id).select('first_name')
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = transact(orm, async tx => {
    Object.assign(await tx.findOneOrFail(User, { id }, { lock: 'update' }), { first_name: 'First' })
    await tx.flush()
    expect([
      await tx.run(named, { id }),
      await query(tx).selectFrom('users').where('id', '=', id).select('first_name').execute(),
      await records(orm).run(named, { id }),
    ]).toEqual([[{ first_name: 'First' }], [{ first_name: 'First' }], [{ first_name: null }]])
    locked.resolve()
    await release.promise
    order.push('first')
  })
  await locked.promise
  const second = transact(
    orm,
    async tx => void order.push((await tx.findOneOrFail(User, { id }, { lock: 'share' })).first_name!),
  )
  await Bun.sleep(50)
  release.resolve()
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'First'])
})

test('many records by one statement, in their order, or none', async () => {
  const { id: landlord_id } = await newUser()
  const { id: property_id } = await newProperty({ landlord_id })
  const units = (names: string[]) =>
    names.map(unit_name => ({
      property_id,
      landlord_id,
      managed_by_id: landlord_id,
      unit_name,
      room_type: '1bhk' as const,
      unit_amenities: unit_name === 'B' ? ['balcony'] : undefined,
      is_available: unit_name !== 'C',
    }))
  expect(
    (await records(orm).insertMany(PropertyUnit, units(['A', 'B', 'C']))).map(
      ({ unit_name, unit_amenities, is_available, is_active }) => [
        unit_name,
        unit_amenities ?? null,
        is_available,
        is_active,
      ],
    ),
  ).toEqual([
    ['A', null, true, true],
    ['B', ['balcony'], true, true],
    ['C', null, false, true],
  ])
  expect(await records(orm).insertMany(PropertyUnit, [])).toEqual([])
  expect(await refusal(records(orm).insertMany(PropertyUnit, units(['D', 'bad \0'])))).toBe('BAD_REQUEST')
  expect(await records(orm).count(PropertyUnit, { property_id })).toBe(3)
})
