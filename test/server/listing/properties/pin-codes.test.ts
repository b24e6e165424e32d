import { expect, test } from 'bun:test'
import { findPlace } from '../../../../db/pin-codes/index'

const knownPlaces = Array.from({ length: 900_000 }, (_, index) => 100_000 + index).flatMap(pinCode => {
  const place = findPlace(pinCode)
  return place ? [{ pinCode, ...place }] : []
})

test.each([
  [110001, 'New Delhi', 'New Delhi', 'Delhi'],
  [122001, 'Gurugram', 'Gurugram', 'Haryana'],
  [160071, 'Mohali', 'Sahibzada Ajit Singh Nagar', 'Punjab'],
  [194103, 'Kargil', 'Kargil', 'Ladakh'],
  [201301, 'Noida', 'Gautam Buddha Nagar', 'Uttar Pradesh'],
  [396230, 'Silvassa', 'Dadra and Nagar Haveli', 'Dadra and Nagar Haveli and Daman and Diu'],
  [400050, 'Mumbai', 'Mumbai Suburban', 'Maharashtra'],
  [500081, 'Hyderabad', 'Rangareddy', 'Telangana'],
  [533464, 'Yanam', 'Yanam', 'Puducherry'],
  [560048, 'Bengaluru', 'Bengaluru Urban', 'Karnataka'],
  [682555, 'Kavaratti', 'Lakshadweep', 'Lakshadweep'],
  [744101, 'Port Blair', 'South Andaman', 'Andaman and Nicobar Islands'],
])('%i is in %s', (pinCode, city, district, state) => {
  expect(findPlace(pinCode)).toEqual({ city, district, state })
})

test.each([100000, 999999, 110050, 0, -110001, 110001.5, NaN])('%d is not a known PIN code', pinCode => {
  expect(findPlace(pinCode)).toBeUndefined()
})

test('the table has every PIN code of its source, each in one line', async () => {
  expect(knownPlaces).toHaveLength(19_159)
  const text = await Bun.file(`${import.meta.dir}/../../../../db/pin-codes/table.tsv`).text()
  const ranges = [...text.matchAll(/(\d{6})(?:-(\d{6}))?/g)].map(([, start, end = start]) => [start, end])
  expect(ranges.reduce((sum, [start, end]) => sum + Number(end) - Number(start) + 1, 0)).toBe(19_159)
})

test('the table has the 36 states and union territories of India', () => {
  expect(new Set(knownPlaces.map(({ state }) => state)).size).toBe(36)
})

test.each(['city', 'district'] as const)('every %s is a proper name', name => {
  const names = [...new Set(knownPlaces.map(place => place[name]))]
  expect(names.filter(value => value !== value.trim() || /[()&,]|\s\s|\b(And|Of)\b/.test(value))).toEqual([])
  expect(names.filter(value => value === value.toUpperCase() || !/^[A-Z]/.test(value))).toEqual([])
})

test('no district of a state has two spellings', () => {
  const districts = new Set(knownPlaces.map(({ state, district }) => `${district}, ${state}`))
  const spellings = new Set([...districts].map(name => name.toLowerCase().replace(/[^a-z]/g, '')))
  expect(spellings.size).toBe(districts.size)
})
