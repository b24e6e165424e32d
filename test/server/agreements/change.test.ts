import { expect, test } from 'bun:test'
import { createDraft, createUnit, signInUser, agreementTerms, type TestResponse } from '../../support/users'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { broken, enveloped } from '../http/forms'
import { answered, right, wrong, withoutWarnings } from './shapes'

const server = testServer()
const seen = ({ status, body }: TestResponse) => [status, withoutWarnings(body)]
const allOptionalFields = {
  agreement_number: 'K-17',
  auto_renew: true,
  amenities: ['lift'],
  pets_allowed: true,
  non_veg_allowed: true,
  smoking_allowed: true,
  bachelor_allowed: true,
  additional_policies: 'No music',
  improvements: 'Paint',
  payment_terms: 'UPI',
  late_fee: 250.5,
}

async function createDraftFixture(more: Record<string, unknown> = allOptionalFields) {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const draft = await createDraft(owner, [tenant], more)
  const path = `/agreements/${draft.agreement.id}`
  return {
    owner,
    tenant,
    ...draft,
    path,
    patch: (change: unknown) => owner.call('PATCH', path, change),
    get: async () => (await owner.call('GET', path)).body.data,
  }
}

test('200: an empty change changes nothing', async () => {
  const { agreement, patch } = await createDraftFixture()
  expect(seen(await patch({}))).toEqual([200, answered({ ...agreement, updated_at: expect.any(String) })])
})

for (const [field, values] of Object.entries(right)) {
  test(`200: a change of ${field} leaves the other fields`, async () => {
    const { agreement, patch, get } = await createDraftFixture()
    for (const value of values) {
      const changed = {
        ...agreement,
        [field]: value,
        updated_at: expect.any(String),
        ...(['agreement_start_date', 'tenure_in_months'].includes(field) && {
          agreement_end_date: expect.any(String),
        }),
      }
      expect([value, ...seen(await patch({ [field]: value }))]).toEqual([value, 200, answered(changed)])
      expect(await get()).toEqual(changed)
    }
  })
}

test('200: null clears optional fields and flags', async () => {
  const { agreement, patch } = await createDraftFixture()
  const flags = ['auto_renew', 'pets_allowed', 'non_veg_allowed', 'smoking_allowed', 'bachelor_allowed']
  const texts = [
    'deposit_amount',
    'amenities',
    'additional_policies',
    'improvements',
    'payment_terms',
    'late_fee',
  ]
  const cleared = {
    ...Object.fromEntries(flags.map(name => [name, false])),
    ...Object.fromEntries(texts.map(name => [name, null])),
  }
  expect(
    (await patch(Object.fromEntries([...flags, ...texts, 'agreement_number'].map(name => [name, null])))).body
      .data,
  ).toEqual({
    ...agreement,
    ...cleared,
    agreement_number: expect.stringMatching(/^AGR-\d{4}-000001$/),
    updated_at: expect.any(String),
  })
})

test('200: the end date follows the start date and the tenure', async () => {
  const { patch } = await createDraftFixture()
  expect((await patch({ agreement_start_date: '2027-01-01' })).body.data.agreement_end_date).toBe(
    '2027-11-30',
  )
  expect((await patch({ tenure_in_months: 24 })).body.data.agreement_end_date).toBe('2028-12-31')
})

test('200: fields of the server are ignored', async () => {
  const { agreement, patch } = await createDraftFixture()
  const owned = {
    id: 1,
    agreement_id: crypto.randomUUID(),
    landlord_id: 1,
    status: 'ACTIVE',
    signed_date: '2026-01-01',
    termination_date: '2026-01-01',
    termination_reason: 'x',
    agreement_end_date: '2026-01-01',
    is_active: false,
    created_at: '2000-01-01',
    revision: 9,
    manager_id: 1,
    nonsense: {},
  }
  expect((await patch(owned)).body.data).toEqual({ ...agreement, updated_at: expect.any(String) })
})

