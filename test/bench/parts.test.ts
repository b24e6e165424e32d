import { expect, test } from 'bun:test'
import { buildingOf, fill, layoutOf, phoneOf, pinCodeOf } from './fill'
import { answerIn, at, drive, median, requestOf } from './load'
import { cpuTicksIn } from './processes'
import { comparisonOf, markdownOf, plotOf, rowOf, shapeOf, type Figures, type Report } from './report'
import { startTestServer } from '../support/server'

test('an answer is read when it is there as a whole, and what follows it is left', () => {
  const answer = Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nनHTTP/1.1'.replace('4', '3'))
  expect(answerIn(answer.subarray(0, 20))).toBeUndefined()
  expect(answerIn(answer.subarray(0, answer.indexOf('HTTP/1.1', 10) - 1))).toBeUndefined()
  expect(answerIn(answer)).toEqual({ status: 201, body: 'न', bytes: answer.length - 'HTTP/1.1'.length })
  expect(() => answerIn(Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'))).toThrow(
    'without a length',
  )
})

test('every request is sent once, over no more connections than asked for', async () => {
  const seen: string[] = []
  const open = new Set<number>()
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request, server) => {
      open.add(server.requestIP(request)!.port)
      seen.push(await request.text())
      return Response.json({ length: 'x'.repeat(100_000) })
    },
  })
  const requests = Array.from({ length: 50 }, (_, i) => requestOf('POST', '/', { body: { i } }))
  expect(await drive(server.port!, requests, 4, ({ status }) => status === 200)).toMatchObject({
    requests: 50,
  })
  expect(seen.toSorted()).toEqual(requests.map((_, i) => JSON.stringify({ i })).toSorted())
  expect(open.size).toBe(4)
  await expect(drive(server.port!, requests, 4, ({ status }) => status === 201)).rejects.toThrow(
    'was answered 200',
  )
})

test('percentiles and the processor time of a process whose name is odd', () => {
  expect([median([3, 1, 2]), at([1, 2, 3, 4], 0.99), at([1, 2, 3, 4], 0.5)]).toEqual([2, 4, 3])
  expect(cpuTicksIn('7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 120 30 0 0')).toBe(150)
})

const figures = (cpuUs: number): Figures => ({ perSecond: 1000, p50: 1, p99: 2, cpuUs })
const report = (cpuUs: number): Report => ({
  date: '2026-01-01T00:00:00.000Z',
  machine: 'a <machine>',
  scale: '1k',
  rounds: 3,
  settings: '',
  memory: [{ what: 'most', floorMb: 50, kirayaMb: 151, bar: 150 }],
  endurance: [{ requests: 100_000, mb: 120 }],
  starts: [{ what: 'CLI --help', value: 70.4, unit: 'ms', bar: 80 }],
  rows: [
    rowOf(
      { name: 'me', what: 'GET /auth/me', bar: 1.4, requests: 10, rssMb: 100 },
      [cpuUs, 9000, cpuUs + 1].map((each, index) => ({ floor: figures(100 - index), kiraya: figures(each) })),
    ),
  ],
})

test('the report takes the middle of the rounds, says which bars are met and what changed', () => {
  expect(report(130).rows[0]).toMatchObject({ ratio: 131 / 98, kiraya: figures(131) })
  expect(markdownOf(report(130))).toContain('| GET /auth/me | 131 | 99 | 1.34 | 1.4 | yes |')
  expect(markdownOf(report(150))).toMatch(
    /1\.54 \| 1\.4 \| \*\*no\*\*[^]*\| most \| 151 \| 50 \| 150 \| \*\*no\*\* \|[^]*\| CLI --help \| 70 ms \| 80 ms \| yes \|/,
  )
  expect(comparisonOf(report(100), report(201))).toContain(
    '| GET /auth/me | 101 | 202 | 2.00 × | 1.00 × | 1.03 | 2.06 |',
  )
  expect(plotOf(report(130))).toContain('a &lt;machine>')
})

test('the shape of an answer is what kind of value stands where', () => {
  expect(shapeOf({ a: [1, 2], b: { c: 'x', d: null }, e: [] })).toEqual({
    a: ['number'],
    b: { c: 'string', d: null },
    e: [],
  })
})

test('the database is filled with what the layout says, and its indexes and promises are back', async () => {
  const it = await startTestServer()
  const url = new URL(it.deps.config.DATABASE_URL!)
  const owned = 200
  const { firstTenant, properties, ...layout } = layoutOf(owned)
  const sql = new Bun.SQL({
    path: `${url.searchParams.get('host')}/.s.PGSQL.5432`,
    username: 'kiraya',
    database: url.pathname.slice(1),
    max: 1,
  })
  const catalogue = () =>
    sql`select indexdef as def from pg_indexes where schemaname = 'public' union all select conname || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace order by 1`.values()
  const before = await catalogue()
  await fill(sql, owned)
  expect(await catalogue()).toEqual(before)
  const [row] =
    await sql`select (select count(*)::int from properties) as properties, (select count(*)::int from property_units) as units, (select count(*)::int from properties where landlord_id = 1) as own, (select phone from users where id = ${firstTenant}) as phone, (select role from users where id = ${firstTenant}) as role,
    (select count(*)::int from agreements a join property_units u on u.id = a.property_unit_id and u.landlord_id = a.landlord_id join properties p on p.id = u.property_id and p.landlord_id = u.landlord_id) as agreements, (select count(*)::int from agreements where status = 'ACTIVE' and landlord_id = 1) as active`
  expect(row).toEqual({
    properties,
    units: 3 * properties,
    own: 40,
    phone: phoneOf(firstTenant),
    role: 'TENANT',
    agreements: properties,
    active: 28,
  })
  expect(await sql`select society_building, pin_code from properties where id = 123`).toEqual([
    { society_building: buildingOf(123), pin_code: pinCodeOf(123, { ...layout, firstTenant, properties }) },
  ])
  await sql.end()
  await it.end()
})
