import { expect, test } from 'bun:test'
import { AgreementQuery, NewAgreement, NewProperty } from '@kiraya/sdk/contract'
import { createCoercion } from '../../../server/http/body/coercions'
import { testServer } from '../../support/server'
import { createLandlord } from '../../support/users'

const coerceAgreement = createCoercion(NewAgreement)!
const coerceProperty = createCoercion(NewProperty)!

test.each([
  ['2027-01-31', '2027-01-31'],
  ['2027-01-31T00:00:00Z', '2027-01-31'],
  ['2027-01-31T00:00:00.000Z', '2027-01-31'],
  ['2027-01-31T00:00:00.000000+00:00', '2027-01-31'],
  ['2027-01-31T00:00:00+05:30', '2027-01-31'],
  ['2027-01-30T18:30:00.000Z', '2027-01-31'],
  ['2027-01-31T00:00:00', '2027-01-31'],
  ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00Z'],
  ['2027-02-30T00:00:00Z', '2027-02-30T00:00:00Z'],
  ['2027-01-31T', '2027-01-31T'],
])('the date %s is read as %s', (agreement_start_date, expected) => {
  expect(coerceAgreement({ agreement_start_date })).toEqual({ agreement_start_date: expected })
})

test('an empty text is null in an optional field, at every depth, and stays in a required one', () => {
  const given = { locality: '', property_units: [{ unit_name: '', unit_notes: '', area_sqft: '' }] }
  const expected = {
    locality: null,
    property_units: [{ unit_name: '', unit_notes: null, area_sqft: null }],
  }
  expect(coerceProperty(given)).toEqual(expected)
  expect(coerceProperty('')).toBe('')
  expect(createCoercion(AgreementQuery)).toBeUndefined()
})

test('200: a filter in any case, and filters that are not filled in', async () => {
  const landlord = await createLandlord(testedServer)
  for (const query of ['status=draft', 'status=Draft&q=&limit=&sort='])
    expect((await landlord.get(`/agreements?${query}`)).status).toBe(200)
  expect((await landlord.get('/agreements?q=%ff')).status).toBe(400)
})

const testedServer = testServer()
