import { Buffer as HarfBuzzBuffer, Direction, shape } from 'harfbuzzjs'
import { getTypeface, type Weight } from './fonts'
import type { TextRun } from './text-runs'

/** A glyph in its place; lengths are thousandths of the font size. */
export interface ShapedGlyph {
  glyph: number
  /** The glyph with the text that it carries: what the embedded font holds one place for. */
  id: string
  text: string
  advance: number
  x: number
  y: number
}

/** Glyphs from left to right; lengths are thousandths of the font size. */
export interface ShapedRun {
  glyphs: ShapedGlyph[]
  /** The glyphs' texts do not spell the run, so the PDF has to state its text. */
  needsActualText: boolean
  width: number
  ascent: number
  descent: number
}

/** What a glyph carries if another glyph of its cluster carries the text. */
const NO_TEXT = '\u200B'
const MAX_CACHED_RUNS = 5000

const buffer = new HarfBuzzBuffer()
const cache = new Map<string, ShapedRun>()

/** Shapes a run: conjuncts, reordered vowel signs, marks. pdfkit gets these wrong for Indic scripts. */
export function shapeRun(run: TextRun, weight: Weight): ShapedRun {
  const key = `${run.script.tag} ${run.level} ${weight} ${run.text}`
  const cached = cache.get(key)
  if (cached) return cached

  const shaped = toShapedRun(run, weight)
  if (cache.size >= MAX_CACHED_RUNS) cache.clear()
  cache.set(key, shaped)
  return shaped
}

function toShapedRun(run: TextRun, weight: Weight): ShapedRun {
  const { font } = getTypeface(run.script.family, weight)
  const scale = 1000 / font.unitsPerEm
  const { infos, positions } = runHarfBuzz(run, weight)
  const carriedTexts = assignTexts(run.text, infos, positions)
  const glyphs = infos.map(({ codepoint }, index): ShapedGlyph => {
    const { xAdvance, xOffset, yOffset } = positions[index]!
    const text = carriedTexts.get(index) ?? NO_TEXT
    return {
      glyph: codepoint,
      id: `${codepoint} ${text}`,
      text,
      advance: xAdvance * scale,
      x: xOffset * scale,
      y: yOffset * scale,
    }
  })
  const shifted = glyphs.filter(({ y }) => y).map(({ glyph, y }) => ({ y, box: font.getGlyph(glyph).bbox }))
  const isLeftToRight = run.level % 2 === 0
  return {
    glyphs,
    // PDF readers take a stated text as left to right, so right-to-left runs state none.
    needsActualText: isLeftToRight && carriedTexts.size !== infos.length,
    width: glyphs.reduce((sum, { advance }) => sum + advance, 0),
    ascent: Math.max(font.ascent * scale, ...shifted.map(({ y, box }) => y + box.maxY * scale)),
    descent: Math.max(-font.descent * scale, ...shifted.map(({ y, box }) => -y - box.minY * scale)),
  }
}

function runHarfBuzz({ script, level, text }: TextRun, weight: Weight) {
  buffer.reset()
  buffer.addText(text)
  if (script.tag) buffer.setScript(script.tag)
  buffer.setDirection(level % 2 ? Direction.RTL : Direction.LTR)
  buffer.guessSegmentProperties()
  shape(getTypeface(script.family, weight).shaper, buffer)
  return { infos: buffer.getGlyphInfos(), positions: buffer.getGlyphPositions() }
}

/** The text of each cluster of glyphs, by the index of its widest glyph, which carries it. */
function assignTexts(text: string, infos: { cluster: number }[], positions: { xAdvance: number }[]) {
  const clusters = Map.groupBy(infos.keys(), index => infos[index]!.cluster)
  const starts = [...clusters.keys()].toSorted((a, b) => a - b)
  const widest = (indices: number[]) =>
    indices.reduce((best, index) => (positions[index]!.xAdvance > positions[best]!.xAdvance ? index : best))
  return new Map(
    starts.map((start, order) => [widest(clusters.get(start)!), text.slice(start, starts[order + 1])]),
  )
}
