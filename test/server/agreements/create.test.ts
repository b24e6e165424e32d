import { beforeAll, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { createUnit, signInUser, agreementTerms, type TestResponse, type TestUser } from '../../support/users'
import { clock, testServer, startTestServer } from '../../support/server'
import { broken, enveloped } from '../http/forms'
import { agreementShape, answered, right, wrong, withoutWarnings } from './shapes'

const time = clock(new Date('2026-12-31T18:29:00Z'))
const server = testServer({ overrides: { now: time.now } })
const seen = ({ status, body }: TestResponse) => [status, withoutWarnings(body)]
let owner: TestUser
let tenant: TestUser
let second: TestUser
let unit: any

beforeAll(async () => {
  ;[owner, tenant, second] = [await signInUser(server), await signInUser(server), await signInUser(server)]
  unit = (await createUnit(owner)).unit
})

const create = (more: Record<string, unknown> = {}, user = owner) =>
  user.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id], more))

test('201: a new agreement is a draft with defaults', async () => {
  expect(seen(await create({ deposit_amount: undefined, tenant_ids: [tenant.id, second.id] }))).toEqual([
    201,
    answered(
      agreementShape({
        deposit_amount: null,
        property_unit_id: unit.id,
        landlord_id: owner.id,
        tenant_ids: [tenant.id, second.id],
      }),
    ),
  ])
})

test('201: every given field is stored, and read by the tenant', async () => {
  const given = {
    agreement_number: 'K-17',
    auto_renew: true,
    amenities: ['lift', 'null'],
    pets_allowed: true,
    non_veg_allowed: true,
    smoking_allowed: true,
    bachelor_allowed: true,
    additional_policies: 'No music',
    improvements: 'Paint',
    payment_terms: 'UPI',
    late_fee: 250.5,
    rent_amount: 25000.75,
  }
  const answer = await create(given)
  expect(seen(answer)).toEqual([201, answered(agreementShape(given))])
  for (const id of [answer.body.data.id, answer.body.data.agreement_id])
    expect(seen(await tenant.call('GET', `/agreements/${id}`))).toEqual([200, answered(answer.body.data)])
})

test('201: fields of the server are ignored', async () => {
  const owned = {
    id: 1,
    agreement_id: crypto.randomUUID(),
    landlord_id: tenant.id,
    status: 'ACTIVE',
    signed_date: '2026-01-01',
    termination_date: '2026-01-01',
    termination_reason: 'x',
    agreement_end_date: '2026-01-01',
    is_active: false,
    created_at: '2000-01-01',
    revision: 7,
    nonsense: 1,
  }
  expect(withoutWarnings((await create(owned)).body)).toEqual(
    answered(agreementShape({ landlord_id: owner.id })),
  )
})

for (const [field, values] of Object.entries(right)) {
  test(`201: ${field} can be ${JSON.stringify(values).slice(0, 70)}`, async () => {
    for (const value of values) {
      const { status, body } = await create({ [field]: value })
      expect([status, body.data?.[field]]).toEqual([201, value])
    }
  })
}

test('201: null means that an optional field is not given', async () => {
  const optional = [
    'deposit_amount',
    'agreement_number',
    'auto_renew',
    'amenities',
    'pets_allowed',
    'non_veg_allowed',
    'smoking_allowed',
    'bachelor_allowed',
    'additional_policies',
    'improvements',
    'payment_terms',
    'late_fee',
  ]
  expect((await create(Object.fromEntries(optional.map(name => [name, null])))).body).toEqual(
    answered(agreementShape({ deposit_amount: null })),
  )
})

test('201: an agreement can have 100 tenants; 400 with more', async () => {
  const ids = await getKysely(server.em())
    .insertInto('users')
    .values(Array.from({ length: 100 }, (_, index) => ({ phone: `61${String(index).padStart(8, '0')}` })))
    .returning('id')
    .execute()
  expect((await create({ tenant_ids: ids.map(({ id }) => id) })).body.data.tenant_ids).toEqual(
    ids.map(({ id }) => id),
  )
  expect(seen(await create({ tenant_ids: [...ids.map(({ id }) => id), tenant.id] }))).toEqual([
    400,
    broken('tenant_ids'),
  ])
})

for (const [start, months, end] of [
  ['2026-12-01', 11, '2027-10-31'],
  ['2026-01-15', 12, '2027-01-14'],
  ['2024-02-29', 12, '2025-02-27'],
  ['2026-01-31', 1, '2026-02-27'],
  ['2026-03-01', 600, '2076-02-29'],
  ['2026-12-31', 2, '2027-02-27'],
] as const) {
  test(`201: a tenure from ${start} for ${months} months ends on ${end}`, async () => {
    expect(
      (await create({ agreement_start_date: start, tenure_in_months: months })).body.data.agreement_end_date,
    ).toBe(end)
  })
}

