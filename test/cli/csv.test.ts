import { describe, expect, test } from 'bun:test'
import { formatCell, parseCell } from '../../cli/csv/cells'
import type { Column } from '../../cli/csv/columns'
import { findRepeatedPhones, landlordFileColumns, toLandlordErrors } from '../../cli/csv/invite-landlords'
import { findContradictions, propertyFileColumns, toProperties } from '../../cli/csv/property-file'
import { readCsv as readCsvFile, type CsvError } from '../../cli/csv/read-csv'
import { KirayaError, ValidationError } from '../../sdk'

const readCsv = (csv: string, of: readonly Column[]) => readCsvFile(Buffer.from(csv), of)

const columns = new Map<string, Column>(
  [...propertyFileColumns, ...landlordFileColumns].map(column => [column.name, column]),
)
function parses(column: string, cell: string) {
  const { value, mistake } = parseCell(columns.get(column)!, cell)
  return mistake ? 'refused' : value
}

describe('a cell', () => {
  test.each([
    ['property', '1', '0', '1000000000', '1000000001'],
    ['pin_code', '100000', '99999', '999999', '1000000'],
    ['area_sqft', '0.01', '0', '9999999', '9999999.5'],
    ['floor_number', '-20', '-21', '300', '301'],
    ['alias_name', 'x', undefined, 'x'.repeat(255), 'x'.repeat(256)],
    ['furniture_included', 'x', undefined, '🛋'.repeat(2000), 'x'.repeat(2001)],
    ['unit_notes', 'x', undefined, 'x'.repeat(2000), 'x'.repeat(2001)],
  ])('%s takes %s and no less, and at most so much', (column, least, below, most, above) => {
    expect(parses(column, least)).not.toBe('refused')
    expect(parses(column, most)).not.toBe('refused')
    for (const wrong of [below, above].filter(cell => cell !== undefined))
      expect(parses(column, wrong)).toBe('refused')
  })

  // How numbers and words are read is in values.test.ts.
  test.each<[column: string, cell: string, value: unknown]>([
    ['floor_number', '1.5', 'refused'],
    ['area_sqft', '650.5', 650.5],
    ['room_type', '6bhk', 'refused'],
    ['is_available', 'yes', 'refused'],
    ['unit_amenities', ' Lift ;; Gym ', ['Lift', 'Gym']],
    ['unit_amenities', '["a;b"]', ['a;b']],
    ['unit_amenities', '[1]', 'refused'],
    ['unit_amenities', '["a"', 'refused'],
    ['unit_amenities', `'=a; b`, ['=a', 'b']],
    ['alias_name', `'quoted`, `'quoted`],
    ['phone', `'+919876543210`, '9876543210'],
    ['phone', '5876543210', 'refused'],
    ['email', 'asha@example.com', 'asha@example.com'],
    ['email', `'=a@b.co`, '=a@b.co'],
    ['email', 'asha@उदाहरण.भारत', 'asha@उदाहरण.भारत'],
    ['phone', '\u202a+91 (0) 98765‑43210\u202c', '9876543210'],
    ['phone', '080-2345 6789', 'refused'],
    ['email', 'asha@example', 'refused'],
    ['email', 'asha rao@example.com', 'refused'],
    ['email', `'@a@example.com`, 'refused'],
  ])('%s %p is %j', (column, cell, value) => {
    expect(parses(column, cell)).toEqual(value as never)
  })
})

describe('a written cell', () => {
  test.each(['=1', '+1', '-1', '@x', '＝1', '＋1', '－1', '＠x', `'＝1`, '\tx', '\rx', `'=1`, `''-1`])(
    'that a spreadsheet would run is escaped, and read again as it was: %p',
    text => {
      expect(formatCell(text)).toBe(`'${text}`)
      expect(parses('alias_name', formatCell(text))).toBe(text)
    },
  )

  test.each(['White House', `'quoted`, 'a=b', '1-2', ''])('%p is written as it is', text => {
    expect(formatCell(text)).toBe(text)
  })

  test.each([
    [['Lift', 'Gym'], 'Lift; Gym'],
    [['a;b'], '["a;b"]'],
    [[' a'], '[" a"]'],
    [['[x'], '["[x"]'],
    [['a', ''], '["a",""]'],
    [[], '[]'],
    [['-a', 'b'], "'-a; b"],
  ] as const)('of the list %j is %p, and read again as it was', (items, cell) => {
    expect(formatCell(items)).toBe(cell)
    expect(parses('common_amenities', cell)).toEqual([...items])
  })
})

