import { readFileSync } from 'node:fs'
import tablePath from './table.tsv' with { type: 'file' }

export type Place = { city: string; district: string; state: string }

let placesByPin: Map<number, Place> | undefined

/**
 * Finds the city, district and state of an Indian PIN code; undefined if it is unknown.
 * A PIN that spans two districts gets the district of most of its post offices.
 */
export function findPlace(pinCode: number): Place | undefined {
  placesByPin ??= readTable()
  return placesByPin.get(pinCode)
}

function readTable() {
  const places = new Map<number, Place>()
  const lines = readFileSync(tablePath, 'utf8').split('\n')
  for (const line of lines) {
    if (!line || line.startsWith('#')) continue
    const [state = '', district = '', city = '', ranges = ''] = line.split('\t')
    // All PINs of a line share this object.
    const place = Object.freeze({ city, district, state })
    for (const pinCode of expandRanges(ranges)) places.set(pinCode, place)
  }
  return places
}

/** Yields the numbers of a list such as `744301-744304,744306`. */
function* expandRanges(ranges: string) {
  for (const range of ranges.split(',')) {
    const [start = NaN, end = start] = range.split('-').map(Number)
    for (let pinCode = start; pinCode <= end; pinCode++) yield pinCode
  }
}
