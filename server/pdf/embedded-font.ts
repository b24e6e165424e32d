import type { Font } from 'fontkit'
import { getTypeface, type Weight } from './fonts'
import { shapeRun } from './shaping'
import type { TextRun } from './text-runs'

/**
 * A font as pdfkit embeds it. pdfkit asks it to lay out a run instead of a string.
 * The subset has a place for each pair of glyph and text, so that text can be copied and searched as it
 * was written, even if vowel signs change places.
 */
export function createEmbeddedFont({ script }: TextRun, weight: Weight): Font {
  const { font } = getTypeface(script.family, weight)
  return Object.assign(Object.create(font) as Font, {
    layout: (_text: string, run: TextRun) => toPdfkitLayout(font, run, weight),
    createSubset: () => createSubset(font),
  })
}

function toPdfkitLayout(font: Font, run: TextRun, weight: Weight) {
  const { glyphs, width } = shapeRun(run, weight)
  const unit = font.unitsPerEm / 1000
  return {
    glyphs: glyphs.map(({ id, glyph, text }) => ({
      id,
      advanceWidth: font.getGlyph(glyph).advanceWidth,
      codePoints: [...text].map(char => char.codePointAt(0)!),
    })),
    positions: glyphs.map(({ advance, x, y }) => ({
      xAdvance: advance * unit,
      yAdvance: 0,
      xOffset: x * unit,
      yOffset: y * unit,
    })),
    advanceWidth: width,
  }
}

function createSubset(font: Font) {
  const subset = font.createSubset() as unknown as { glyphs: number[] }
  const places = new Map([['0', 0]])

  /** fontkit passes parts of composite glyphs by number, pdfkit passes ids, which begin with the number. */
  function includeGlyph(id: string | number): number {
    const key = String(id)
    const known = places.get(key)
    if (known !== undefined) return known

    const place = subset.glyphs.push(Number.parseInt(key, 10)) - 1
    places.set(key, place)
    return place
  }
  return Object.assign(subset, { includeGlyph })
}
