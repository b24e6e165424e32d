import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { join } from 'node:path'
import { createStubServer } from '../../sdk/stub-server'
import { createShell } from '../../cli/shell'

/** How people head a column, write its cells, and what is wrong in it. */
const columns: [name: string, headings: string[], right: string[], wrong: string[]][] = [
  ['unit', ['Flat No', 'Flat', 'Unit', 'Door No.'], [], ['']],
  ['pin', ['Pin', 'PIN Code', 'पिन'], ['560 076', '560076', '५६००७६'], ['5600', 'Jayanagar', '056001']],
  ['kind', ['Building Type', 'property_type'], ['Flat', 'apartment', 'Apartments'], ['castle']],
  ['tenant', ['Tenant', 'Name', 'किरायेदार'], ['Anil Nair', 'Mrs. Rao', '-'], []],
  [
    'phone',
    ['Mobile', 'Contact No.', 'Phone'],
    ['98450 11104', '+91-98450-11105', '9845011106 / 98450 11107'],
    ['98450', '', '080 2345 6789'],
  ],
  [
    'rent',
    ['Rent', 'Monthly Rent (₹)', 'किराया'],
    ['25,000/-', '25k', '₹25,000', 'Rs. 25000'],
    ['', 'twenty', '0', '-5', '25,00'],
  ],
  ['deposit', ['Advance', 'Security Deposit'], ['1.5 L', '50000', 'Nil', ''], ['lots', '1.5 X']],
  [
    'start',
    ['From', 'Start Date', 'DOJ'],
    ['15/04/2026', '1-Apr-26', '2026-04-01', '१६/०४/२०२६'],
    ['31/02/2026', 'soon', 'Apr-26', ''],
  ],
  ['period', ['Period', 'Months', 'Tenure'], ['11', '11 months', '1 year'], ['long', '0', '']],
  ['due', ['Due', 'Due Day'], ['5', '10th', ''], ['45', 'early']],
  ['rooms', ['Type', 'BHK'], ['2 BHK', '2bhk', '-'], ['2 halls']],
  ['furnishing', ['Furnishing', 'furnishing_type'], ['SF', 'Semi', 'none'], ['well']],
  ['floor', ['Floor', 'मंजिल'], ['SF', '2nd', 'Ground', '3'], ['roof']],
  ['area', ['Area', 'Sft'], ['1050 sft', '1,050', ''], ['big', '-1']],
]

const pick = <Value>(values: Value[]) => fc.constantFrom(...values)
/** `Due` with one value that is no day is what is owed, which is right. */
const isFault = (heading: string, cell: string) => !(heading === 'Due' && cell === '45')

const sheet = fc
  .record({
    titles: fc.array(pick(['OAK HOUSE', 'Rent list, 2026', '']), { maxLength: 3 }),
    headings: fc.tuple(...columns.map(([, headings]) => pick(headings))),
    order: fc.shuffledSubarray([...columns.keys()], { minLength: columns.length }),
    rows: fc.array(fc.tuple(...columns.map(([, , right]) => pick(right.length > 0 ? right : ['']))), {
      minLength: 1,
      maxLength: 6,
    }),
    fault: pick(columns.flatMap(([, , , wrong], column) => wrong.map(cell => ({ column, cell })))),
    place: fc.nat(),
  })
  .filter(({ headings, fault }) => isFault(headings[fault.column]!, fault.cell))

test('200 random sheets with one fault each name its cell, and send nothing', async () => {
  using server = createStubServer()
  using shell = createShell(server.url)
  const checkSheet = async ({
    titles,
    headings,
    order,
    rows,
    fault,
    place,
  }: typeof sheet extends fc.Arbitrary<infer S> ? S : never) => {
    const at = place % rows.length
    const cells = rows.map((row, index) =>
      row.map((cell, column) => {
        if (index === at && column === fault.column) return fault.cell
        return columns[column]![0] === 'unit' ? `A-${index}` : cell
      }),
    )
    const toLine = (line: string[]) => order.map(column => `"${line[column]}"`).join(',')
    const lines = [...titles.map(title => `"${title}"`), toLine(headings), ...cells.map(toLine)]
    await Bun.write(join(shell.home, 'sheet.csv'), lines.join('\n'))

    const { exitCode, err } = await shell.kiraya('import leases sheet.csv --property Oak')

    const row = titles.length + at + 2
    const letter = String.fromCharCode(65 + order.indexOf(fault.column))
    expect([exitCode, err, server.requests.length]).toEqual([
      6,
      expect.stringContaining(`sheet.csv:${row}: ${headings[fault.column]} (${letter}${row}): `),
      0,
    ])
    expect(err).toContain('The file has 1 error\n')
  }
  await fc.assert(fc.asyncProperty(sheet, checkSheet), { numRuns: 200 })
}, 120_000)
