import { describe, expect, test } from 'bun:test'
import stringWidth from 'string-width'
import { toFieldText, toRupees } from '../../cli/formats'
import { toTable } from '../../cli/table'
import { testServer } from '../support/server'
import { runAsPerson } from './pty'
import { createActiveLease, createLandlordShell } from './shell'

const server = testServer()
const GREEN_ACTIVE = '\u001b[32mACTIVE\u001b[0m'

describe('a value as people in India read it', () => {
  test.each<[string, unknown, string]>([
    ['rent_amount', 25_000, '₹25,000'],
    ['deposit_amount', 1_00_000.5, '₹1,00,000.50'],
    ['created_at', '2026-11-22T20:15:00Z', '23 Nov 2026, 01:45 IST'],
    ['agreement_start_date', '2026-12-01', '1 Dec 2026'],
    ['phone', '9876543210', '+91 98765 43210'],
    ['auto_renew', true, 'yes'],
    ['amenities', ['lift', 'pool'], 'lift, pool'],
    ['amenities', [], '–'],
    ['landmark', null, '–'],
    ['created_at', 'never', 'never'],
    ['alias_name', 'a\u001b[31m', 'a [31m'],
  ])('%s %p is %p', (name, value, text) => {
    expect(toFieldText(name, value)).toBe(text)
  })

  test('lakhs and crores are grouped', () => {
    expect([toRupees(9_999), toRupees(12_34_56_789)]).toEqual(['₹9,999', '₹12,34,56,789'])
  })
})

describe('a table', () => {
  const rows = [
    { id: 1, name: 'किराया का मकान', rent_amount: 1_25_000, note: 'x'.repeat(60) },
    { id: 20, name: 'B', rent_amount: 900, note: 'short' },
  ]
  const toLines = (columns: number, names: string[]) =>
    toTable(rows, names, { columns, isColored: false, language: 'en' }).split('\n')

  test.each([30, 40, 80, 120])('fits a terminal of %d columns', columns => {
    const lines = toLines(columns, ['id', 'name', 'rent_amount', 'note'])
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns)
  })

  test('drops its last columns first, and shortens what is left', () => {
    expect(toLines(40, ['id', 'rent_amount', 'name', 'note'])[0]).toBe('ID  RENT_AMOUNT  NAME')
    expect(toLines(40, ['id', 'note'])[1]).toBe(`1   ${'x'.repeat(35)}…`)
  })

  test('keeps a column that just fits', () => {
    const width = 'ID  RENT_AMOUNT  NAME'.length
    const rows = [{ id: 1, rent_amount: 900, name: 'A-10' }]
    const toHeading = (columns: number) =>
      toTable(rows, ['id', 'rent_amount', 'name'], { columns, isColored: false, language: 'en' }).split(
        '\n',
      )[0]
    expect([toHeading(width), toHeading(width - 1)]).toEqual(['ID  RENT_AMOUNT  NAME', 'ID  RENT_AMOUNT'])
  })

  test('aligns amounts on the right, and shows the first digits of a UUID', () => {
    const [, first, second] = toLines(80, ['id', 'rent_amount'])
    expect([first, second]).toEqual(['1     ₹1,25,000', '20         ₹900'])
    const table = toTable([{ id: '6ba7b810-9dad-41d1-80b4-00c04fd430c8' }], ['id'], {
      columns: 80,
      isColored: false,
      language: 'en',
    })
    expect(table).toEndWith('\n6ba7b810')
  })
})

describe('at a terminal', () => {
  test('agreements have names, rupees and a coloured state; the timeline is sentences', async () => {
    using shell = await createLandlordShell(server.url)
    const { draft } = await createActiveLease(shell, server.url)
    const options = { url: server.url, home: shell.home }

    const list = await runAsPerson('agreement list', { ...options, columns: 100 }).end()
    const row = list.text.split('\n')[1]!
    expect(row).toContain(draft.agreement_number)
    expect(row).toContain('Bengaluru/A-101')
    expect(row).toContain('Tara')
    expect(list.raw).toContain(GREEN_ACTIVE)
    for (const line of list.text.split(/\r?\n/)) expect(stringWidth(line)).toBeLessThanOrEqual(100)

    const record = await runAsPerson(`agreement get ${draft.id}`, options).end()
    expect(record.text).toMatch(/rent_amount +₹25,000\r?\n/)
    expect(record.text).toMatch(/deposit_amount +₹1,00,000\r?\n/)
    expect(record.text).toContain(draft.agreement_id)

    const timeline = await runAsPerson(`agreement timeline ${draft.id}`, options).end()
    expect(timeline.text).toMatch(/\d{4}, \d\d:\d\d IST {2}Asha Rao created the draft/)
    expect(timeline.text).toContain('Asha Rao began to sign')
    expect(timeline.text).toContain('Asha Rao asked Tara to sign')
    expect(timeline.text).toContain('The agreement became active')
  })

  test('NO_COLOR removes the colours, and a pipe gets whole values', async () => {
    using shell = await createLandlordShell(server.url)
    const { draft } = await createActiveLease(shell, server.url)
    const options = { url: server.url, home: shell.home, env: { NO_COLOR: '1' } }

    const { raw } = await runAsPerson('agreement list', options).end()
    expect(raw).toContain('ACTIVE')
    expect(raw).not.toContain('\u001b[3')
    const { data } = await shell.kiraya('agreement list')
    expect(data).toMatchObject([{ agreement_id: draft.agreement_id, rent_amount: 25_000 }])
  })
})
