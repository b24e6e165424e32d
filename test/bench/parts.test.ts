import { expect, test } from 'bun:test'
import { createPayments } from './case-requests'
import { fill } from './fill'
import { getBuilding, getLayout, getOwnLeaseId, getPhone, getPinCode } from './layout'
import { createRequest, sendLoad, sendRaw } from './load'
import { toComparison, toMarkdown, toRow, type Figures, type Report } from './report'
import { createWorld } from './world'
import { findBrokenInvariants } from '../support/books/invariants'
import { startTestServer, type TestServer } from '../support/server'

test('sends every request once, over the given number of connections', async () => {
  const bodies: string[] = []
  const ports = new Set<number>()
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request, server) => {
      ports.add(server.requestIP(request)!.port)
      bodies.push(await request.text())
      return Response.json({ length: 'x'.repeat(100_000) })
    },
  })
  const requests = Array.from({ length: 50 }, (_, i) => createRequest('POST', '/', { body: { i } }))

  const result = await sendLoad(server.port!, requests, 4, ({ status }) => status === 200)

  expect(result).toMatchObject({ requests: 50 })
  expect(bodies.toSorted()).toEqual(requests.map((_, i) => JSON.stringify({ i })).toSorted())
  expect(ports.size).toBe(4)
  const refused = sendLoad(server.port!, requests, 4, ({ status }) => status === 201)
  await expect(refused).rejects.toThrow('was answered 200')
})

const toFigures = (cpuUs: number): Figures => ({ perSecond: 1000, p50: 1, p99: 2, cpuUs })

function createReport(cpuUs: number): Report {
  const about = { name: 'me', what: 'GET /auth/me', bar: 1.35, requests: 10, rssMb: 100 }
  const rounds = [
    { floor: toFigures(100), kiraya: toFigures(cpuUs) },
    { floor: toFigures(99), kiraya: toFigures(9000) },
    { floor: toFigures(98), kiraya: toFigures(cpuUs + 1) },
  ]
  return {
    date: '2026-01-01T00:00:00.000Z',
    machine: 'a machine',
    scale: '1k',
    rounds: 3,
    settings: '',
    memory: [],
    endurance: [],
    starts: [],
    rows: [toRow(about, rounds)],
  }
}

test('the report takes the medians of the rounds, and compares an earlier run', () => {
  expect(createReport(130).rows[0]).toMatchObject({ ratio: 131 / 98, kiraya: toFigures(131) })
  expect(toMarkdown(createReport(150))).toContain('| GET /auth/me | 151 | 99 | 1.54 | 1.35 | **no** |')
  const compared = toComparison(createReport(100), createReport(201))
  expect(compared).toContain('| GET /auth/me | 101 | 202 | 2.00 × | 1.00 × | 1.03 | 2.06 |')
})

test('the database is filled as the layout says, and keeps its indexes and constraints', async () => {
  const server = await startTestServer()
  const sql = connectTo(server)
  const owned = 200
  const layout = getLayout(owned)
  const { firstTenant, properties } = layout
  const before = await listDefinitions(sql)

  await fill(sql, owned)

  expect(await listDefinitions(sql)).toEqual(before)
  expect(await countRecords(sql, firstTenant)).toEqual({
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
  await sql.end()
  await server.end()
})

test('the filled books and those of fresh leases hold together, and payments are posted to them', async () => {
  const server = await startTestServer()
  const sql = connectTo(server)
  const layout = getLayout(200)
  await fill(sql, 200)
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
  expect(broken.filter(each => !each.startsWith('the chain breaks'))).toEqual([])
  await sql.end()
  await server.end()
})

function connectTo({ deps }: TestServer) {
  const url = new URL(deps.config.DATABASE_URL!)
  const path = `${url.searchParams.get('host')}/.s.PGSQL.5432`
  return new Bun.SQL({ path, username: 'kiraya', database: url.pathname.slice(1), max: 1 })
}

const listDefinitions = (sql: Bun.SQL) =>
  sql`
    select indexdef as definition from pg_indexes where schemaname = 'public'
    union all
    select conname || pg_get_constraintdef(oid)
    from pg_constraint
    where connamespace = 'public'::regnamespace
    order by 1`.values()

async function countRecords(sql: Bun.SQL, firstTenant: number) {
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
