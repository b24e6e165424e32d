import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createDraft, createLandlord, createTenant } from '../../support/users'

const server = testServer()

const given = {
  billing_cycle: 'anniversary',
  rent_in: 'arrears',
  rent_rounding: 10,
  late_fee_kind: 'percent_pa',
  late_fee_percent: 18,
  late_fee_grace_days: 5,
  late_fee_cap: 1250.5,
  escalation_percent: 5,
  escalation_every_months: 11,
  recurring_charges: [{ type: 'maintenance', description: 'Lift and water', amount: 2500.5 }],
}
const defaults = {
  billing_cycle: 'calendar_month',
  rent_in: 'advance',
  rent_rounding: 0.01,
  late_fee_kind: 'flat',
  late_fee_percent: null,
  late_fee_grace_days: 0,
  late_fee_cap: null,
  escalation_percent: null,
  escalation_every_months: null,
  recurring_charges: null,
}

async function createFixture(changes: Record<string, unknown> = {}) {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  return { landlord, tenant, ...(await createDraft(landlord, [tenant], changes)) }
}

test('201: the terms of the billing are stored; null takes the defaults again', async () => {
  const { landlord, tenant, agreement, path } = await createFixture(given)
  expect(agreement).toMatchObject(given)
  expect((await tenant.get(path)).data).toMatchObject(given)
  const cleared = Object.fromEntries(Object.keys(given).map(field => [field, null]))
  expect((await landlord.patch(path, cleared)).data).toMatchObject(defaults)
})

test('201: a recurring charge is for parking too, and its type describes it unless something else does', async () => {
  const recurring_charges = [
    { type: 'parking', amount: 700 },
    { type: 'water', description: null, amount: 300 },
  ]
  const described = [
    { type: 'parking', description: 'Parking', amount: 700 },
    { type: 'water', description: 'Water', amount: 300 },
  ]
  const { landlord, agreement, path } = await createFixture({ recurring_charges })
  expect(agreement.recurring_charges).toEqual(described)
  const changed = await landlord.patch(path, { recurring_charges: recurring_charges.slice(1) })
  expect(changed.data.recurring_charges).toEqual(described.slice(1))
})

test('403: they are fixed once a party was asked to sign; a revision copies them', async () => {
  const { landlord, tenant, path } = await createFixture(given)
  await tenant.post(`${path}/sign`, { signer_id: tenant.id })
  expect((await landlord.patch(path, { rent_rounding: 1 })).status).toBe(403)
  expect((await landlord.get(path)).data).toMatchObject(given)
  const { data } = await landlord.post(`${path}/revise`, { late_fee_grace_days: 3 })
  expect(data).toMatchObject({ ...given, late_fee_grace_days: 3 })
})

describe('400: incomplete terms name the field that is missing', () => {
  test.each<[string, Record<string, unknown>, property: string, reason: string]>([
    ['a percentage', { escalation_percent: 5 }, 'escalation_every_months', 'escalation_incomplete'],
    ['its months', { escalation_every_months: 11 }, 'escalation_percent', 'escalation_incomplete'],
    ['a fee by the day', { late_fee_kind: 'per_day' }, 'late_fee', 'late_fee_incomplete'],
    ['a fee of nothing', { late_fee_kind: 'per_day', late_fee: 0 }, 'late_fee', 'late_fee_incomplete'],
    [
      'a fee by percentage',
      { late_fee_kind: 'percent_pa', late_fee: 500 },
      'late_fee_percent',
      'late_fee_incomplete',
    ],
  ])('%s alone', async (_, change, property, reason) => {
    const { landlord, path, agreement } = await createFixture()
    const { status, error } = await landlord.patch(path, change)
    expect([status, error?.reason, error?.details[0].property]).toEqual([400, reason, property])
    expect((await landlord.get(path)).data).toEqual(agreement)
  })

  test('also when a change takes one of two away', async () => {
    const { landlord, path } = await createFixture(given)
    for (const [field, missing] of [
      ['escalation_percent', 'escalation_percent'],
      ['late_fee_percent', 'late_fee_percent'],
    ]) {
      const { status, error } = await landlord.patch(path, { [field!]: null })
      expect([status, error?.details[0].property]).toEqual([400, missing])
    }
  })
})

const recurring = { type: 'maintenance', description: 'Lift', amount: 100 }

describe('400: a value that is none', () => {
  test.each<[string, unknown[]]>([
    ['billing_cycle', ['monthly', '', 1, true]],
    ['rent_in', ['before', [], 1]],
    ['rent_rounding', [0, 0.1, 5, 100, '1']],
    ['late_fee_kind', ['PER_DAY', '', 1]],
    ['late_fee_percent', [0, -1, 100.01, 1.005, '18']],
    ['late_fee_grace_days', [-1, 366, 1.5, '5']],
    ['late_fee_cap', [-1, 0.001, 1e10, '100']],
    ['escalation_percent', [0, -5, 100.01, 5.005, '5']],
    ['escalation_every_months', [0, 601, 1.5, '11']],
    [
      'recurring_charges',
      [
        'x',
        {},
        [1],
        [{}],
        Array.from({ length: 11 }, () => recurring),
        [{ ...recurring, type: 'rent' }],
        [{ ...recurring, amount: 0 }],
        [{ ...recurring, amount: 1.005 }],
        [{ ...recurring, description: ' ' }],
      ],
    ],
  ])('of %s', async (field, values) => {
    const { landlord, path, agreement } = await createFixture()
    for (const value of values) {
      const { status, error } = await landlord.patch(path, { [field]: value })
      const fields = new Set(error?.details?.map(({ property }: any) => property.split('.')[0]))
      expect([value, status, [...fields]]).toEqual([value, 400, [field]])
    }
    expect((await landlord.get(path)).data).toEqual(agreement)
  })
})
