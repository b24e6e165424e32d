import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import bidirectional from 'bidi-js'
import { create, type Font } from 'fontkit'
import { Buffer as GlyphBuffer, Blob as FontData, Direction, Face, Font as Shaper, shape } from 'harfbuzzjs'

export type Weight = 'Regular' | 'Bold'

interface Script {
  tag: string
  family: string
  covers: RegExp
}

/** The scripts of India's scheduled languages, each with the family that has it, then everything else. */
const OTHER: Script = { tag: '', family: 'NotoSans', covers: /(?:)/ }
const SCRIPTS: Script[] = [
  { tag: 'Deva', family: 'NotoSans', covers: /\p{Script_Extensions=Devanagari}/u },
  { tag: 'Beng', family: 'NotoSansBengali', covers: /\p{Script_Extensions=Bengali}/u },
  { tag: 'Guru', family: 'NotoSansGurmukhi', covers: /\p{Script_Extensions=Gurmukhi}/u },
  { tag: 'Gujr', family: 'NotoSansGujarati', covers: /\p{Script_Extensions=Gujarati}/u },
  { tag: 'Orya', family: 'NotoSansOriya', covers: /\p{Script_Extensions=Oriya}/u },
  { tag: 'Taml', family: 'NotoSansTamil', covers: /\p{Script_Extensions=Tamil}/u },
  { tag: 'Telu', family: 'NotoSansTelugu', covers: /\p{Script_Extensions=Telugu}/u },
  { tag: 'Knda', family: 'NotoSansKannada', covers: /\p{Script_Extensions=Kannada}/u },
  { tag: 'Mlym', family: 'NotoSansMalayalam', covers: /\p{Script_Extensions=Malayalam}/u },
  { tag: 'Olck', family: 'NotoSansOlChiki', covers: /\p{Script_Extensions=Ol_Chiki}/u },
  { tag: 'Mtei', family: 'NotoSansMeeteiMayek', covers: /\p{Script_Extensions=Meetei_Mayek}/u },
  { tag: 'Arab', family: 'NotoSansArabic', covers: /\p{Script_Extensions=Arabic}/u },
  OTHER,
]

/** Stands where no font has a glyph and for what has no look: controls, marks that turn the reading direction, half characters. */
export const REPLACEMENT_CHARACTER = '\uFFFD'

const weights: Record<Weight, string> = { Regular: '400Regular', Bold: '700Bold' }

interface Typeface {
  font: Font
  shaper: Shaper
}
const opened = new Map<string, Typeface>()

function typeface(family: string, weight: Weight) {
  const name = `${family}_${weights[weight]}`
  const known = opened.get(name)
  if (known) return known
  const folder = family.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
  const bytes = readFileSync(
    fileURLToPath(import.meta.resolve(`@expo-google-fonts/${folder}/${weights[weight]}/${name}.ttf`)),
  )
  const face = { font: create(bytes) as Font, shaper: new Shaper(new Face(new FontData(bytes))) }
  opened.set(name, face)
  return face
}

/** A piece of text in one script, and so in one font, and in one direction: right to left where the level is odd. */
export interface TextRun {
  script: Script
  level: number
  text: string
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const NOTHING = '\u200B'
const JOINERS = '\u200C\u200D'

/** Blanks become spaces, and what cannot be seen becomes visible; of marks on marks six stay. */
const visible = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, char =>
      JOINERS.includes(char) ? char : REPLACEMENT_CHARACTER,
    )
    .replaceAll(/(\p{M}{6})\p{M}+/gu, `$1${REPLACEMENT_CHARACTER}`)

const bidi = bidirectional()
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** The runs of a line in the order in which they are written; each grapheme is left whole where a font has it, and is marked where none does. */
function runsOf(line: string): TextRun[] {
  const runs: TextRun[] = []
  const text = visible(line)
  const levels = RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, 'ltr').levels : undefined
  const scriptOf = (piece: string) => {
    if (/^[!-~]$/.test(piece)) return OTHER
    const last = runs.at(-1)?.script
    const fits = (script: Script) => script.covers.test(piece) && has(script, piece)
    return last && ((last !== OTHER && fits(last)) || (piece === ' ' && has(last, piece)))
      ? last
      : SCRIPTS.find(fits)
  }
  for (const { segment, index } of graphemes.segment(text)) {
    const level = levels?.[index] ?? 0
    for (const piece of scriptOf(segment) ? [segment] : segment) {
      const found = scriptOf(piece)
      const script = found ?? OTHER
      const last = runs.at(-1)
      const shown = found ? piece : REPLACEMENT_CHARACTER
      if (last?.script !== script || last.level !== level) runs.push({ script, level, text: shown })
      else if (shown !== REPLACEMENT_CHARACTER || !last.text.endsWith(REPLACEMENT_CHARACTER))
        last.text += shown
    }
  }
  return runs
}

