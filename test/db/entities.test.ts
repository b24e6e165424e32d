import { afterAll, beforeAll, expect, test } from 'bun:test'
import { LockMode, type RequiredEntityData } from '@mikro-orm/core'
import { sql } from 'kysely'
import { findEntities } from '../../db/compiled-queries'
import { getKysely, openDatabase, type Database, type Db, type EntityManager } from '../../db/database'
import { Agreement, Property, PropertyUnit, SandboxRecord, User } from '../../db/entities'
import { toFault } from '../../server/http/variants/error-mapping'
import { freshDatabase } from '../support/database'

let temporary: Awaited<ReturnType<typeof freshDatabase>>
let db: Database
beforeAll(async () => {
  temporary = await freshDatabase()
  db = openDatabase(temporary.url, { poolSize: 4 })
})
afterAll(async () => {
  await db.close()
  await temporary.drop()
})

let nextPhone = 9_000_000_000
const getFreshPhone = () => String(nextPhone++)

function createUser(fields: { first_name?: string } = {}) {
  return db.transactional(async em => em.create(User, { phone: getFreshPhone(), ...fields }))
}

const place = {
  pin_code: 560_048,
  city: 'Bengaluru',
  district: 'Bengaluru Urban',
  state: 'Karnataka',
  alias_name: 'Home',
  property_type: 'pg',
} as const

async function createProperty(fields: Partial<RequiredEntityData<Property>> = {}) {
  const { id: landlord_id } = await createUser()
  return db.transactional(async em => em.create(Property, { ...place, landlord_id, ...fields }))
}

function toUnit({ id: property_id, landlord_id }: Property, unit_name: string) {
  return { property_id, landlord_id, managed_by_id: landlord_id, unit_name }
}

function getFaultCode(work: Promise<unknown>) {
  return work.then(
    () => 'none',
    error => toFault(error).code,
  )
}

const findUser = (id: number) => db.em.fork().findOneOrFail(User, { id })