test('agreement numbers count from 1 for each landlord', async () => {
  const numbers = []
  for (let index = 0; index < 2; index++) {
    const person = await signInUser(server)
    const { unit: own } = await createUnit(person)
    for (let again = 0; again < 2; again++)
      numbers.push(
        (await person.call('POST', '/agreements', agreementTerms(own.id, [tenant.id]))).body.data
          .agreement_number,
      )
  }
  expect(numbers.map(number => number.slice(-6))).toEqual(['000001', '000002', '000001', '000002'])
})

test('the number is the next of the landlord, also if the manager creates the agreement', async () => {
  const manager = await signInUser(server)
  const person = await signInUser(server)
  const { unit: own } = await createUnit(person, { managed_by_id: manager.id })
  const numbers = []
  for (const each of [person, manager, person])
    numbers.push(
      (
        await each.call('POST', '/agreements', agreementTerms(own.id, [tenant.id]))
      ).body.data.agreement_number.slice(-6),
    )
  expect(numbers).toEqual(['000001', '000002', '000003'])
})

test('agreement numbers skip one that was entered by hand, and restart with the year in India', async () => {
  const moving = clock(new Date('2026-12-31T18:29:59Z'))
  const other = await startTestServer({ overrides: { now: moving.now } })
  try {
    const person = await signInUser(other.url)
    const renter = await signInUser(other.url)
    const { unit: own } = await createUnit(person)
    const next = async (more = {}) =>
      (await person.call('POST', '/agreements', agreementTerms(own.id, [renter.id], more))).body.data
        .agreement_number
    expect([await next(), await next({ agreement_number: 'AGR-2026-000002' }), await next()]).toEqual([
      'AGR-2026-000001',
      'AGR-2026-000002',
      'AGR-2026-000003',
    ])
    moving.advance(1000)
    expect([await next(), await next()]).toEqual(['AGR-2027-000001', 'AGR-2027-000002'])
  } finally {
    await other.end()
  }
})

for (const field of [
  'property_unit_id',
  'document_url',
  'agreement_start_date',
  'tenure_in_months',
  'rent_amount',
  'rent_due_day',
  'notice_period_days',
  'tenant_ids',
]) {
  test(`400: ${field} is required`, async () => {
    expect(seen(await create({ [field]: undefined }))).toEqual([400, broken(field)])
  })
}

for (const [field, values] of Object.entries(wrong)) {
  test(`400: ${field} cannot be ${JSON.stringify(values).slice(0, 80)}`, async () => {
    for (const value of values) {
      const { status, body } = await create({ [field]: value })
      expect([
        value,
        status,
        body.error?.code,
        body.error?.details?.map(({ property }: any) => property.split('.')[0]),
      ]).toEqual([value, 400, 'VALIDATION_ERROR', [field]])
    }
  })
}

test('400: tenants that are unknown, inactive, repeated, the landlord or the manager are named', async () => {
  const manager = await signInUser(server)
  const inactive = await signInUser(server)
  const { unit: managed } = await createUnit(owner, { managed_by_id: manager.id })
  await getKysely(server.em())
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', inactive.id)
    .execute()
  for (const [ids, named] of [
    [[tenant.id, 2_000_000_000], '2000000000'],
    [[inactive.id], inactive.id],
    [[tenant.id, tenant.id], ''],
    [[owner.id], owner.id],
    [[tenant.id, manager.id], manager.id],
  ] as const) {
    const answer = await owner.call('POST', '/agreements', agreementTerms(managed.id, [...ids]))
    expect([ids, ...seen(answer)]).toEqual([ids, 400, broken('tenant_ids')])
    expect(answer.body.error.message).toContain(String(named))
  }
})

for (const body of [[], 'x', 1, null]) {
  test(`400: the body cannot be ${JSON.stringify(body)}`, async () => {
    expect((await owner.call('POST', '/agreements', body)).status).toBe(400)
  })
}

test('404: a unit that does not exist, is deleted, or belongs to others', async () => {
  const other = await signInUser(server)
  const { unit: foreign } = await createUnit(other)
  const { property, unit: gone } = await createUnit(owner)
  await owner.call('DELETE', `/properties/${property.id}/units/${gone.id}`)
  for (const id of [2_000_000_000, foreign.id, gone.id])
    expect(seen(await create({ property_unit_id: id }))).toEqual([
      404,
      enveloped(404, 'Property unit not found'),
    ])
})
