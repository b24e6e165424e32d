import { expect, test } from 'bun:test'
import { findPlace } from '../../../db/pin-codes/index'

const states = [
  'Andaman and Nicobar Islands',
  'Andhra Pradesh',
  'Arunachal Pradesh',
  'Assam',
  'Bihar',
  'Chandigarh',
  'Chhattisgarh',
  'Dadra and Nagar Haveli and Daman and Diu',
  'Delhi',
  'Goa',
  'Gujarat',
  'Haryana',
  'Himachal Pradesh',
  'Jammu and Kashmir',
  'Jharkhand',
  'Karnataka',
  'Kerala',
  'Ladakh',
  'Lakshadweep',
  'Madhya Pradesh',
  'Maharashtra',
  'Manipur',
  'Meghalaya',
  'Mizoram',
  'Nagaland',
  'Odisha',
  'Puducherry',
  'Punjab',
  'Rajasthan',
  'Sikkim',
  'Tamil Nadu',
  'Telangana',
  'Tripura',
  'Uttar Pradesh',
  'Uttarakhand',
  'West Bengal',
]

const knownPlaces = Array.from({ length: 900_000 }, (_, index) => 100_000 + index).flatMap(pinCode => {
  const place = findPlace(pinCode)
  return place ? [{ pinCode, ...place }] : []
})

test.each([
  [110001, 'New Delhi', 'New Delhi', 'Delhi'],
  [110092, 'New Delhi', 'East Delhi', 'Delhi'],
  [122001, 'Gurugram', 'Gurugram', 'Haryana'],
  [160017, 'Chandigarh', 'Chandigarh', 'Chandigarh'],
  [160071, 'Mohali', 'Sahibzada Ajit Singh Nagar', 'Punjab'],
  [190001, 'Srinagar', 'Srinagar', 'Jammu and Kashmir'],
  [194101, 'Leh', 'Leh', 'Ladakh'],
  [194103, 'Kargil', 'Kargil', 'Ladakh'],
  [201301, 'Noida', 'Gautam Buddha Nagar', 'Uttar Pradesh'],
  [208001, 'Kanpur', 'Kanpur Nagar', 'Uttar Pradesh'],
  [211001, 'Prayagraj', 'Prayagraj', 'Uttar Pradesh'],
  [302001, 'Jaipur', 'Jaipur', 'Rajasthan'],
  [380001, 'Ahmedabad', 'Ahmedabad', 'Gujarat'],
  [396210, 'Daman', 'Daman', 'Dadra and Nagar Haveli and Daman and Diu'],
  [396230, 'Silvassa', 'Dadra and Nagar Haveli', 'Dadra and Nagar Haveli and Daman and Diu'],
  [400001, 'Mumbai', 'Mumbai', 'Maharashtra'],
  [400050, 'Mumbai', 'Mumbai Suburban', 'Maharashtra'],
  [400601, 'Thane', 'Thane', 'Maharashtra'],
  [400703, 'Navi Mumbai', 'Thane', 'Maharashtra'],
  [411001, 'Pune', 'Pune', 'Maharashtra'],
  [492001, 'Raipur', 'Raipur', 'Chhattisgarh'],
  [500001, 'Hyderabad', 'Hyderabad', 'Telangana'],
  [500081, 'Hyderabad', 'Rangareddy', 'Telangana'],
  [506001, 'Warangal', 'Warangal', 'Telangana'],
  [520001, 'Vijayawada', 'Krishna', 'Andhra Pradesh'],
  [533464, 'Yanam', 'Yanam', 'Puducherry'],
  [560001, 'Bengaluru', 'Bengaluru Urban', 'Karnataka'],
  [560048, 'Bengaluru', 'Bengaluru Urban', 'Karnataka'],
  [575001, 'Mangaluru', 'Dakshina Kannada', 'Karnataka'],
  [600001, 'Chennai', 'Chennai', 'Tamil Nadu'],
  [605001, 'Puducherry', 'Puducherry', 'Puducherry'],
  [620001, 'Tiruchirappalli', 'Tiruchirappalli', 'Tamil Nadu'],
  [682001, 'Kochi', 'Ernakulam', 'Kerala'],
  [682555, 'Kavaratti', 'Lakshadweep', 'Lakshadweep'],
  [695001, 'Thiruvananthapuram', 'Thiruvananthapuram', 'Kerala'],
  [700001, 'Kolkata', 'Kolkata', 'West Bengal'],
  [744101, 'Port Blair', 'South Andaman', 'Andaman and Nicobar Islands'],
  [751001, 'Bhubaneswar', 'Khordha', 'Odisha'],
  [781001, 'Guwahati', 'Kamrup Metropolitan', 'Assam'],
])('%i is in %s', (pinCode, city, district, state) => {
  expect(findPlace(pinCode)).toEqual({ city, district, state })
})

test.each([100000, 999999, 110050, 0, -110001, 110001.5, NaN])('%d is not a known PIN code', pinCode => {
  expect(findPlace(pinCode)).toBeUndefined()
})

test('the table has every PIN code of its source', () => {
  expect(knownPlaces).toHaveLength(19_159)
})

test('the table has the states and union territories of India', () => {
  expect([...new Set(knownPlaces.map(({ state }) => state))].toSorted()).toEqual(states)
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
