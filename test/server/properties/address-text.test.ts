import { expect, test } from 'bun:test'
import type { Property } from '../../../db/entities'
import { toAddressText } from '../../../server/properties/address-changes'
import { propertyShape } from './shapes'

const property = propertyShape() as unknown as Property

test.each([
  'society_building',
  'survey_number',
  'road_name',
  'locality',
  'landmark',
  'pin_code',
  'city',
  'district',
  'state',
  'country',
  'property_type',
])('another %s is another address', field => {
  expect(toAddressText({ ...property, [field]: 'other' } as Property)).not.toBe(toAddressText(property))
})

test.each(['alias_name', 'common_amenities', 'landlord_id'])('another %s is the same address', field => {
  expect(toAddressText({ ...property, [field]: 'other' } as unknown as Property)).toBe(
    toAddressText(property),
  )
})

test('a part that was never given is the same as one that was cleared', () => {
  const { landmark: _, ...rest } = property
  expect(toAddressText(rest as Property)).toBe(toAddressText(property))
})
