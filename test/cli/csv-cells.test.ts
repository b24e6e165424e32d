import { expect, test } from 'bun:test'
import * as contract from '@kiraya/sdk/contract'
import { landlordFileColumns } from '../../cli/csv/import-landlords'
import { propertyFileColumns } from '../../cli/csv/property-file'
import type { Kind } from '../../cli/csv/cells'
import { readCsv } from '../../cli/csv/read-csv'

const kinds = new Map<string, Kind>(
  [...propertyFileColumns, ...landlordFileColumns].map(({ name, kind }) => [name, kind]),
)
const parses = (column: string, cell: string) => {
  try {
    return kinds.get(column)!.parse(cell)
  } catch {
    return 'refused'
  }
}

const ranges: [column: string, least: string, below: string, most: string, above: string][] = [
  ['property', '1', '0', '1000000000', '1000000001'],
  ['pin_code', '100000', '99999', '999999', '1000000'],
  ['area_sqft', '0.01', '0', '9999999', '9999999.5'],
  ['floor_number', '-20', '-21', '300', '301'],
  ['alias_name', 'x', '', 'x'.repeat(255), 'x'.repeat(256)],
  ['furniture_included', 'x', '', '🛋'.repeat(5000), 'x'.repeat(5001)],
  ['unit_notes', 'x', '', 'x'.repeat(5000), 'x'.repeat(5001)],
]
test.each(ranges)('%s takes %s and no less, and at most so much', (column, least, below, most, above) => {
  expect(parses(column, least)).not.toBe('refused')
  expect(parses(column, most)).not.toBe('refused')
  expect(parses(column, above)).toBe('refused')
  if (below) expect(parses(column, below)).toBe('refused')
})

const cells: [column: string, cell: string, value: unknown][] = [
  ['floor_number', '1.5', 'refused'],
  ['floor_number', '1e2', 'refused'],
  ['area_sqft', '650.5', 650.5],
  ['property_type', 'PG', 'pg'],
  ['room_type', '6bhk', 'refused'],
  ['furnishing_type', 'Semi_Furnished', 'semi_furnished'],
  ['is_available', 'TRUE', true],
  ['is_available', 'false', false],
  ['is_available', 'yes', 'refused'],
  ['unit_amenities', ' Lift ;; Gym ', ['Lift', 'Gym']],
  ['unit_amenities', '["a;b"]', ['a;b']],
  ['unit_amenities', '[1]', 'refused'],
  ['unit_amenities', '["a"', 'refused'],
  ['unit_amenities', `'=a; b`, ['=a', 'b']],
  ['alias_name', `'quoted`, `'quoted`],
  ['phone', '+91 98765-43210', '9876543210'],
  ['phone', '5876543210', 'refused'],
  ['email', 'asha@example.com', 'asha@example.com'],
  ['email', 'asha@example', 'refused'],
  ['email', 'asha rao@example.com', 'refused'],
  ['email', `'@a@example.com`, 'refused'],
]
test.each(cells)('%s %p is %j', (column, cell, value) => {
  expect(parses(column, cell)).toEqual(value as never)
})

test.each(['=1', '+1', '-1', '@x', '＝1', '＋1', '－1', '＠x', `'＝1`, '\tx', '\rx', `'=1`, `''-1`])(
  'a spreadsheet does not run %p, which is read again as it was',
  text => {
    const kind = kinds.get('alias_name')!
    expect(kind.format(text)).toBe(`'${text}`)
    expect(kind.parse(kind.format(text))).toBe(text)
  },
)

test.each(['White House', `'quoted`, 'a=b', '1-2', ''])('%p is written as it is', text => {
  expect(kinds.get('alias_name')!.format(text)).toBe(text)
})

test.each([
  [['Lift', 'Gym'], 'Lift; Gym'],
  [['a;b'], '["a;b"]'],
  [[' a'], '[" a"]'],
  [['[x'], '["[x"]'],
  [['a', ''], '["a",""]'],
  [[], '[]'],
  [['-a', 'b'], "'-a; b"],
] as const)('the list %j is written as %p, and read again as it was', (items, cell) => {
  const kind = kinds.get('common_amenities')!
  expect(kind.format([...items])).toBe(cell)
  expect(kind.parse(cell)).toEqual([...items])
})

test('blanks around a cell count for nothing, and a cell of blanks is empty', async () => {
  const csv = 'property,pin_code,property_type,alias_name,locality\n1, 560048 ,\tpg,  Lake House , \n'
  const { rows, errors } = await readCsv(csv, propertyFileColumns)
  expect(errors).toEqual([])
  expect(rows).toEqual([
    { line: 2, values: { property: 1, pin_code: 560_048, property_type: 'pg', alias_name: 'Lake House' } },
  ])
})

test('a file has a column for each field of a property and of a unit, but the manager', () => {
  const fields = [contract.NewProperty, contract.NewUnit].flatMap(({ properties }) => Object.keys(properties))
  const expected = fields.filter(field => field !== 'property_units' && field !== 'managed_by_id')
  const names: string[] = propertyFileColumns.map(({ name }) => name)
  expect(names.toSorted()).toEqual(['property', ...expected].toSorted())
})

test.each([
  ['property_type', contract.PropertyType],
  ['room_type', contract.RoomType],
  ['furnishing_type', contract.FurnishingType],
])('%s takes each word that the API takes', (column, schema) => {
  const words = (schema.anyOf as { const: string }[]).map(word => word.const)
  expect(words.map(word => parses(column, word))).toEqual(words)
})

test('a heading may have capitals, blanks and a byte order mark, and empty lines count for nothing', async () => {
  const csv = '\ufeff"Property", PIN_Code ,property_type\r\n\r\n1,560048,pg\r\n\r\n'
  const { rows, errors } = await readCsv(csv, propertyFileColumns)
  expect({ rows, errors }).toEqual({
    rows: [{ line: 3, values: { property: 1, pin_code: 560_048, property_type: 'pg' } }],
    errors: [],
  })
})

test.each(['\n', '\r\n'])(
  'a row with line breaks %j in a cell has the number of its first line',
  async lineBreak => {
    const lines = [
      'property,pin_code,property_type,unit_name,unit_notes',
      '1,560048,pg,A,"one',
      'two',
      'three"',
      '2,560048,pg,,',
    ]
    const { rows } = await readCsv(lines.join(lineBreak), propertyFileColumns)
    expect(rows.map(({ line }) => line)).toEqual([2, 5])
  },
)