test('200: new tenants can read the draft, former ones cannot', async () => {
  const { tenant, path, patch } = await createDraftFixture()
  const next = await signInUser(server)
  const third = await signInUser(server)
  expect((await patch({ tenant_ids: [third.id, next.id] })).body.data.tenant_ids).toEqual([third.id, next.id])
  expect([(await tenant.call('GET', path)).status, (await next.call('GET', path)).status]).toEqual([404, 200])
})

test('200: a draft can move to another unit of the landlord', async () => {
  const { owner, patch, unit } = await createDraftFixture()
  const { unit: other } = await createUnit(owner)
  expect((await patch({ property_unit_id: other.id })).body.data.property_unit_id).toBe(other.id)
  expect((await patch({ property_unit_id: unit.id })).body.data.property_unit_id).toBe(unit.id)
})

for (const [field, values] of Object.entries(wrong)) {
  test(`400: ${field} cannot become ${JSON.stringify(values).slice(0, 80)}`, async () => {
    const { agreement, patch, get } = await createDraftFixture()
    for (const value of values) {
      const { status, body } = await patch({ improvements: 'changed', [field]: value })
      expect([
        value,
        status,
        body.error?.code,
        body.error?.details?.map(({ property }: any) => property.split('.')[0]),
      ]).toEqual([value, 400, 'VALIDATION_ERROR', [field]])
    }
    expect(await get()).toEqual(agreement)
  })
}

test('400: the rules for tenants also hold for changes', async () => {
  const { owner, tenant, agreement, patch, get, property, unit } = await createDraftFixture()
  const manager = await signInUser(server)
  await owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  for (const [ids, named] of [
    [[2_000_000_000], 2_000_000_000],
    [[tenant.id, tenant.id], ''],
    [[owner.id], owner.id],
    [[manager.id, tenant.id], manager.id],
  ] as const) {
    const answer = await patch({ tenant_ids: ids })
    expect([ids, ...seen(answer)]).toEqual([ids, 400, broken('tenant_ids')])
    expect(answer.body.error.message).toContain(String(named))
  }
  expect(await get()).toEqual(agreement)
})

test('400: a draft cannot move to a unit that one of its tenants manages', async () => {
  const { owner, tenant, patch } = await createDraftFixture()
  const { unit } = await createUnit(owner, { managed_by_id: tenant.id })
  expect(seen(await patch({ property_unit_id: unit.id }))).toEqual([400, broken('tenant_ids')])
})

test('400: a draft with an inactive tenant cannot be changed', async () => {
  const { tenant, patch } = await createDraftFixture()
  await getKysely(server.em())
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', tenant.id)
    .execute()
  expect(seen(await patch({ improvements: 'x' }))).toEqual([400, broken('tenant_ids')])
})

test('404: a unit that does not exist, is deleted, or belongs to others', async () => {
  const { owner, agreement, patch, get } = await createDraftFixture()
  const { unit: foreign } = await createUnit(await signInUser(server))
  const { property, unit: gone } = await createUnit(owner)
  await owner.call('DELETE', `/properties/${property.id}/units/${gone.id}`)
  for (const property_unit_id of [2_000_000_000, foreign.id, gone.id])
    expect(seen(await patch({ property_unit_id }))).toEqual([404, enveloped(404, 'Property unit not found')])
  expect(await get()).toEqual(agreement)
})

test('400: a manager of two landlords cannot move a draft from one to the other', async () => {
  const manager = await signInUser(server)
  const tenant = await signInUser(server)
  const [first, second] = [await signInUser(server), await signInUser(server)]
  const { unit } = await createUnit(first, { managed_by_id: manager.id })
  const { unit: other } = await createUnit(second, { managed_by_id: manager.id })
  const { data } = await manager.post('/agreements', agreementTerms(unit.id, [tenant.id]))

  const path = `/agreements/${data.id}`
  expect(seen(await manager.patch(path, { property_unit_id: other.id }))).toEqual([
    400,
    broken('property_unit_id'),
  ])
  expect([(await first.get(path)).status, (await second.get(path)).status]).toEqual([200, 404])
})
