import { describe, expect, test } from 'bun:test'
import { toColumns } from '../../cli/sheets/columns'
import { headings } from '../../cli/sheets/headings'
import { findRepeatedPhones, landlordSheet, toLandlordErrors } from '../../cli/sheets/landlord-sheet'
import {
  findContradictions,
  findNameless,
  propertySheet,
  toProperties,
} from '../../cli/sheets/property-sheet'
import type { SheetError, SheetOptions, SheetSpec } from '../../cli/sheets/read-sheet'
import { NewPayment } from '../../sdk/contract/payments'
import { KirayaError, ValidationError } from '../../sdk'
import { read, toWorkbook } from './sheet-fixture'

const HEADING = 'phone,first_name,last_name,email'
const ROW = '9876543210,Asha,Rao,asha@example.com'
const asha = { phone: '9876543210', first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const toLines = (errors: SheetError[]) =>
  errors.map(({ line, column, cell, message }) => `${line} ${column} ${cell}: ${message}`)
const toPlaces = (errors: SheetError[]) => errors.map(({ column, cell }) => `${cell} ${column}`)

describe('a sheet', () => {
  test.each([
    ['as it is', `${HEADING}\n${ROW}\n`, 2],
    ['with the mark of a spreadsheet before it', `\ufeff${HEADING}\n${ROW}\n`, 2],
    ['with a heading in any case, quoted, with blanks', `"Phone", FIRST_NAME, last_name,Email\n${ROW}`, 2],
    ['below titles and empty rows', `Landlords; 2026\n\n,as of today\n${HEADING}\n${ROW}`, 5],
    ['with other columns first', `email,last_name,first_name,phone\nasha@example.com,Rao,Asha,9876543210`, 2],
    [
      'with other headings, and one left out',
      `Sl. No.,Mobile No.,First Name,Last Name,E-mail,x\n1,${ROW},y`,
      2,
    ],
    ['with lines of Windows', `${HEADING}\r\n${ROW}\r\n`, 2],
    ['with empty lines', `${HEADING}\n\n\n${ROW}\n\n`, 4],
    ['with empty rows and columns', `${HEADING},,\n${ROW},,\n,,,,,\n , ,,,,\n`, 2],
    ['with a total, the headings again and a note', `${HEADING},,\nTotal,1\n${HEADING}\n${ROW},,hello`, 4],
    [
      'with semicolons, and a comma in the title',
      `A, B, C\n${HEADING};\n${ROW};`.replaceAll(/,(?! )/g, ';'),
      3,
    ],
    ['with tabs', `${HEADING}\n${ROW}`.replaceAll(',', '\t'), 2],
    ['with its separator in the first line', `sep=|\r\n${HEADING}\r\n${ROW}`.replaceAll(',', '|'), 2],
    ['with blanks around cells', `${HEADING}\n 9876543210,\tAsha, Rao ,asha@example.com`, 2],
  ])('is read %s', async (_, csv, line) => {
    const { rows, errors } = await read(csv, landlordSheet, { map: ['E-mail=email', 'x=-'] })
    expect({ rows, errors }).toEqual({ rows: [{ line, values: asha }], errors: [] })
  })

  test.each(['utf-16le', 'utf-16be'])('is read in %s', async encoding => {
    const bytes = Buffer.from(`\ufeff${HEADING}\n${ROW.replace('Asha', 'आशा')}\n`, 'utf16le')
    const { rows } = await read(encoding === 'utf-16be' ? bytes.swap16() : bytes, landlordSheet)
    expect(rows).toEqual([{ line: 2, values: { ...asha, first_name: 'आशा' } }])
  })

  test('of a workbook is the first, or one by its name or number', async () => {
    const toRows = (name: string) => `|${HEADING.replaceAll(',', '|')}
|#9876543210|${name}|Rao|a@b.co`
    const workbook = await toWorkbook({ North: toRows('Asha'), South: toRows('Ravi') })
    const names = [{}, { sheet: 'south' }, { sheet: '2' }].map(async options => {
      const { rows, told } = await read(workbook, landlordSheet, options)
      return [rows[0]!.values.first_name, told]
    })
    const [first, ...second] = await Promise.all(names)
    expect(first).toEqual(['Asha', ['Left out: the sheets South (see --sheet)']])
    expect(second.map(([name]) => name)).toEqual(['Ravi', 'Ravi'])
    await expect(read(workbook, landlordSheet, { sheet: 'East' })).rejects.toThrow('but North, South')
  })
})

describe('a file', () => {
  test.each<[what: string, file: string | Uint8Array, word: string, options?: SheetOptions]>([
    ['an empty one', '\n', 'empty'],
    ['in another encoding', Buffer.from(`${HEADING}\nJosé`, 'latin1'), 'CSV UTF-8'],
    ['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), '.xlsx'],
    ['a broken workbook', new Uint8Array([0x50, 0x4b, 3, 4, 5]), 'no .xlsx workbook'],
    ['one with a column twice', `${HEADING},Mobile\n${ROW},1`, '"phone" (A) and "Mobile" (E) are both phone'],
    ['one with unknown headings', `${HEADING},age,town\n${ROW},5,Goa`, '"age", "town"'],
    ['one without a column', `phone,first_name,last_name\n`, 'email'],
    ['one without headings', `Asha,Rao\nRavi,Rao`, '--map'],
    ['one with an open quote', `${HEADING}\n"9876543210`, 'CSV'],
    ['a map that names no column', `${HEADING}\n${ROW}`, '--map "a=b"', { map: ['a=b'] }],
    ['a sheet of a CSV file', `${HEADING}\n${ROW}`, '--sheet', { sheet: 'x' }],
  ])('is none: %s', async (_, file, word, options) => {
    await expect(read(file, landlordSheet, options)).rejects.toThrow(word)
  })
})

describe('what a sheet says', () => {
  test('is wrong in each cell once, and in each cell too many', async () => {
    const { errors } = await read(`${HEADING}\n12,,Rao,a@b.co,more\n`, landlordSheet)
    expect(toPlaces(errors)).toEqual(['D2 email', 'A2 phone', 'B2 first_name'])
  })

  test('below cells with line breaks counts rows as a spreadsheet does', async () => {
    const { errors } = await read(`${HEADING}\n9876543210,"As\nha",Rao,x\n\n98,A,B,a@b.co`, landlordSheet)
    expect(toPlaces(errors)).toEqual(['D2 email', 'A4 phone'])
  })

  test('may be asked at a terminal: what a heading means, and what is lacking', async () => {
    const csv = 'Building,Flat No,Block,Remarks\nOak,1,B,late\nOak,2,B,'
    const replies = ['locality', 'leave it out', '560 076', 'apartment']
    const { rows, errors, told } = await read(csv, propertySheet, {}, replies)
    expect([errors, replies]).toEqual([[], []])
    const house = { property: 'Oak', pin_code: 560076, property_type: 'apartment', locality: 'B' }
    expect(rows.map(({ values }) => values)).toEqual([
      { ...house, unit_name: '1' },
      { ...house, unit_name: '2' },
    ])
    expect(told).toEqual([
      'Read as: Building = property, Flat No = unit_name, Block = locality',
      'Left out: column D (Remarks)',
      'Where the sheet says nothing: pin_code 560076, property_type apartment',
    ])
  })

  const days: SheetSpec = {
    columns: toColumns(NewPayment).filter(({ name }) => ['paid_on', 'amount'].includes(name)),
  }
  const readDays = (cells: string[], options?: SheetOptions, replies?: string[]) =>
    read(['paid_on,amount', ...cells.map(cell => `${cell},1`)].join('\n'), days, options, replies)
  test.each<
    [what: string, cells: string[], options: SheetOptions, replies: string[] | undefined, days: string[]]
  >([
    ['by a day above 12', ['03/04/26', '15/04/26'], {}, undefined, ['2026-04-03', '2026-04-15']],
    ['by a month after it', ['03/04/26', '04/15/26'], {}, undefined, ['2026-03-04', '2026-04-15']],
    ['by a flag', ['03/04/26'], { dates: 'month-first' }, undefined, ['2026-03-04']],
    ['by a reply, once', ['03/04/26', '05/04/26'], {}, ['4 Mar 2026'], ['2026-03-04', '2026-05-04']],
  ])('tells the order of day and month %s', async (_, cells, options, replies, expected) => {
    const { rows } = await readDays(cells, options, replies)
    expect(rows.map(({ values }) => values.paid_on)).toEqual(expected)
  })

  test('without an order of day and month is refused once, with both readings', async () => {
    const { errors } = await readDays(['03/04/26', '05/04/26'])
    const message = 'is 3 Apr 2026 or 4 Mar 2026: say which with --dates day-first or month-first'
    expect(errors).toEqual([{ line: 2, column: 'paid_on', cell: 'A2', message }])
  })
})

describe('a sheet of landlords', () => {
  test('names every repetition of a number with the row of the first', async () => {
    const other = ROW.replace('9876543210', '9876543211')
    const csv = [HEADING, ROW, other, ROW, ROW, 'x,A,B,a@b.co', 'y,A,B,a@b.co'].join('\n')
    const { rows, locate } = await read(csv, landlordSheet)
    const sentence = 'is in row 2 already'
    expect(toLines(findRepeatedPhones(rows, locate))).toEqual([
      `4 phone A4: ${sentence}`,
      `5 phone A5: ${sentence}`,
    ])
  })

  const details = [
    { property: 'phone_number', constraints: { a: 'is wrong', b: 'is short' } },
    { property: 'email', constraints: {} },
  ]
  test.each([
    ['VALIDATION_ERROR', undefined, ['2 phone A2: No']],
    ['BAD_REQUEST', undefined, ['2 phone A2: No']],
    ['VALIDATION_ERROR', details, ['2 phone A2: is wrong; is short', '2 email D2: is not valid']],
  ] as const)('refused with %s is told the columns and broken rules', async (code, given, lines) => {
    const { rows, locate } = await read(`${HEADING}\n${ROW}`, landlordSheet)
    const error = new ValidationError('No', { code, details: given })
    expect(toLines(toLandlordErrors(error, rows[0]!, locate))).toEqual([...lines])
    const failure = new KirayaError('Later', { code: 'SERVICE_UNAVAILABLE' })
    expect(() => toLandlordErrors(failure, rows[0]!, locate)).toThrow(failure)
  })
})

describe('a sheet of properties', () => {
  const HEADINGS = 'property,pin_code,property_type,alias_name,unit_name,floor_number'
  const readProperties = (...rows: string[]) => read([HEADINGS, ...rows].join('\n'), propertySheet)

  test('has the units of a property in the order of their rows, which they keep', async () => {
    const rows = ['1,560048,pg,Oak,,', '2,560048,pg,Elm,B-1,2', '1,560048,pg,Oak,A-1,1', ',,,,A-2,']
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

  test('without an alias name is called what the column `property` says, unless that is a number', async () => {
    const { rows } = await readProperties('Total House,560048,pg,,A-1,')
    expect(toProperties(rows)[0]!.plan.alias_name).toBe('Total House')
  })

  test('contradicts nothing of a property; a wrong cell is no contradiction', async () => {
    const { rows, errors, locate } = await readProperties(
      '1,560048,pg,Oak,A-1,',
      '1,560048,pg,,A-2,',
      '1,560048,pg,Elm,A-3,',
      '2,56,pg,Ash,B-1,',
      '2,560048,pg,Ash,B-2,',
      '2,,,Ash,B-3,',
    )
    expect(toLines(findContradictions(rows, locate))).toEqual([
      '4 alias_name D4: differs from row 2, which has the same property',
    ])
    expect(toPlaces(errors)).toEqual(['B5 pin_code'])
  })

  test('has a name for each unit', async () => {
    const { rows, locate } = await readProperties('1,560048,pg,Oak,,', '1,560048,pg,Oak,,3')
    expect(toPlaces(findNameless(rows, locate))).toEqual(['E3 unit_name'])
  })
})

test('the README has the table of headings', async () => {
  const rows = Object.entries(headings).map(([name, others]) => `| \`${name}\` | ${others} |`)
  expect(await Bun.file('cli/README.md').text()).toContain(
    ['| column | headings |', '| --- | --- |', ...rows].join('\n'),
  )
})
