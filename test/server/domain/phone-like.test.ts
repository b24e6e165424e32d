import { expect, test } from 'bun:test'
import { isFeedName } from '../../../server/domain/activities'
import { hasPhoneNumber } from '../../../server/http/body/formats'

test.each([
  ['9876543210', true],
  ['6000000000', true],
  ['5876543210', false],
  ['09876543210', true],
  ['919876543210', true],
  ['+91 98765 43210', true],
  ['00919876543210', true],
  ['9298765432109', false],
  ['98765-43210', true],
  ['98.76.54.32.10', true],
  ['call 98765/43210 now', true],
  ['987654321', false],
  ['98765432101', false],
  ['12 9876543210', true],
  ['98765 or 43210', false],
  ['९८७६५४३२१०', true],
  ['９８７６５４３２１０', true],
  ['৯৮৭৬৫ ৪৩২১০', true],
  ['', false],
])('%p has a phone number: %p', (text, expected) => {
  expect(hasPhoneNumber(text)).toBe(expected)
})

test.each([
  ['Green View, Block 2', true],
  ['x'.repeat(50), true],
  ['x'.repeat(51), false],
  ['St. John Road', true],
  ['A.B', true],
  ['see a.example', false],
  ['例。例え', false],
  ['http://x', false],
  ['a@b', false],
  ['a＠b', false],
  ['1.2.3.4', false],
  ['1.2.3', true],
  ['Flat 1234567', true],
  ['12 34 56 78', false],
  ['１２３４５６７８', false],
])('%p may appear in the feeds of others: %p', (name, expected) => {
  expect(isFeedName(name)).toBe(expected)
})