test('an inserted record has the values of the database, with timestamps as dates', async () => {
  const user = await createUser({ first_name: 'Asha' })

  expect(await findUser(user.id)).toMatchObject({
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

test('lists, texts and decimals are read as they were written; half characters are replaced', async () => {
  const amenities = ['lift', 'a "quoted", {odd} \\ one', ' ', '', 'null', 'जिम']
  const created = await createProperty({ common_amenities: amenities, society_building: 'half \ud800 one' })
  const { id } = await db.transactional(async em =>
    em.create(PropertyUnit, { ...toUnit(created, 'half \udc00 too'), room_type: '2bhk', area_sqft: 650.55 }),
  )

  const property = await db.em.fork().findOneOrFail(Property, { id: created.id })
  expect(property).toMatchObject({ common_amenities: amenities, society_building: 'half \ufffd one' })
  const unit = await db.em.fork().findOneOrFail(PropertyUnit, { id })
  expect(unit).toMatchObject({ unit_name: 'half \ufffd too', area_sqft: 650.55 })
})

test('calendar days, JSON and rupees are read as they were written', async () => {
  const property = await createProperty()
  const { landlord_id } = property
  const unit = await db.transactional(async em => em.create(PropertyUnit, toUnit(property, 'A')))
  const { id } = await db.transactional(async em =>
    em.create(Agreement, {
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
    }),
  )

  expect(await db.em.fork().findOneOrFail(Agreement, { id })).toMatchObject({
    agreement_start_date: '2028-02-29',
    rent_amount: 0.3,
    signing_order: [landlord_id],
    status: 'DRAFT',
    revision: 0,
    deposit_amount: null,
  })
})

test('a soft-deleted record is found only without the filter', async () => {
  const { id } = await createProperty()
  await db.transactional(async em => {
    const property = await em.findOneOrFail(Property, { id })
    property.is_active = false
  })

  expect(await db.em.fork().findOne(Property, { id })).toBeNull()
  expect(await db.em.fork().findOne(Property, { id }, { filters: false })).toMatchObject({ is_active: false })
})

test('a flush writes the fields that were set and the time of the change', async () => {
  const { id } = await createUser({ first_name: 'Asha' })
  await db.transactional(async em => {
    const user = await em.findOneOrFail(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    user.email = 'asha@example.com'
    user.first_name = null
    await em.flush()
    user.last_name = 'Rao'
  })

  const user = await findUser(id)
  expect([user.email, user.first_name, user.last_name]).toEqual(['asha@example.com', null, 'Rao'])
  expect(user.updated_at.getTime()).toBeGreaterThan(user.created_at.getTime())
})

test('JSON that is changed in place is written', async () => {
  const id = crypto.randomUUID()
  await db.transactional(async em =>
    em.create(SandboxRecord, { id, kind: 'test', data: { list: [1], in: { side: 'a' } } }),
  )
  await db.transactional(async em => {
    const record = await em.findOneOrFail(SandboxRecord, { id })
    const data = record.data as { list: number[]; in: { side: string } }
    data.list.push(2)
    data.in.side = 'b'
  })

  const { data } = await db.em.fork().findOneOrFail(SandboxRecord, { id })
  expect(data).toEqual({ list: [1, 2], in: { side: 'b' } })
})

const insertUser = (em: EntityManager, phone: string) =>
  getKysely(em).insertInto('users').values({ phone }).execute()

const failures: [
  name: string,
  work: (em: EntityManager, phone: string) => Promise<unknown>,
  error: string,
][] = [
  ['the work', () => Promise.reject(Object.assign(new Error('enough'), { code: 'enough' })), 'enough'],
  ['a statement', insertUser, '23505'],
  ['the commit', em => sql`insert into deferred values (1, 2)`.execute(getKysely(em)), '23503'],
]
test.each(failures)('nothing of a transaction stays if %s fails', async (_, fail, code) => {
  await getKysely(db)
    .schema.createTable('deferred')
    .ifNotExists()
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('of', 'integer')
    .addForeignKeyConstraint('deferred_of', ['of'], 'deferred', ['id'], key =>
      key.deferrable().initiallyDeferred(),
    )
    .execute()
  const phone = getFreshPhone()

  const work = db.transactional(async em => {
    await insertUser(em, phone)
    await fail(em, phone)
  })

  await expect(work).rejects.toMatchObject({ code })
  expect(await db.em.fork().count(User, { phone })).toBe(0)
  expect(db.getConnectionCounts()).toMatchObject({ waiting: 0 })
})

test('one flush inserts many records in their order, or none', async () => {
  const property = await createProperty()
  const insertUnits = (names: string[]) =>
    db.transactional(async em => names.map(name => em.create(PropertyUnit, toUnit(property, name))))

  const units = await insertUnits(['A', 'B', 'C'])
  expect(units.map(unit => unit.unit_name)).toEqual(['A', 'B', 'C'])
  expect(units.map(unit => unit.id)).toEqual(units.map(unit => unit.id).toSorted((a, b) => a - b))
  expect(await getFaultCode(insertUnits(['D', 'bad \0']))).toBe('BAD_REQUEST')
  expect(await db.em.fork().count(PropertyUnit, { property_id: property.id })).toBe(3)
})

function selectUserForUpdate(kysely: Db, { id }: { id: number }) {
  return kysely.selectFrom('users').where('id', '=', id).forUpdate()
}

test('findEntities finds entities that a flush saves', async () => {
  const { id } = await createUser({ first_name: 'Asha' })

  await db.transactional(async em => {
    const [user] = await findEntities(em, User, selectUserForUpdate, { id })
    expect(user).toMatchObject({ id, first_name: 'Asha' })
    expect(user!.created_at).toBeInstanceOf(Date)
    user!.first_name = 'Ravi'
  })

  expect(await db.em.fork().findOne(User, id)).toMatchObject({ first_name: 'Ravi' })
})

test('findEntities goes on on the same connection after a migration adds a column', async () => {
  const { id } = await createUser({ first_name: 'Asha' })
  const single = openDatabase(temporary.url, { poolSize: 1 })
  const find = () => single.transactional(em => findEntities(em, User, selectUserForUpdate, { id }))

  await find()
  await sql`alter table users add column shoe_size int`.execute(getKysely(db))

  expect(await find()).toMatchObject([{ id, first_name: 'Asha' }])
  await sql`alter table users drop column shoe_size`.execute(getKysely(db))
  await single.close()
})
