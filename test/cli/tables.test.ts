import { describe, expect, test } from 'bun:test'
import stringWidth from 'string-width'
import { toRecordText, toTable } from '../../cli/output/table'
import { dataResponse } from '../sdk/stub-server'
import { runAgainst } from './shell'

const GREEN_ACTIVE = '\u001b[32mACTIVE\u001b[0m'
const style = { columns: 80, isColored: false }

describe('a table', () => {
  const rows = [
    { id: 1, name: 'किराया का मकान', rent_amount: 1_25_000, note: 'x'.repeat(60) },
    { id: 20, name: 'B', rent_amount: 900, note: 'short' },
  ]
  const toLines = (columns: number, names: string[]) =>
    toTable(rows, names, { ...style, columns }).split('\n')

  test.each([30, 40, 80, 120])('fits a terminal of %d columns', columns => {
    const lines = toLines(columns, ['id', 'name', 'rent_amount', 'note'])
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns)
  })

  test('drops its last columns first, and shortens what is left', () => {
    expect(toLines(40, ['id', 'rent_amount', 'name', 'note'])[0]).toBe('ID  RENT_AMOUNT  NAME')
    expect(toLines(40, ['id', 'note'])[1]).toBe(`1   ${'x'.repeat(35)}…`)
  })

  test('keeps a column that just fits', () => {
    const whole = toLines(200, ['id', 'rent_amount', 'name'])
    const width = Math.max(...whole.map(line => stringWidth(line)))
    expect(toLines(width, ['id', 'rent_amount', 'name'])).toEqual(whole)
    expect(toLines(width - 1, ['id', 'rent_amount', 'name'])[0]).toBe('ID  RENT_AMOUNT')
  })

  test('aligns amounts on the right, and shows the first digits of a UUID', () => {
    expect(toLines(80, ['id', 'rent_amount']).slice(1)).toEqual(['1     ₹1,25,000', '20         ₹900'])
    const uuid = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'
    expect(toTable([{ id: uuid }], ['id'], style)).toEndWith('\n6ba7b810')
  })

  test('has the colour of the state in its due date too; a record in its state alone', () => {
    const colored = { ...style, isColored: true }
    const charge = { id: 1, due_date: '2026-12-05', status: 'overdue' }
    const [, row] = toTable([charge], ['id', 'due_date', 'status'], colored).split('\n')
    expect(row).toContain('\u001b[31m5 Dec 2026\u001b[0m')
    expect(row).toContain('\u001b[31moverdue\u001b[0m')
    const text = toRecordText({ id: 1, alias_name: 'Active', status: 'ACTIVE' }, colored)
    expect(text).toBe(`id          1\nalias_name  Active\nstatus      ${GREEN_ACTIVE}`)
  })
})

const show = (respond: () => Response, commandLine: string) =>
  runAgainst(respond, commandLine, { replies: [], terminal: { columns: 80 } })
const createPage = (data: unknown[], total_pages = 1) => {
  const metadata = { page: 1, limit: 50, total: 70, total_pages }
  return () => Response.json({ success: true, data, metadata })
}

describe('a terminal shows', () => {
  test('a list as a table with columns as wide as their widest text', async () => {
    const rows = [
      { id: 1, property_id: 'x', alias_name: '東京 घर', property_type: 'pg', city: null, pin_code: 560048 },
      { id: 20, property_id: 'y', alias_name: 'A\u001b[31m\n', property_type: 'apartment', city: 'Pune' },
    ]
    const { exitCode, screen } = await show(createPage(rows, 2), 'property list')
    expect(exitCode).toBe(0)
    expect(screen.split('\n')).toEqual([
      'ID  ALIAS_NAME  PROPERTY_TYPE  CITY  PIN_CODE  LOCALITY  PROPERTY_ID',
      '1   東京 घर     pg             –     560048    –         x',
      '20  A [31m      apartment      Pune  –         –         y',
      'Page 1 of 2 (70 items); use --page for another',
      '',
    ])
  })

  test('a record with one field a line, and a table of its records that fits', async () => {
    const unit = { a: 1, b: 2, hidden: null, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, ninth: 'x'.repeat(60) }
    const record = { id: 1, alias_name: 'White House', amenities: ['lift'], units: [unit] }
    const { screen } = await show(dataResponse(record), 'property get 1')
    expect(screen.split('\n')).toEqual([
      'id          1',
      'alias_name  White House',
      'amenities   lift',
      '',
      'units',
      'A  B  C  D  E  F  G  H',
      '1  2  3  4  5  6  7  8',
      '',
    ])
  })

  test.each([
    [true, 'All parties have signed'],
    [false, 'Not all parties have signed yet'],
  ])('the signatures, allSigned %p: %s', async (allSigned, remark) => {
    const signatures = [{ id: 1, signer_id: 2, signer_role: 'tenant', status: 'signed' }]
    const { screen } = await show(dataResponse({ allSigned, signatures }), 'agreement signatures 1')
    expect(screen).toContain('SIGNER_ROLE')
    expect(screen).toEndWith(`${remark}\n`)
  })
})

test.each([
  'agreement renew 31 --months 12',
  'agreement update 32 --deposit 50000',
  'agreement revise 33 --rent 1 --yes',
  'rent-revision propose 31 --rent 27000 --from 2027-06-01',
])('%s warns of what the server remarks; with --json there are the data alone', async commandLine => {
  const warnings = [{ code: 'deposit_high', message: 'That is above the custom' }]
  const respond = () => Response.json({ success: true, data: { id: 3 }, warnings })
  expect((await runAgainst(respond, commandLine)).err).toStartWith('Warning: That is above the custom\n')
  expect((await runAgainst(respond, `${commandLine} --json id`)).err).toBe('')
})
