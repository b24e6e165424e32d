import { expect, test } from 'bun:test'
import { renameFields, toCamelCase, toSnakeCase } from '../../sdk/field-names'

test.each([
  ['otp', 'otp'],
  ['phone_number', 'phoneNumber'],
  ['has_completed_profile', 'hasCompletedProfile'],
])('%s is %s in Variant A', (snake, camel) => {
  expect(toCamelCase(snake)).toBe(camel)
  expect(toSnakeCase(camel)).toBe(snake)
})

test('fields are renamed at every depth, and nothing else', () => {
  const value = { firstName: 'aB', items: [{ paidOn: null }, 'cD', 1], user: { isNew: true } }
  const renamed = { first_name: 'aB', items: [{ paid_on: null }, 'cD', 1], user: { is_new: true } }
  expect(renameFields(value, toSnakeCase)).toEqual(renamed)
  expect(value.firstName).toBe('aB')
})
