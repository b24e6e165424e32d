import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { clock, testServer } from '../support/server'
import { messyWorkbook } from './sheet-fixture'
import { createLandlordShell, type Shell } from './shell'

const server = testServer({ overrides: clock(new Date('2026-11-20T06:30:00Z')) })

const flags = '--settled-until 2026-10-31 --signed-on start'
const imports = [
  `messy.xlsx ${flags} --property-type flat --map Remarks=-`,
  `messy.xlsx ${flags} --sheet PG --map Room=- --property "Sai PG" --pin-code 560076 --property-type pg --months 11`,
  `messy.xlsx ${flags} --sheet Shops --property "MG Road" --pin-code 560001 --property-type shop`,
]
const counts = (created: number, kept: number) => ({ created, kept, changed: 0 })

async function createFilledShell() {
  const shell = await createLandlordShell(server.url)
  await Bun.write(join(shell.home, 'messy.xlsx'), await messyWorkbook())
  for (const each of imports) await shell.getData(`import leases ${each}`)
  return shell
}

const getSums = async ({ getData }: Pick<Shell, 'getData'>) => [
  await getData('books arrears --query total'),
  await getData('books annual --query deposits_held'),
]

/** By hand: what the sheet says is owed, and the rents of November; the deposits of eleven flats, eight beds and a shop. */
const owed = 500 + 16_000 + 1_300.5 + 21_500 + 4_500
const rents = 241_500 + 4 * 8_500 + 4 * 9_000 + 80_000
const deposits = 1_185_000 + 8 * 10_000 + 480_000

test('a workbook becomes leases whose books are as on paper; a repetition changes nothing', async () => {
  using shell = await createFilledShell()
  expect(await getSums(shell)).toEqual([owed + rents, deposits])
  for (const [index, rows] of [11, 8, 1].entries())
    expect(await shell.getData(`import leases ${imports[index]}`)).toMatchObject(counts(0, rows))
})

test('6: what the server refuses is named once by its cell, and nothing is imported', async () => {
  using shell = await createLandlordShell(server.url)
  const lease = 'Oak,pg,999999,1,Anil,98450 11104,9000,2026-11-01,11'
  await Bun.write(
    join(shell.home, 'oak.csv'),
    `Building,Building Type,Pin,Bed,Name,Mobile,Rent,From,Period\n${lease}`,
  )

  const { exitCode, data } = await shell.kiraya('import leases oak.csv')

  const message = 'is required: the PIN code 999999 is not known'
  expect([exitCode, data.errors]).toEqual([6, [{ line: 2, column: 'Pin', cell: 'C2', message }]])
  expect(await shell.getData('property list')).toEqual([])
})

test('payments name their lease by the unit; exports import here without a change, and elsewhere with the same sums', async () => {
  using shell = await createFilledShell()
  using other = await createLandlordShell(server.url)
  const payments = [
    'Date,Building,Flat No,Amount,Mode,UTR',
    '05/11/2026,Lakshmi Nivas,101,"25,000/-",GPay,N1',
    '16/11/2026,,102,25000,Cash,',
  ]
  await Bun.write(join(shell.home, 'paid.csv'), payments.join('\n'))
  expect(await shell.getData('import payments paid.csv --dry-run')).toMatchObject(counts(2, 0))
  expect(await shell.getData('import payments paid.csv')).toMatchObject(counts(2, 0))
  expect(await getSums(shell)).toEqual([owed + rents - 50_000, deposits])

  for (const [noun, rows] of [
    ['payments', 2],
    ['leases', 20],
  ] as const) {
    await shell.kiraya(`export ${noun} --file ${noun}.csv`)
    expect(await shell.getData(`import ${noun} ${noun}.csv`)).toMatchObject(counts(0, rows))
  }
  const leases = Bun.file(join(shell.home, 'leases.csv'))
  await Bun.write(join(other.home, 'leases.csv'), leases)
  expect(await other.getData('import leases leases.csv')).toMatchObject(counts(20, 0))
  expect(await getSums(other)).toEqual(await getSums(shell))
  expect((await other.kiraya('export leases')).out).toBe(`\ufeff${await leases.text()}`)
  const charges = await shell.kiraya('export charges')
  expect(charges.out.split('\n')[1]).toBe(
    'Lakshmi Nivas,102,lakshmi nivas/102/2026-04-01,opening_balance,Opening balance,,,2026-10-31,500,500,0,0,paid',
  )
  expect((await shell.kiraya('export books')).out).toContain('\nLakshmi Nivas,101,')
})