/** The runs of a line from left to right: from the highest level down, all that stands at it or above is turned around. */
export function toVisualRuns(line: string): TextRun[] {
  const runs = runsOf(line)
  for (let level = Math.max(0, ...runs.map(run => run.level)); level > 0; level--) {
    for (let from = 0, to; from < runs.length; from = to + 1) {
      for (to = from; to < runs.length && runs[to]!.level >= level;) to++
      runs.splice(from, to - from, ...runs.slice(from, to).toReversed())
    }
  }
  return runs
}

const has = ({ family }: Script, text: string) =>
  [...text].every(
    char =>
      JOINERS.includes(char) || typeface(family, 'Regular').font.hasGlyphForCodePoint(char.codePointAt(0)!),
  )

export const splitGraphemes = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment)

/** Glyphs in the order in which they are drawn, and whether their own texts, in that order, spell the run's. Lengths are thousandths of the font size. */
export interface ShapedRun {
  spells: boolean
  glyphs: { glyph: number; id: string; text: string; advance: number; x: number; y: number }[]
  width: number
  ascent: number
  descent: number
}

const shaping = new GlyphBuffer()
const shapes = new Map<string, ShapedRun>()
const SHAPES = 5000

/** A run with conjuncts, reordered vowel signs and marks in place. Of a cluster of glyphs the widest one carries the text. */
export function shapeRun({ script, level, text }: TextRun, weight: Weight): ShapedRun {
  const key = `${script.tag} ${level} ${weight} ${text}`
  const known = shapes.get(key)
  if (known) return known
  const { font, shaper } = typeface(script.family, weight)
  const scale = 1000 / font.unitsPerEm
  shaping.reset()
  shaping.addText(text)
  if (script.tag) shaping.setScript(script.tag)
  shaping.setDirection(level % 2 ? Direction.RTL : Direction.LTR)
  shaping.guessSegmentProperties()
  shape(shaper, shaping)
  const infos = shaping.getGlyphInfos()
  const positions = shaping.getGlyphPositions()
  const advance = (index: number) => positions[index]!.xAdvance
  const clusters = Map.groupBy(infos.keys(), index => infos[index]!.cluster)
  const ends = new Map(
    [...clusters.keys()].toSorted((a, b) => a - b).map((start, index, starts) => [start, starts[index + 1]]),
  )
  const carriers = new Set(
    [...clusters.values()].map(indices =>
      indices.reduce((widest, index) => (advance(index) > advance(widest) ? index : widest)),
    ),
  )
  const glyphs = infos.map(({ codepoint, cluster }, index) => {
    const { xAdvance, xOffset, yOffset } = positions[index]!
    const carried = carriers.has(index) ? text.slice(cluster, ends.get(cluster)) : NOTHING
    return {
      glyph: codepoint,
      id: `${codepoint} ${carried}`,
      text: carried,
      advance: xAdvance * scale,
      x: xOffset * scale,
      y: yOffset * scale,
    }
  })
  const raised = glyphs.filter(({ y }) => y).map(({ glyph, y }) => ({ y, box: font.getGlyph(glyph).bbox }))
  const shaped = {
    glyphs,
    // Readers take a text that is stated to be from left to right, so for Arabic none is.
    spells: level % 2 === 1 || carriers.size === infos.length,
    width: glyphs.reduce((sum, { advance }) => sum + advance, 0),
    ascent: Math.max(font.ascent * scale, ...raised.map(({ y, box }) => y + box.maxY * scale)),
    descent: Math.max(-font.descent * scale, ...raised.map(({ y, box }) => -y - box.minY * scale)),
  }
  if (shapes.size >= SHAPES) shapes.clear()
  shapes.set(key, shaped)
  return shaped
}

/**
 * A font as pdfkit embeds it: what it is asked to lay out is a run, and the subset has a place for every pair of glyph
 * and text, so that the text of a document can be copied and searched as it was written, also where vowel signs change places.
 */
export function getFontFile({ script }: TextRun, weight: Weight) {
  const { font } = typeface(script.family, weight)
  const unit = font.unitsPerEm / 1000
  return Object.assign(Object.create(font) as Font, {
    layout(_: string, run: TextRun) {
      const { glyphs, width } = shapeRun(run, weight)
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
    },
    createSubset() {
      const subset = font.createSubset() as unknown as { glyphs: number[] }
      const places = new Map([['0', 0]])
      return Object.assign(subset, {
        // Parts of composed glyphs are asked for by number, all others by an id that starts with it.
        includeGlyph(id: string | number) {
          const place = places.get(String(id)) ?? subset.glyphs.push(Number.parseInt(String(id), 10)) - 1
          places.set(String(id), place)
          return place
        },
      })
    },
  })
}
