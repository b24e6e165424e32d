import { expect, test } from 'bun:test'
import { LockMode, type RequiredEntityData } from '@mikro-orm/core'
import { sql } from 'kysely'
import { findEntities } from '../../db/compiled-queries'
import { getKysely, type Db } from '../../db/database'
import { Agreement, Property, PropertyUnit, User } from '../../db/entities'
import { databaseOfFile } from './database'

const { open } = await databaseOfFile()
const db = open({ poolSize: 4 })
db.useClock(() => new Date())

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

test('lists, texts and decimals are read as they were written; half characters are replaced', async () => {
  const amenities = ['lift', 'a "quoted", {odd} \\ one', ' ', '', 'null', 'जिम']
  const created = await createProperty({ common_amenities: amenities, society_building: 'half \ud800 one' })
  const { id } = await db.transactional(async em =>
    em.create(PropertyUnit, { ...toUnit(created, 'half \udc00 too'), room_type: '2bhk', area_sqft: 650.55 }),
  )

  const property = await db.fork().findOneOrFail(Property, { id: created.id })
  expect(property).toMatchObject({ common_amenities: amenities, society_building: 'half \ufffd one' })
  const unit = await db.fork().findOneOrFail(PropertyUnit, { id })
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

  expect(await db.fork().findOneOrFail(Agreement, { id })).toMatchObject({
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

  expect(await db.fork().findOne(Property, { id })).toBeNull()
  expect(await db.fork().findOne(Property, { id }, { filters: false })).toMatchObject({ is_active: false })
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

  expect(await db.fork().findOne(User, id)).toMatchObject({ first_name: 'Ravi' })
})

test('findEntities goes on on the same connection after a migration adds a column', async () => {
  const { id } = await createUser({ first_name: 'Asha' })
  const single = open({ poolSize: 1 })
  const find = () => single.transactional(em => findEntities(em, User, selectUserForUpdate, { id }))

  await find()
  await sql`alter table users add column shoe_size int`.execute(getKysely(db))

  expect(await find()).toMatchObject([{ id, first_name: 'Asha' }])
  await sql`alter table users drop column shoe_size`.execute(getKysely(db))
})

test('a lock on a unit leaves its property free', async () => {
  const property = await createProperty()
  const { id } = await db.transactional(async em => em.create(PropertyUnit, toUnit(property, 'A')))

  const free = await db.transactional(async em => {
    await em.findOneOrFail(PropertyUnit, id, { lockMode: LockMode.PESSIMISTIC_WRITE })
    // Beside the transaction, in which no lock is in the way.
    return db.sendStatement('select id from properties where id = $1 for update nowait', [property.id])
  })

  expect(free).toEqual([{ id: property.id }])
})
