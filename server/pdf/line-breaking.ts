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

/** The text in lines of at most that width, in points. */
export function breakLines(text: string, style: TextStyle, maxWidth: number): Line[] {
  const lines = ['']
  const fits = (piece: string) => measureLine(piece.trimEnd(), style).width <= maxWidth

  function append(piece: string) {
    const extended = lines.at(-1)! + piece
    if (fits(extended)) {
      lines[lines.length - 1] = extended
      return
    }
    const parts = fits(piece) ? [] : splitWord(piece)
    if (parts.length > 0) parts.forEach(append)
    else lines.push(piece)
  }

  const words = text.replaceAll(/\s+/g, ' ').trim().match(/\S+ ?/g) ?? []
  words.forEach(append)
  return lines.filter(line => line.trim()).map(line => measureLine(line.trimEnd(), style))
}

function measureLine(text: string, { size, weight }: TextStyle): Line {
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
