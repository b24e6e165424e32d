import { beforeAll, expect, test } from 'bun:test'
import {
  createUnit,
  signInUser,
  agreementTerms,
  type TestResponse,
  type TestUser,
} from '../../../support/users'
import { testServer } from '../../../support/server'
import { agreementShape, answered } from '../shapes'

const server = testServer()
const seen = ({ status, body }: TestResponse) => [status, body]
let owner: TestUser
let tenant: TestUser
let other: TestUser
let units: any[]
let made: any[]

beforeAll(async () => {
  ;[owner, tenant, other] = [await signInUser(server), await signInUser(server), await signInUser(server)]
  units = [(await createUnit(owner)).unit, (await createUnit(owner)).unit]
  const rows: [
    unit: number,
    person: TestUser,
    number: string,
    rent: number,
    start: string,
    months: number,
  ][] = [
    [0, tenant, 'C-1', 300, '2028-01-01', 1],
    [1, other, 'A-1', 100, '2026-01-01', 11],
    [0, tenant, 'B-5', 200, '2026-01-01', 24],
    [1, tenant, 'A-1', 100, '2027-01-01', 11],
  ]
  made = []
  for (const [unit, { id }, agreement_number, rent_amount, agreement_start_date, tenure_in_months] of rows) {
    const terms = { agreement_number, rent_amount, agreement_start_date, tenure_in_months }
    made.push((await owner.post('/agreements', agreementTerms(units[unit].id, [id], terms))).data)
  }
  const update = (index: number, change: object) =>
    server.db.updateTable('agreements').set(change).where('id', '=', made[index].id).execute()
  await update(1, { status: 'PENDING' })
  made[1].status = 'PENDING'
})

const toIndexes = ({ body }: TestResponse) =>
  body.data.map(({ id }: { id: number }) => made.findIndex(each => each.id === id))

test('200: landlord and tenant get an agreement by id and by UUID in any case', async () => {
  const { agreement_id } = made[0]
  for (const person of [owner, tenant])
    for (const id of [made[0].id, agreement_id, agreement_id.toUpperCase()])
      expect(seen(await person.call('GET', `/agreements/${id}`))).toEqual([200, answered(made[0])])
  expect(made[0]).toEqual(
    agreementShape({
      agreement_number: 'C-1',
      rent_amount: 300,
      agreement_start_date: '2028-01-01',
      agreement_end_date: '2028-01-31',
      tenure_in_months: 1,
      tenant_ids: [tenant.id],
      landlord_id: owner.id,
      property_unit_id: units[0].id,
    }),
  )
})

test('200: a draft has no signatures', async () => {
  expect(seen(await tenant.call('GET', `/agreements/${made[0].id}/signatures`))).toEqual([
    200,
    answered({ signatures: [], allSigned: false }),
  ])
})

test('200: the list has all fields, the newest first, and the total', async () => {
  expect(seen(await owner.call('GET', '/agreements'))).toEqual([
    200,
    { ...answered(made.toReversed()), metadata: { page: 1, limit: 50, total: 4, total_pages: 1 } },
  ])
})

test('200: the list has the agreements of the caller, and their number', async () => {
  for (const [caller, expected] of [
    [tenant, [0, 2, 3]],
    [other, [1]],
    [await signInUser(server), []],
  ] as const) {
    const listed = await caller.get('/agreements?sort=id')
    expect([toIndexes(listed), listed.body.metadata.total]).toEqual([expected, expected.length])
  }
})

for (const [field, expected] of [
  ['id', [0, 1, 2, 3]],
  ['agreement_number', [1, 3, 2, 0]],
  ['agreement_start_date', [1, 2, 3, 0]],
  ['agreement_end_date', [1, 3, 2, 0]],
  ['rent_amount', [1, 3, 2, 0]],
  ['status', [0, 2, 3, 1]],
  ['created_at', [0, 1, 2, 3]],
  ['updated_at', [0, 1, 2, 3]],
] as const) {
  test(`200: the list sorts by ${field} both ways, ties by id, across pages`, async () => {
    expect(toIndexes(await owner.call('GET', `/agreements?sort=${field}`))).toEqual([...expected])
    expect(toIndexes(await owner.call('GET', `/agreements?sort=-${field}`))).toEqual(expected.toReversed())
    const pages = [
      await owner.call('GET', `/agreements?sort=${field}&limit=3`),
      await owner.call('GET', `/agreements?sort=${field}&limit=3&page=2`),
    ]
    expect(pages.flatMap(toIndexes)).toEqual([...expected])
    expect(pages[1]!.body.metadata).toEqual({ page: 2, limit: 3, total: 4, total_pages: 2 })
  })
}

test('200: the list is filtered by text, status and unit', async () => {
  for (const [filter, expected] of [
    ['q=a-1', [1, 3]],
    ['q=b-5', [2]],
    ['q=%25', []],
    ['status=PENDING', [1]],
    ['status=DRAFT', [0, 2, 3]],
    ['status=ACTIVE', []],
    [`property_unit_id=${units[0].id}`, [0, 2]],
    [`property_unit_id=${units[1].id}&status=DRAFT`, [3]],
    ['property_unit_id=2000000000', []],
  ] as const) {
    const answer = await owner.call('GET', `/agreements?sort=id&${filter}`)
    expect([filter, toIndexes(answer), answer.body.metadata.total]).toEqual([
      filter,
      [...expected],
      expected.length,
    ])
  }
})
