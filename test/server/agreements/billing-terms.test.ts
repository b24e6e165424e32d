import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createDraft, createLandlord, createTenant } from '../../support/users'
import { optionalTerms } from './shapes'

const server = testServer()
const { agreement_number: _, ...billing } = optionalTerms

async function createFixture(changes: Record<string, unknown> = {}) {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  return { landlord, tenant, ...(await createDraft(landlord, [tenant], changes)) }
}

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
  const { landlord, tenant, path } = await createFixture(optionalTerms)
  await tenant.post(`${path}/sign`, { signer_id: tenant.id })
  expect((await landlord.patch(path, { rent_rounding: 1 })).status).toBe(403)
  expect((await landlord.get(path)).data).toMatchObject(billing)
  const { data } = await landlord.post(`${path}/revise`, { late_fee_grace_days: 3 })
  expect(data).toMatchObject({ ...billing, late_fee_grace_days: 3 })
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
    const { landlord, path } = await createFixture(optionalTerms)
    for (const [field, missing] of [
      ['escalation_percent', 'escalation_percent'],
      ['late_fee_percent', 'late_fee_percent'],
    ]) {
      const { status, error } = await landlord.patch(path, { [field!]: null })
      expect([status, error?.details[0].property]).toEqual([400, missing])
    }
  })
})
