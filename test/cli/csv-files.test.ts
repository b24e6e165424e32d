import { describe, expect, test } from 'bun:test'
import { findRepeatedPhones, landlordFileColumns, toLandlordErrors } from '../../cli/csv/import-landlords'
import { findContradictions, propertyFileColumns, toProperties } from '../../cli/csv/property-file'
import { readCsv, type CsvError } from '../../cli/csv/read-csv'
import { toSentence } from '../../cli/messages'
import { KirayaError, ValidationError } from '../../sdk'

const asha = { phone: '9876543210', first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const HEADING = 'phone,first_name,last_name,email'
const ROW = '9876543210,Asha,Rao,asha@example.com'

const toLines = (errors: CsvError[]) =>
  errors.map(({ line, column, message }) => `${line} ${column}: ${toSentence(message, 'en')}`)

describe('a file of landlords', () => {
  test.each([
    ['as it is', `${HEADING}\n${ROW}\n`, 2],
    ['with the mark of a spreadsheet before it', `\ufeff${HEADING}\n${ROW}\n`, 2],
    ['with a heading in any case, with blanks', ` Phone ,FIRST_NAME, last_name,Email\n${ROW}`, 2],
    [
      'with columns in another order',
      `email,last_name,first_name,phone\nasha@example.com,Rao,Asha,9876543210`,
      2,
    ],
    ['with lines of Windows', `${HEADING}\r\n${ROW}\r\n`, 2],
    ['with empty lines', `${HEADING}\n\n\n${ROW}\n\n`, 4],
    ['with an escaped number and address', `${HEADING}\n'+919876543210,Asha,Rao,asha@example.com`, 2],
  ])('is read %s', async (_, csv, line) => {
    expect(await readCsv(csv, landlordFileColumns)).toEqual({ rows: [{ line, values: asha }], errors: [] })
  })

  test('may have an address that a spreadsheet would run', async () => {
    const { rows, errors } = await readCsv(`${HEADING}\n9876543210,Asha,Rao,'=a@b.co`, landlordFileColumns)
    expect(errors).toEqual([])
    expect(rows[0]!.values.email).toBe('=a@b.co')
  })

  test.each(['\n', '\r\n', '\r'])(
    'names the first line of each row where cells have the break %j',
    async breaks => {
      const long = `9876543210,"As${breaks}ha${breaks}",Rao,wrong`
      const csv = [HEADING, long, '98,Asha,Rao,a@b.co', long, '98,Asha,Rao,a@b.co'].join('\n')
      const { rows, errors } = await readCsv(csv, landlordFileColumns)
      expect(rows.map(({ line }) => line)).toEqual([2, 5, 6, 9])
      expect(toLines(errors).map(line => line.split(':')[0]!)).toEqual([
        '2 email',
        '5 phone',
        '6 email',
        '9 phone',
      ])
    },
  )

  test.each([
    ['an empty one', '', 'empty'],
    ['one with semicolons', `${HEADING.replaceAll(',', ';')}\n`, 'commas'],
    ['one with an unknown column', `${HEADING},age\n${ROW},5`, 'age'],
    ['one without a column', `phone,first_name,last_name\n`, 'email'],
    ['one with an open quote', `${HEADING}\n"9876543210`, 'CSV'],
  ])('is none: %s', async (_, csv, word) => {
    await expect(readCsv(csv, landlordFileColumns)).rejects.toThrow(word)
  })

  test('has each wrong cell named, and each cell too many', async () => {
    const { errors } = await readCsv(`${HEADING}\n12,,Rao,a@b.co,more\n`, landlordFileColumns)
    expect(toLines(errors).map(line => line.split(':')[0]!)).toEqual(['2 email', '2 phone', '2 first_name'])
  })

  test('names every repetition of a number with the line of the first', async () => {
    const other = ROW.replace('9876543210', '9876543211')
    const csv = [HEADING, ROW, other, ROW, ROW, 'x,A,B,a@b.co', 'y,A,B,a@b.co'].join('\n')
    const { rows } = await readCsv(csv, landlordFileColumns)
    const lines = toLines(findRepeatedPhones(rows))
    expect(lines.map(line => line.split(':')[0]!)).toEqual(['4 phone', '5 phone'])
    for (const line of lines) expect(line).toContain('line 2')
  })
})

const PROPERTIES = 'property,pin_code,property_type,alias_name,unit_name,floor_number'
const readProperties = (...rows: string[]) => readCsv([PROPERTIES, ...rows].join('\n'), propertyFileColumns)

describe('a file of properties', () => {
  test('has the units of a property in the order of their lines, which they keep', async () => {
    const { rows } = await readProperties(
      '1,560048,pg,Oak,,',
      '2,560048,pg,Elm,B-1,2',
      '1,560048,pg,Oak,A-1,1',
      '1,560048,pg,Oak,A-2,',
    )
    expect(toProperties(rows)).toEqual([
      {
        plan: {
          pin_code: 560048,
          property_type: 'pg',
          alias_name: 'Oak',
          property_units: [{ unit_name: 'A-1', floor_number: 1 }, { unit_name: 'A-2' }],
        },
        line: 2,
        unitLines: [4, 5],
      },
      {
        plan: {
          pin_code: 560048,
          property_type: 'pg',
          alias_name: 'Elm',
          property_units: [{ unit_name: 'B-1', floor_number: 2 }],
        },
        line: 3,
        unitLines: [3],
      },
    ])
  })

  test('may leave out what the first row of a property says, and contradict nothing of it', async () => {
    const { rows } = await readProperties('1,560048,pg,Oak,A-1,', '1,560048,pg,,A-2,', '1,560048,pg,Elm,A-3,')
    const errors = findContradictions(rows)
    expect(errors.map(({ line, column }) => [line, column])).toEqual([[4, 'alias_name']])
    expect(toLines(errors)[0]).toContain('line 2')
  })

  test('has a name for each unit', async () => {
    const { rows } = await readProperties('1,560048,pg,Oak,,', '1,560048,pg,Oak,,3')
    expect(findContradictions(rows).map(({ line, column }) => [line, column])).toEqual([[3, 'unit_name']])
  })
})

describe('a refusal of a landlord', () => {
  const row = { line: 3, values: asha }

  test.each<['VALIDATION_ERROR' | 'BAD_REQUEST']>([['VALIDATION_ERROR'], ['BAD_REQUEST']])(
    'with %s and no fields is one of the number',
    code => {
      const errors = toLandlordErrors(new ValidationError('No message reaches it', { code }), row)
      expect(toLines(errors)).toEqual(['3 phone: No message reaches it'])
    },
  )

  test('names the columns of its fields, and each broken rule', () => {
    const details = [
      { property: 'phone_number', constraints: { a: 'is wrong', b: 'is short' } },
      { property: 'email', constraints: {} },
    ]
    const errors = toLandlordErrors(new ValidationError('No', { code: 'VALIDATION_ERROR', details }), row)
    expect(toLines(errors)).toEqual(['3 phone: is wrong; is short', '3 email: is not valid'])
  })

  test('that is none of the input ends the import', () => {
    const failure = new KirayaError('Later', { code: 'SERVICE_UNAVAILABLE' })
    expect(() => toLandlordErrors(failure, row)).toThrow(failure)
  })
})
