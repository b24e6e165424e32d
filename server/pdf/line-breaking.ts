import type { Weight } from './fonts'
import { shapeRun } from './shaping'
import { splitGraphemes, toVisualRuns, type TextRun } from './text-runs'

/** `size` in points, `color` as `#rrggbb`. */
export interface TextStyle {
  size: number
  weight: Weight
  color: string
}

/** One line of text; lengths in points. */
export interface Line {
  runs: TextRun[]
  width: number
  ascent: number
  descent: number
}

const LEADING = 1.04
/** More than a line of graphemes has. */
const MAX_PIECES = 200

/** The text in lines of at most that width, in points. `giveWay` lets requests be served between the lines. */
export async function breakLines(
  text: string,
  style: TextStyle,
  maxWidth: number,
  giveWay: () => Promise<void>,
): Promise<Line[]> {
  const measure = createMeasure(style)
  const fits = (piece: string) => measure(piece).width <= maxWidth
  const pieces: string[] = text.replaceAll(/\s+/g, ' ').trim().match(/\S+ ?/g) ?? []
  const lines: string[] = []
  let line = ''
  for (let next = 0; next < pieces.length;) {
    await giveWay()
    const count = countFitting(line, pieces.slice(next, next + MAX_PIECES), measure, maxWidth)
    line += pieces.slice(next, next + count).join('')
    next += count
    if (count === MAX_PIECES || next === pieces.length) continue

    const piece = pieces[next]!
    const parts = fits(piece) ? [] : splitWord(piece)
    if (parts.length > 0) {
      pieces.splice(next, 1, ...parts)
      continue
    }
    lines.push(line)
    line = piece
    next++
  }
  return [...lines, line].filter(each => each.trim()).map(measure)
}

type Measure = (text: string) => Line

/** Measures each text once, without the space at its end. */
function createMeasure(style: TextStyle): Measure {
  const measured = new Map<string, Line>()
  return text => {
    const trimmed = text.trimEnd()
    const known = measured.get(trimmed)
    if (known) return known
    const line = measureLine(trimmed, style)
    measured.set(trimmed, line)
    return line
  }
}

/**
 * Counts the pieces that a line has room for. To shape the line again with each further piece takes long, so the
 * widths of the pieces give the number, which the shaped line then confirms or corrects.
 */
function countFitting(line: string, pieces: string[], measure: Measure, maxWidth: number): number {
  const fits = (count: number) => measure(line + pieces.slice(0, count).join('')).width <= maxWidth
  let count = 0
  let width = measure(line).width
  for (; count < pieces.length && width <= maxWidth; count++) width += measure(pieces[count]!).width
  while (count > 0 && !fits(count)) count--
  while (count < pieces.length && fits(count + 1)) count++
  return count
}

/** The text as one line. */
export function measureLine(text: string, { size, weight }: TextStyle): Line {
  const runs = toVisualRuns(text)
  const shaped = runs.map(run => shapeRun(run, weight))
  const scale = size / 1000
  return {
    runs,
    width: shaped.reduce((sum, { width }) => sum + width, 0) * scale,
    ascent: Math.max(size, ...shaped.map(({ ascent }) => ascent * scale)) * LEADING,
    descent: Math.max(0, ...shaped.map(({ descent }) => descent * scale)) * LEADING,
  }
}

/** Splits a word that is longer than a line: after its signs, else by grapheme, else by code point. */
function splitWord(word: string): string[] {
  const candidates = [word.match(/[^-/,]*[-/,]+|[^-/,]+/g) ?? [], splitGraphemes(word), [...word]]
  return candidates.find(parts => parts.length > 1) ?? []
}
