import { readFileSync } from 'node:fs'
import * as fonts from './fonts'

const MAX_CODE_POINT = 0x1ffff

let shown: Uint8Array | undefined

/** Whether a font of the documents has a glyph for the code point. */
export function hasGlyph(codePoint: number) {
  return (shown ??= readCoverage())[codePoint] === 1
}

/** Bold has the glyphs of regular. */
function readCoverage() {
  const coverage = new Uint8Array(MAX_CODE_POINT + 1)
  for (const [name, file] of Object.entries(fonts)) {
    if (name.endsWith('Bold')) continue
    for (const [first, last] of listRanges(readFileSync(file))) coverage.fill(1, first, last + 1)
  }
  return coverage
}

/** Lists the ranges of a font's table `cmap`, of the formats 4 and 12 (OpenType). */
function* listRanges(font: Buffer): Generator<[first: number, last: number]> {
  const cmap = font.readUInt32BE(font.indexOf('cmap', 'latin1') + 8)
  for (let record = 0; record < font.readUInt16BE(cmap + 2); record++) {
    const table = cmap + font.readUInt32BE(cmap + 8 + 8 * record)
    const format = font.readUInt16BE(table)
    if (format === 12)
      for (let at = table + 16; at < table + font.readUInt32BE(table + 4); at += 12)
        yield [font.readUInt32BE(at), font.readUInt32BE(at + 4)]
    const bytes = format === 4 ? font.readUInt16BE(table + 6) : 0
    // The last range stands for what is missing.
    for (let at = table + 14; at < table + 12 + bytes; at += 2)
      yield [font.readUInt16BE(at + bytes + 2), font.readUInt16BE(at)]
  }
}