const HEADING = 'phone,first_name,last_name,email'
const ROW = '9876543210,Asha,Rao,asha@example.com'
const asha = { phone: '9876543210', first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const toLines = (errors: CsvError[]) =>
  errors.map(({ line, column, message }) => `${line} ${column}: ${message}`)
const toPlaces = (errors: CsvError[]) => errors.map(({ line, column }) => `${line} ${column}`)

describe('a file of landlords', () => {
  test.each([
    ['as it is', `${HEADING}\n${ROW}\n`, 2],
    ['with the mark of a spreadsheet before it', `\ufeff${HEADING}\n${ROW}\n`, 2],
    ['with a heading in any case, quoted, with blanks', `"Phone", FIRST_NAME, last_name,Email\n${ROW}`, 2],
    ['with other columns first', `email,last_name,first_name,phone\nasha@example.com,Rao,Asha,9876543210`, 2],
    ['with lines of Windows', `${HEADING}\r\n${ROW}\r\n`, 2],
    ['with empty lines', `${HEADING}\n\n\n${ROW}\n\n`, 4],
    ['with empty rows and columns', `${HEADING},,\n${ROW},,\n,,,,,\n , ,,,,\n`, 2],
    ['with semicolons', `${HEADING};\n${ROW};`.replaceAll(',', ';'), 2],
    ['with tabs', `${HEADING}\n${ROW}`.replaceAll(',', '\t'), 2],
    ['with its separator in the first line', `sep=|\r\n${HEADING}\r\n${ROW}`.replaceAll(',', '|'), 3],
    ['with blanks around cells', `${HEADING}\n 9876543210,\tAsha, Rao ,asha@example.com`, 2],
  ])('is read %s', async (_, csv, line) => {
    expect(await readCsv(csv, landlordFileColumns)).toEqual({ rows: [{ line, values: asha }], errors: [] })
  })

  test.each(['utf-16le', 'utf-16be'])('is read in %s', async encoding => {
    const bytes = Buffer.from(`\ufeff${HEADING}\n${ROW.replace('Asha', 'आशा')}\n`, 'utf16le')
    const file = encoding === 'utf-16be' ? bytes.swap16() : bytes
    const { rows } = await readCsvFile(file, landlordFileColumns)
    expect(rows).toEqual([{ line: 2, values: { ...asha, first_name: 'आशा' } }])
  })

  test('is none in another encoding', async () => {
    const file = Buffer.from(`${HEADING}\n${ROW.replace('Asha', 'José')}`, 'latin1')
    await expect(readCsvFile(file, landlordFileColumns)).rejects.toThrow('CSV UTF-8')
  })

  test.each(['\n', '\r\n', '\r'])('whose cells have the break %j counts the first lines', async breaks => {
    const long = `9876543210,"As${breaks}ha${breaks}",Rao,wrong`
    const csv = [HEADING, long, '98,Asha,Rao,a@b.co', long, '98,Asha,Rao,a@b.co'].join('\n')
    const { rows, errors } = await readCsv(csv, landlordFileColumns)
    expect(rows.map(({ line }) => line)).toEqual([2, 5, 6, 9])
    expect(toPlaces(errors)).toEqual(['2 email', '5 phone', '6 email', '9 phone'])
  })

  test.each([
    ['an empty one', '', 'empty'],
    ['one with a column twice', `${HEADING},Phone\n${ROW},1`, 'twice: phone'],
    ['one with cells below no heading', `${HEADING},\n${ROW},5`, 'without a heading'],
    ['one with an unknown column', `${HEADING},age\n${ROW},5`, 'age'],
    ['one without a column', `phone,first_name,last_name\n`, 'email'],
    ['one with an open quote', `${HEADING}\n"9876543210`, 'CSV'],
  ])('is none: %s', async (_, csv, word) => {
    await expect(readCsv(csv, landlordFileColumns)).rejects.toThrow(word)
  })

  test('has each wrong cell named, and each cell too many', async () => {
    const { errors } = await readCsv(`${HEADING}\n12,,Rao,a@b.co,more\n`, landlordFileColumns)
    expect(toPlaces(errors)).toEqual(['2 email', '2 phone', '2 first_name'])
  })

  test('names every repetition of a number with the line of the first', async () => {
    const other = ROW.replace('9876543210', '9876543211')
    const csv = [HEADING, ROW, other, ROW, ROW, 'x,A,B,a@b.co', 'y,A,B,a@b.co'].join('\n')
    const { rows } = await readCsv(csv, landlordFileColumns)
    const sentence = 'is in line 2 already'
    expect(toLines(findRepeatedPhones(rows))).toEqual([`4 phone: ${sentence}`, `5 phone: ${sentence}`])
  })
})

describe('a file of properties', () => {
  const HEADINGS = 'property,pin_code,property_type,alias_name,unit_name,floor_number'
  const readProperties = (...rows: string[]) => readCsv([HEADINGS, ...rows].join('\n'), propertyFileColumns)

  test('has the units of a property in the order of their lines, which they keep', async () => {
    const rows = [
      '1,560048,pg,Oak,,',
      '2,560048,pg,Elm,B-1,2',
      '1,560048,pg,Oak,A-1,1',
      '1,560048,pg,Oak,A-2,',
    ]
    const plan = (alias_name: string, ...property_units: object[]) => ({
      pin_code: 560048,
      property_type: 'pg',
      alias_name,
      property_units,
    })
    const oak = plan('Oak', { unit_name: 'A-1', floor_number: 1 }, { unit_name: 'A-2' })
    const elm = plan('Elm', { unit_name: 'B-1', floor_number: 2 })
    expect<object[]>(toProperties((await readProperties(...rows)).rows)).toEqual([
      { plan: oak, line: 2, unitLines: [4, 5] },
      { plan: elm, line: 3, unitLines: [3] },
    ])
  })

  test('may leave out what the first row of a property says, and contradict nothing of it', async () => {
    const { rows } = await readProperties('1,560048,pg,Oak,A-1,', '1,560048,pg,,A-2,', '1,560048,pg,Elm,A-3,')
    const errors = toLines(findContradictions(rows))
    expect(errors).toEqual([expect.stringMatching(/^4 alias_name: .*line 2/)])
  })

  test('has a name for each unit', async () => {
    const { rows } = await readProperties('1,560048,pg,Oak,,', '1,560048,pg,Oak,,3')
    expect(toPlaces(findContradictions(rows))).toEqual(['3 unit_name'])
  })
})

describe('a refusal of a landlord', () => {
  const row = { line: 3, values: asha }
  const details = [
    { property: 'phone_number', constraints: { a: 'is wrong', b: 'is short' } },
    { property: 'email', constraints: {} },
  ]

  test.each([
    ['VALIDATION_ERROR', undefined, ['3 phone: No']],
    ['BAD_REQUEST', undefined, ['3 phone: No']],
    ['VALIDATION_ERROR', details, ['3 phone: is wrong; is short', '3 email: is not valid']],
  ] as const)('with %s names the columns and broken rules', (code, given, lines) => {
    const error = new ValidationError('No', { code, details: given })
    expect(toLines(toLandlordErrors(error, row))).toEqual([...lines])
  })

  test('that is none of the input ends the import', () => {
    const failure = new KirayaError('Later', { code: 'SERVICE_UNAVAILABLE' })
    expect(() => toLandlordErrors(failure, row)).toThrow(failure)
  })
})
