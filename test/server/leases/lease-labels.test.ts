import { expect, test } from 'bun:test'
import { formatAddress } from '../../../server/leases/lease-labels'
import type { Premises } from '../../../server/leases/snapshots'

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
    { society_building: null, survey_number: null, road_name: null, landmark: null },
    'Mine, Indiranagar, Bengaluru, Bangalore, Karnataka 560038, India',
  ],
  [
    { society_building: 'Pune', road_name: 'Pune', locality: null, landmark: null, city: 'Pune' },
    'Pune, Survey No. 12/3, Bangalore, Karnataka 560038, India',
  ],
])('an address has each part once: %p', (changes, address) => {
  expect(formatAddress({ ...full, ...changes })).toBe(address)
})
