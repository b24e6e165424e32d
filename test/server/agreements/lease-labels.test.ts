import { expect, test } from 'bun:test'
import { formatAddress, formatTerm, type Premises } from '../../../server/agreements/lease-labels'

const full: Premises = {
  unit_name: 'A-101',
  alias_name: 'Mine',
  society_building: 'White House',
  survey_number: '12/3',
  road_name: 'MG Road',
  locality: 'Indiranagar',
  landmark: 'the metro',
  city: 'Bengaluru',
  district: 'Bangalore',
  state: 'Karnataka',
  pin_code: 560038,
  country: 'India',
}

test.each<[changes: Partial<Premises>, address: string]>([
  [
    {},
    'White House, Survey No. 12/3, MG Road, Indiranagar, the metro, Bengaluru, Bangalore, Karnataka 560038, India',
  ],
  [
    { society_building: null, survey_number: null, road_name: null, landmark: null },
    'Mine, Indiranagar, Bengaluru, Bangalore, Karnataka 560038, India',
  ],
  [
    {
      society_building: 'Pune',
      survey_number: '',
      road_name: 'Pune',
      locality: null,
      landmark: null,
      city: 'Pune',
      district: 'Pune',
      state: 'Maharashtra',
    },
    'Pune, Maharashtra 560038, India',
  ],
])('an address has each part once: %p', (changes, address) => {
  expect(formatAddress({ ...full, ...changes })).toBe(address)
})

test.each([
  [1, '1 Dec 2026 to 31 Dec 2026 (1 month)'],
  [11, '1 Dec 2026 to 31 Dec 2026 (11 months)'],
])('a term of %d months', (tenure_in_months, text) => {
  const dates = { agreement_start_date: '2026-12-01', agreement_end_date: '2026-12-31' }
  expect(formatTerm({ ...dates, tenure_in_months })).toBe(text)
})
