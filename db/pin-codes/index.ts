import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Place = { city: string; district: string; state: string }

const read = () => {
  const byPin = new Map<number, Place>()
  for (const line of readFileSync(join(import.meta.dir, 'table.tsv'), 'utf8').split('\n')) {
    if (!line || line.startsWith('#')) continue
    const [state = '', district = '', city = '', ranges = ''] = line.split('\t')
    // One object for all PINs of the line, so nobody may change it
    const place = Object.freeze({ city, district, state })
    for (const range of ranges.split(',')) {
      const [from = NaN, to = from] = range.split('-').map(Number)
      for (let pinCode = from; pinCode <= to; pinCode++) byPin.set(pinCode, place)
    }
  }
  return byPin
}

let places: Map<number, Place> | undefined

/**
 * The city, district and state of an Indian PIN code, or undefined if the table does not know it.
 * A PIN that spans two districts has the one of most of its post offices.
 */
export function findPlace(pinCode: number): Place | undefined {
  places ??= read()
  return places.get(pinCode)
}
