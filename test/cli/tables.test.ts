import { describe, expect, test } from 'bun:test'
import stringWidth from 'string-width'
import { toRecordText, toTable } from '../../cli/output/table'

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

  test('shortens texts first, then drops the last of them, and no amount', () => {
    const names = ['id', 'name', 'note', 'rent_amount']
    expect(toLines(50, names)[0]).toBe('ID  NAME       NOTE                    RENT_AMOUNT')
    expect(toLines(46, names)[0]).toBe('ID  NAME       RENT_AMOUNT')
    expect(toLines(16, names)[0]).toBe('ID  RENT_AMOUNT')
    expect(toLines(40, ['id', 'note'])[1]).toBe(`1   ${'x'.repeat(35)}…`)
  })

  test('with more amounts than fit is a record for each row', () => {
    const sums = [{ unit: 'A-1', paid: 1, credited: 2, outstanding: 3 }]
    const text = toTable(sums, Object.keys(sums[0]!), { ...style, columns: 30 })
    expect(text).toBe('unit         A-1\npaid         ₹1\ncredited     ₹2\noutstanding  ₹3')
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
