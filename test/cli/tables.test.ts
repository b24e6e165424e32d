import { describe, expect, test } from 'bun:test'
import stringWidth from 'string-width'
import { toRecordText, toTable } from '../../cli/table'
import { dataResponse } from '../sdk/stub-server'
import { testServer } from '../support/server'
import { createBilledLease, createLandlordShell, runAgainst } from './shell'

const server = testServer()
const GREEN_ACTIVE = '\u001b[32mACTIVE\u001b[0m'
const style = { columns: 80, isColored: false, language: 'en' } as const

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

  test('an empty list as None, and with --json the data alone', async () => {
    expect((await show(createPage([]), 'property list')).screen).toBe('None\n')
    const { screen } = await show(createPage([{ id: 1 }], 2), 'property list --json')
    expect(screen).toBe('[\n  {\n    "id": 1\n  }\n]\n')
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

  test('a failed job, and nothing in its place if there is none', async () => {
    const at = '2026-11-22T06:00:00Z'
    const failure = { id: 'f', name: 'remind', error: 'the provider is down', failed_at: at }
    const job = { name: 'remind', state: 'failed', runs: 1, newest: at }
    const report = { waiting: { open_signatures: 3 }, jobs: [job], failed: [failure] }
    const env = { KIRAYA_OPS_TOKEN: 'o' }
    const read = async (data: object) =>
      (await runAgainst(dataResponse(data), 'ops jobs', { replies: [], env })).screen

    expect(await read(report)).toContain(failure.error)
    const none = await read({ ...report, failed: [] })
    expect(none).toContain('open_signatures  3')
    expect(none).not.toContain('None')
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

test('a landlord reads leases and books at a terminal with names, rupees, colours and sums', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, rent } = await createBilledLease(shell, server.url)
  const paid = await shell.getData(
    `payment create ${draft.id} --amount 26000 --method upi --allocation ${rent.id}:25000`,
  )
  const terminal = { columns: 120 }
  const read = async (command: string, env = {}) => (await shell.ask(command, [], { terminal, env })).screen

  const [, row] = (await read('agreement list')).split('\n')
  expect(row).toMatch(new RegExp(`${draft.agreement_number}.*Bengaluru/A-101.*Tara`))
  expect(row).toContain(GREEN_ACTIVE)
  expect(stringWidth(row!)).toBeLessThanOrEqual(120)
  const plain = await read('agreement list', { NO_COLOR: '1' })
  expect(plain).toContain('ACTIVE')
  expect(plain).not.toContain('\u001b')

  const shown: [command: string, ...texts: RegExp[]][] = [
    [`agreement get ${draft.id}`, /^rent_amount +₹25,000$/m, /^deposit_amount +₹1,00,000$/m],
    [
      `agreement timeline ${draft.id}`,
      /\d{4}, \d\d:\d\d IST {2}Asha Rao created the draft/,
      /Asha Rao began to sign[^]*Asha Rao asked Tara to sign[^]*The agreement became active/,
    ],
    ['charge list --sort -amount', /^ID +DUE_DATE +STATUS +AMOUNT_OUTSTANDING +UNIT/, /₹1,00,000 .*A-101/],
    ['payment list', /posted\S* +₹26,000 +Tara +Bengaluru\/A-101/],
    [
      `payment get ${paid.id}`,
      RegExp(`agreement +${draft.agreement_number}`),
      RegExp(`${rent.id} +₹25,000 +Rent`),
    ],
    [`charge schedule ${draft.id}`, /^total_rent +₹2,75,000/m, /Society maintenance +₹2,500 +\S*projected/],
    ['books rent-roll', /Bengaluru\/A-101 +Tara +₹25,000 +₹27,500 +₹26,000 +₹1,500 +AGR/],
    ['books arrears', /Total +– +₹1,01,500 +₹1,01,500 +₹0/],
    ['books annual', /Total +₹26,000 +₹0 +₹25,000 +₹0 +₹1,000/],
    ['books summary', /Total +₹1,27,500 +₹0 +₹26,000 +₹1,01,500/, /deposits_held +₹0/],
  ]
  for (const [command, ...texts] of shown) {
    const screen = await read(command)
    for (const text of texts) expect(screen).toMatch(text)
  }
})
