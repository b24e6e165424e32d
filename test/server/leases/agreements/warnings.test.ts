import { expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import {
  agreementTerms,
  createActiveAgreement,
  createLandlord,
  createProperty,
  createTenant,
  sendRequest,
} from '../../../support/users'

const server = testServer()
const NO_FEE = { deposit_amount: null }
const escalate = (escalation_every_months: number) => ({ escalation_percent: 5, escalation_every_months })

async function createParties(property_type = 'apartment') {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const { property } = await createProperty(landlord, { property_type })
  const [unit] = property.property_units
  const create = (changes: object) =>
    landlord.post('/agreements', agreementTerms(unit.id, [tenant.id], { ...changes }))
  return { landlord, tenant, unit, create }
}

const getCodes = ({ body }: { body: any }) => body.warnings?.map(({ code }: any) => code)

test.each<[string, string, object, codes: string[] | undefined]>([
  ['for two months of a residence: none', 'apartment', { deposit_amount: 50_000 }, undefined],
  ['for more', 'apartment', { deposit_amount: 50_000.01 }, ['deposit_above_custom']],
  ['for six months of a shop: none', 'commercial', { deposit_amount: 150_000 }, undefined],
  ['for more than six', 'commercial', { deposit_amount: 150_000.01 }, ['deposit_above_custom']],
  ['for no deposit: none', 'pg', NO_FEE, undefined],
  ['for a flat fee of 2 % a month: none', 'pg', { ...NO_FEE, late_fee: 500 }, undefined],
  ['for an escalation within the tenure: none', 'pg', { ...NO_FEE, ...escalate(10) }, undefined],
  ['for one at its end', 'pg', { ...NO_FEE, ...escalate(11) }, ['escalation_after_tenure']],
  [
    'for one that comes as the lease extends itself: none',
    'pg',
    { ...NO_FEE, ...escalate(11), auto_renew: true },
    undefined,
  ],
  [
    'for both',
    'pg',
    { deposit_amount: 60_000, late_fee_kind: 'per_day', late_fee: 100 },
    ['deposit_above_custom', 'late_fee_above_custom'],
  ],
])('a draft is created with a warning %s (%s)', async (_, propertyType, terms, codes) => {
  const { create } = await createParties(propertyType)
  const created = await create(terms)
  expect([created.status, getCodes(created)]).toEqual([201, codes])
  expect('warnings' in created.body).toBe(codes !== undefined)
})

test('200: a change warns of the result, and is silent once it is customary', async () => {
  const { landlord, create } = await createParties()
  const { data } = await create(NO_FEE)
  const path = `/agreements/${data.id}`
  expect(getCodes(await landlord.patch(path, { deposit_amount: 60_000 }))).toEqual(['deposit_above_custom'])
  expect(getCodes(await landlord.patch(path, { pets_allowed: true }))).toEqual(['deposit_above_custom'])
  expect(getCodes(await landlord.patch(path, { rent_amount: 30_000 }))).toBeUndefined()
  expect(getCodes(await landlord.get(path))).toBeUndefined()
})

test('201: a revision and a next term warn as well', async () => {
  const { landlord, tenant, create } = await createParties()
  const { data } = await create(NO_FEE)
  await tenant.post(`/agreements/${data.id}/sign`, { signer_id: tenant.id })
  const revised = await landlord.post(`/agreements/${data.id}/revise`, { late_fee: 5000 })
  expect([revised.status, getCodes(revised)]).toEqual([201, ['late_fee_above_custom']])

  const { path } = await createActiveAgreement(landlord, [tenant])
  const renewed = await landlord.post(`${path}/renew`, { late_fee: 5000 })
  const codes = ['deposit_above_custom', 'late_fee_above_custom']
  expect([renewed.status, getCodes(renewed)]).toEqual([201, codes])
})

test('201: a repeated request gets the warnings again, in its own language', async () => {
  const { landlord, tenant, unit } = await createParties()
  const create = (language: string) =>
    sendRequest(server, 'POST', '/agreements', {
      token: landlord.token,
      body: agreementTerms(unit.id, [tenant.id]),
      headers: { 'accept-language': language, 'idempotency-key': 'lease-1' },
    })
  const [first, again] = [await create('en'), await create('hi')]
  expect(again.data).toEqual(first.data)
  expect([getCodes(first), getCodes(again)]).toEqual([['deposit_above_custom'], ['deposit_above_custom']])
  expect(first.body.warnings[0].message).toStartWith("The deposit is above 2 months' rent of a residence")
  expect(again.body.warnings[0].message).toStartWith('जमा राशि घर के 2 महीने')
})
