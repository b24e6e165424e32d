import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { districtNames, stateByDistrict, stateNames } from '../../db/pin-codes/districts'

const DIRECTORY = join(import.meta.dir, '../../db/pin-codes')
const folder = await mkdtemp(join(tmpdir(), 'kiraya-pin-codes-'))
afterAll(() => rm(folder, { recursive: true }))

type Office = { pincode: number; district: string; state: string }
const toOffice = (pincode: number, district: string, state = 'Karnataka'): Office => ({
  pincode,
  district,
  state,
})

/** Builds a table from post offices; returns its lines without the heading. */
async function build(offices: Office[]) {
  const [source, target] = [join(folder, 'offices.json'), join(folder, 'table.tsv')]
  await Bun.write(source, JSON.stringify(offices))
  const { exitCode, stdout, stderr } = Bun.spawnSync([
    process.execPath,
    join(DIRECTORY, 'build.ts'),
    source,
    target,
  ])
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
  return { text: await Bun.file(target).text(), said: stdout.toString() }
}

const toLines = ({ text }: { text: string }) => text.trim().split('\n').slice(1)

function listPinCodes(ranges: string) {
  return ranges.split(',').flatMap(range => {
    const [start = 0, end = start] = range.split('-').map(Number)
    return Array.from({ length: end - start + 1 }, (_, index) => start + index)
  })
}

/** The source's name of what has today's name. */
const findOldName = (names: Record<string, string>, name: string) =>
  Object.keys(names).find(old => names[old] === name)

/** A post office for each PIN code of the table, with the names of the source. */
function toOffices(table: string): Office[] {
  return table
    .trim()
    .split('\n')
    .slice(1)
    .flatMap(line => {
      const [state = '', district = '', , ranges = ''] = line.split('\t')
      const oldState = stateByDistrict[district]
        ? 'Jammu & Kashmir'
        : (findOldName(stateNames, state) ?? state)
      const oldDistrict = findOldName(districtNames, district) ?? `${district.toUpperCase()} (X)`
      return listPinCodes(ranges).map(pincode => toOffice(pincode, oldDistrict, oldState))
    })
}

test('the table follows from its own post offices and the corrections', async () => {
  const table = await Bun.file(join(DIRECTORY, 'table.tsv')).text()
  const { text, said } = await build(toOffices(table).toReversed())
  expect(text).toBe(table)
  expect(said).toBe(`19159 PINs in ${table.trim().split('\n').length - 1} lines\n`)
})

test('the table has today’s name of every state and district that is corrected', async () => {
  const table = await Bun.file(join(DIRECTORY, 'table.tsv')).text()
  const columns = table.split('\n').map(line => line.split('\t'))
  const [states, districts] = [0, 1].map(index => new Set(columns.map(column => column[index])))
  const missing = [
    ...Object.values(stateNames).filter(name => !states!.has(name)),
    ...Object.values(districtNames).filter(name => !districts!.has(name)),
  ]
  expect(missing).toEqual([])
})

test('most post offices of a PIN code decide on its district; if they tie, most of its neighbourhood', async () => {
  const lines = await build([
    ...['Hassan', 'Hassan', 'Kodagu', 'Udupi'].map(name => toOffice(573_999, name)),
    ...['Hassan', 'Kodagu'].map(name => toOffice(571_100, name)),
    toOffice(571_999, 'Kodagu'),
    ...['Udupi', 'Hassan'].map(name => toOffice(579_998, name)),
  ])
  expect(toLines(lines)).toEqual([
    'Karnataka\tHassan\tHassan\t573999,579998',
    'Karnataka\tKodagu\tKodagu\t571100,571999',
  ])
})

test('only adjacent PIN codes are a range', async () => {
  const lines = await build([579_993, 579_990, 579_991, 579_992, 579_995].map(pin => toOffice(pin, 'Hassan')))
  expect(toLines(lines)).toEqual(['Karnataka\tHassan\tHassan\t579990-579993,579995'])
})

test('a correction by PIN code wins over the post offices, the one with the longest prefix first', async () => {
  const lines = await build([560_300, 560_999].map(pin => toOffice(pin, 'Hassan')))
  expect(toLines(lines)).toEqual([
    'Karnataka\tBengaluru Rural\tBengaluru\t560300',
    'Karnataka\tBengaluru Urban\tBengaluru\t560999',
  ])
})

test('the name of a district has no suffix, capitals or signs of the source', async () => {
  const lines = await build([toOffice(579_990, 'HILLS & COAST OF THE SOUTH (KA)')])
  expect(toLines(lines)[0]).toStartWith('Karnataka\tHills and Coast of The South\t')
})
