import { expect, test } from 'bun:test'
import { findPlace } from '../../../../db/pin-codes/index'

const knownPlaces = Array.from({ length: 900_000 }, (_, index) => 100_000 + index).flatMap(pinCode => {
  const place = findPlace(pinCode)
  return place ? [{ pinCode, ...place }] : []
})

/** The Local Government Directory has one more in Nagaland, and three more in Arunachal Pradesh. */
const DISTRICT_COUNTS = `
Andaman and Nicobar Islands 3, Andhra Pradesh 26, Arunachal Pradesh 24, Assam 35, Bihar 38, Chandigarh 1,
Chhattisgarh 33, Dadra and Nagar Haveli and Daman and Diu 3, Delhi 11, Goa 2, Gujarat 34, Haryana 22,
Himachal Pradesh 12, Jammu and Kashmir 20, Jharkhand 24, Karnataka 31, Kerala 14, Ladakh 2, Lakshadweep 1,
Madhya Pradesh 55, Maharashtra 36, Manipur 16, Meghalaya 12, Mizoram 11, Nagaland 16, Odisha 30, Puducherry 4,
Punjab 23, Rajasthan 41, Sikkim 6, Tamil Nadu 38, Telangana 33, Tripura 8, Uttar Pradesh 75, Uttarakhand 13,
West Bengal 23
`

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
  // Districts that moved
  [148023, 'Malerkotla', 'Malerkotla', 'Punjab'],
  [247776, 'Shamli', 'Shamli', 'Uttar Pradesh'],
  [303102, 'Kotputli', 'Kotputli-Behror', 'Rajasthan'],
  [313902, 'Salumbar', 'Salumbar', 'Rajasthan'],
  [344022, 'Balotra', 'Balotra', 'Rajasthan'],
  [385565, 'Tharad', 'Vav-Tharad', 'Gujarat'],
  [465441, 'Agar', 'Agar Malwa', 'Madhya Pradesh'],
  [480334, 'Pandhurna', 'Pandhurna', 'Madhya Pradesh'],
  [495689, 'Sakti', 'Sakti', 'Chhattisgarh'],
  [506001, 'Warangal', 'Hanumakonda', 'Telangana'],
  [506002, 'Warangal', 'Warangal', 'Telangana'],
  [507101, 'Kothagudem', 'Bhadradri Kothagudem', 'Telangana'],
  [523105, 'Kandukur', 'Sri Potti Sriramulu Nellore', 'Andhra Pradesh'],
  [533001, 'Kakinada', 'Kakinada', 'Andhra Pradesh'],
  [583201, 'Hosapete', 'Vijayanagara', 'Karnataka'],
  [627811, 'Tenkasi', 'Tenkasi', 'Tamil Nadu'],
  [784509, 'Udalguri', 'Udalguri', 'Assam'],
  [794108, 'Resubelpara', 'North Garo Hills', 'Meghalaya'],
  [795147, 'Noney', 'Noney', 'Manipur'],
  [799201, 'Khowai', 'Khowai', 'Tripura'],
])('%i is in %s', (pinCode, city, district, state) => {
  expect(findPlace(pinCode)).toEqual({ city, district, state })
})

test.each([100000, 999999, 110050, 0, -110001, 110001.5, NaN])('%d is not a known PIN code', pinCode => {
  expect(findPlace(pinCode)).toBeUndefined()
})

test('each PIN code stands in one line of the table', async () => {
  expect(knownPlaces).toHaveLength(19_775)
  const text = await Bun.file(`${import.meta.dir}/../../../../db/pin-codes/table.tsv`).text()
  const ranges = [...text.matchAll(/(\d{6})(?:-(\d{6}))?/g)].map(([, start, end = start]) => [start, end])
  expect(ranges.reduce((sum, [start, end]) => sum + Number(end) - Number(start) + 1, 0)).toBe(19_775)
})

test('the table has the districts of 30 November 2025, as far as one has a PIN code of its own', () => {
  const districts = Map.groupBy(knownPlaces, ({ state }) => state)
  const counts = [...districts].map(
    ([state, places]) => `${state} ${new Set(places.map(place => place.district)).size}`,
  )
  expect(counts.toSorted()).toEqual(DISTRICT_COUNTS.trim().split(/,\s/))
})

test.each(['city', 'district'] as const)('every %s is a proper name', name => {
  const names = [...new Set(knownPlaces.map(place => place[name]))]
  expect(names.filter(value => value !== value.trim() || /[()&,]|\s\s|\b(And|Of)\b/.test(value))).toEqual([])
  expect(
    names.filter(value => (value === value.toUpperCase() && value !== 'NTR') || !/^[A-Z]/.test(value)),
  ).toEqual([])
})

test('no district of a state has two spellings', () => {
  const districts = new Set(knownPlaces.map(({ state, district }) => `${district}, ${state}`))
  const spellings = new Set([...districts].map(name => name.toLowerCase().replace(/[^a-z]/g, '')))
  expect(spellings.size).toBe(districts.size)
})
