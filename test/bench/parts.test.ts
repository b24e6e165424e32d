import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createPayments } from './case-requests'
import { fill } from './fill'
import { getBuilding, getLayout, getOwnLeaseId, getPhone, getPinCode } from './layout'
import { createRequest, sendRaw } from './load'
import { createWorld } from './world'
import { findBrokenInvariants } from '../support/books/invariants'
import { testServer } from '../support/server'

const OWNED = 200
const layout = getLayout(OWNED)
const server = testServer()
let sql: Bun.SQL
beforeAll(() => void (sql = new Bun.SQL(server.deps.config.DATABASE_URL!, { max: 1 })))
afterAll(() => sql.end())

test('the database is filled as the layout says, and keeps its indexes and constraints', async () => {
  const { firstTenant, properties } = layout
  const before = await listDefinitions()

  await fill(sql, OWNED)

  expect(await listDefinitions()).toEqual(before)
  expect(await countRecords(firstTenant)).toEqual({
    properties,
    units: 3 * properties,
    own: 40,
    phone: getPhone(firstTenant),
    role: 'TENANT',
    agreements: properties,
    active: 28,
  })
  expect(await sql`select society_building, pin_code from properties where id = 123`).toEqual([
    { society_building: getBuilding(123), pin_code: getPinCode(123, layout) },
  ])
})

test('the filled books and those of fresh leases hold together, and payments are posted to them', async () => {
  const { JWT_SECRET } = server.deps.config
  const world = await createWorld(sql, layout, { JWT_SECRET, ESIGN_WEBHOOK_SECRET: '', SANDBOX_OTP: '' })
  const post = async (request: Buffer) => {
    const { status, body } = await sendRaw(Number(new URL(server.url).port), request)
    return { status, data: JSON.parse(body).data }
  }

  for (const request of await createPayments(world, 3))
    expect(await post(request)).toMatchObject({
      status: 201,
      data: { allocations: [{ amount: 25_000 }, { amount: 2500 }], unapplied_amount: 0 },
    })
  const filled = `/agreements/${getOwnLeaseId(layout, 1, 1)}/payments`
  const { token } = world.readers[0]!
  const body = { amount: 25_000, method: 'cash' }
  expect(await post(createRequest('POST', filled, { token, body }))).toMatchObject({
    status: 201,
    data: { allocations: [{ amount: 25_000 }] },
  })
  const broken = await findBrokenInvariants(server.em())
  // Hashes that SQL makes up are no chain.
  expect(broken.filter(each => !/^the chain of \d+ breaks$/.test(each))).toEqual([])
})

const listDefinitions = () =>
  sql`
    select indexdef as definition from pg_indexes where schemaname = 'public'
    union all
    select conname || pg_get_constraintdef(oid)
    from pg_constraint
    where connamespace = 'public'::regnamespace
    order by 1`.values()

async function countRecords(firstTenant: number) {
  const [row] = await sql`
    select
      (select count(*)::int from properties) as properties,
      (select count(*)::int from property_units) as units,
      (select count(*)::int from properties where landlord_id = 1) as own,
      (select phone from users where id = ${firstTenant}) as phone,
      (select role from users where id = ${firstTenant}) as role,
      (
        select count(*)::int
        from agreements a
        join property_units u on u.id = a.property_unit_id and u.landlord_id = a.landlord_id
        join properties p on p.id = u.property_id and p.landlord_id = u.landlord_id
      ) as agreements,
      (select count(*)::int from agreements where status = 'ACTIVE' and landlord_id = 1) as active`
  return row
}
