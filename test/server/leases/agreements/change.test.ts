import { describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { agreementTerms, createUnit, signInUser, type TestResponse } from '../../../support/users'
import { broken } from '../../http/forms'
import { answered, defaultTerms, optionalTerms, withoutWarnings } from '../shapes'
import { createDraftOf } from '../signing/signing-fixtures'

const server = testServer()
const seen = ({ status, body }: TestResponse) => [status, withoutWarnings(body)]
const CHANGED = { updated_at: expect.any(String) }

async function createFixture(terms: Record<string, unknown> = optionalTerms) {
  const draft = await createDraftOf(server, terms)
  const { owner, path } = draft
  const patch = (change: unknown) => owner.patch(path, change)
  return { ...draft, patch, get: async () => (await owner.get(path)).data }
}

test('200: an empty change changes nothing', async () => {
  const { agreement, patch } = await createFixture()
  expect(seen(await patch({}))).toEqual([200, answered({ ...agreement, ...CHANGED })])
})

test('200: a change of one field leaves the others', async () => {
  const { agreement, patch, get } = await createFixture({})
  const required = { document_url: 'https://example.com/b.pdf', rent_amount: 19.99, rent_due_day: 31 }
  const changes = { ...required, notice_period_days: 0, ...optionalTerms }
  // A kind of late fee, and an escalation, come with their amounts.
  const { late_fee_kind, late_fee_percent, escalation_percent, escalation_every_months, ...single } = changes
  const steps: Record<string, unknown>[] = [
    ...Object.entries(single).map(([field, value]) => ({ [field]: value })),
    { late_fee_kind, late_fee_percent },
    { escalation_percent, escalation_every_months },
  ]
  let expected = { ...agreement, ...CHANGED }
  for (const change of steps) {
    expected = { ...expected, ...change }
    expect(seen(await patch(change))).toEqual([200, answered(expected)])
    expect(await get()).toEqual(expected)
  }
})

test('200: null clears optional fields and flags', async () => {
  const { agreement, patch } = await createFixture()
  const nulls = Object.fromEntries(Object.keys(optionalTerms).map(field => [field, null]))
  const agreement_number = expect.stringMatching(/^AGR-\d{4}-000001$/)
  expect((await patch(nulls)).data).toEqual({ ...agreement, ...defaultTerms, ...CHANGED, agreement_number })
})

test('200: the end date follows the start date and the tenure', async () => {
  const { patch } = await createFixture()
  expect((await patch({ agreement_start_date: '2027-01-01' })).data.agreement_end_date).toBe('2027-11-30')
  expect((await patch({ tenure_in_months: 24 })).data.agreement_end_date).toBe('2028-12-31')
})

test('200: new tenants can read the draft, former ones cannot', async () => {
  const { tenant, path, patch } = await createFixture()
  const [next, third] = [await signInUser(server), await signInUser(server)]
  expect((await patch({ tenant_ids: [third.id, next.id] })).data.tenant_ids).toEqual([third.id, next.id])
  expect([(await tenant.get(path)).status, (await next.get(path)).status]).toEqual([404, 200])
})

test('200: a draft can move to another unit of the landlord', async () => {
  const { owner, patch } = await createFixture()
  const { unit: other } = await createUnit(owner)
  expect((await patch({ property_unit_id: other.id })).data.property_unit_id).toBe(other.id)
})

test('400: the rules for tenants also hold for changes', async () => {
  const { owner, tenant, agreement, patch, get, property, unit } = await createFixture()
  const manager = await signInUser(server)
  await owner.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  for (const tenant_ids of [[2_000_000_000], [tenant.id, tenant.id], [owner.id], [manager.id, tenant.id]])
    expect(seen(await patch({ tenant_ids }))).toEqual([400, broken('tenant_ids')])
  const { unit: managed } = await createUnit(owner, { managed_by_id: tenant.id })
  expect(seen(await patch({ property_unit_id: managed.id }))).toEqual([400, broken('tenant_ids')])
  expect(await get()).toEqual({ ...agreement, manager: { id: manager.id, name: null } })
})

test('400: a manager of two landlords cannot move a draft from one to the other', async () => {
  const [manager, tenant] = [await signInUser(server), await signInUser(server)]
  const [first, second] = [await signInUser(server), await signInUser(server)]
  const { unit } = await createUnit(first, { managed_by_id: manager.id })
  const { unit: other } = await createUnit(second, { managed_by_id: manager.id })
  const { data } = await manager.post('/agreements', agreementTerms(unit.id, [tenant.id]))

  const path = `/agreements/${data.id}`
  const refused = await manager.patch(path, { property_unit_id: other.id })
  expect(seen(refused)).toEqual([400, broken('property_unit_id')])
  expect([(await first.get(path)).status, (await second.get(path)).status]).toEqual([200, 404])
})

test('201: a recurring charge is for parking too, and has the description that a person wrote, or none', async () => {
  const recurring_charges = [
    { type: 'parking', amount: 700 },
    { type: 'water', description: null, amount: 300 },
  ]
  const described = [
    { type: 'parking', description: null, amount: 700 },
    { type: 'water', description: null, amount: 300 },
  ]
  const { agreement, patch } = await createFixture({ recurring_charges })
  expect(agreement.recurring_charges).toEqual(described)
  const changed = await patch({ recurring_charges: recurring_charges.slice(1) })
  expect(changed.data.recurring_charges).toEqual(described.slice(1))
})

test('403: terms of billing are fixed once a party was asked to sign; a revision copies them', async () => {
  const { agreement_number: _, ...billing } = optionalTerms
  const { owner, tenant, path, patch, get } = await createFixture()
  await tenant.post(`${path}/sign`, { signer_id: tenant.id })
  expect((await patch({ rent_rounding: 1 })).status).toBe(403)
  expect(await get()).toMatchObject(billing)
  const { data } = await owner.post(`${path}/revise`, { late_fee_grace_days: 3 })
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
    const { agreement, patch, get } = await createFixture({})
    const { status, error } = await patch(change)
    expect([status, error?.reason, error?.details[0].property]).toEqual([400, reason, property])
    expect(await get()).toEqual(agreement)
  })

  test('also when a change takes one of two away', async () => {
    const { patch } = await createFixture()
    for (const [field, missing] of [
      ['escalation_percent', 'escalation_percent'],
      ['late_fee_percent', 'late_fee_percent'],
    ]) {
      const { status, error } = await patch({ [field!]: null })
      expect([status, error?.details[0].property]).toEqual([400, missing])
    }
  })
})
