import { expect, test } from 'bun:test'
import { isNumericId, isUuid } from '../../../server/domain/record-id'
import { recordPath } from '../../../server/http/record-id'

const UUID = '0f0c9a3e-7d1b-4c68-9a52-00000012345F'

test.each([
  ['1', true],
  ['2147483647', true],
  ['2147483648', false],
  ['9999999999', false],
  ['12345678901', false],
  ['0', false],
  ['01', false],
  ['-1', false],
  ['1.0', false],
  ['1e3', false],
  [' 1', false],
  ['1\n', false],
  ['', false],
])('%p is the number of a record: %p', (text, expected) => {
  expect(isNumericId(text)).toBe(expected)
})

test.each([
  [UUID, true],
  [UUID.toLowerCase(), true],
  [UUID.replaceAll('-', ''), false],
  [`${UUID}0`, false],
  [`0${UUID}`, false],
  [UUID.replace('F', 'g'), false],
])('%p is a UUID: %p', (text, expected) => {
  expect(isUuid(text)).toBe(expected)
})

test('an id of a path is a number or a UUID, else there is no such record', () => {
  const parse = (text: string) => recordPath({ unitId: 'unit' })['~standard'].validate({ unitId: text }).value
  expect(parse('5')).toEqual({ unitId: { id: 5 } })
  expect(parse(UUID)).toEqual({ unitId: { uuid: UUID } })
  expect(() => parse('x')).toThrow(expect.objectContaining({ reason: 'unit_not_found' }))
})
