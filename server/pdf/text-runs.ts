import { getEmbeddingLevels, toVisualOrder } from './bidi'
import { DEFAULT_SCRIPT, hasGlyphs, JOINERS, SCRIPTS, type Script } from './fonts'

/** Text in one script, and so in one font, and in one direction: right to left if the level is odd. */
export interface TextRun {
  script: Script
  level: number
  text: string
}

/** Replaces text that no font has a glyph for, and characters that are invisible. */
const REPLACEMENT_CHARACTER = '\uFFFD'

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu
const EXCESS_MARKS = /(\p{M}{6})\p{M}+/gu
const PRINTABLE_ASCII = /^[!-~]$/

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export const splitGraphemes = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment)

/** The runs of a line from left to right. */
export const toVisualRuns = (line: string): TextRun[] => toVisualOrder(splitRuns(line))

function splitRuns(line: string): TextRun[] {
  const text = sanitizeText(line)
  const levels = getEmbeddingLevels(text)
  const runs: TextRun[] = []
  for (const { segment, index } of graphemes.segment(text)) {
    const level = levels[index] ?? 0
    // A grapheme stays whole if one font has all of it.
    const isWhole = findScript(segment, runs.at(-1)?.script) !== undefined
    const pieces = isWhole ? [segment] : [...segment]
    for (const piece of pieces) appendPiece(runs, piece, level)
  }
  return runs
}

/** Hidden controls must not change what a reader sees; stacked marks must not reach the line above. */
const sanitizeText = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(INVISIBLE, char => (JOINERS.includes(char) ? char : REPLACEMENT_CHARACTER))
    .replaceAll(EXCESS_MARKS, `$1${REPLACEMENT_CHARACTER}`)

function appendPiece(runs: TextRun[], piece: string, level: number) {
  const last = runs.at(-1)
  const found = findScript(piece, last?.script)
  const script = found ?? DEFAULT_SCRIPT
  const text = found ? piece : REPLACEMENT_CHARACTER
  if (last?.script !== script || last.level !== level) {
    runs.push({ script, level, text })
    return
  }
  const isRepeatedReplacement = text === REPLACEMENT_CHARACTER && last.text.endsWith(REPLACEMENT_CHARACTER)
  if (!isRepeatedReplacement) last.text += text
}

function findScript(piece: string, previous: Script | undefined): Script | undefined {
  if (PRINTABLE_ASCII.test(piece)) return DEFAULT_SCRIPT
  if (previous && canContinue(previous, piece)) return previous
  return SCRIPTS.find(script => isCovered(script, piece))
}

/** Marks and spaces that many scripts share stay in the run before them. */
function canContinue(script: Script, piece: string): boolean {
  if (script !== DEFAULT_SCRIPT && isCovered(script, piece)) return true
  return piece === ' ' && hasGlyphs(script, piece)
}

const isCovered = (script: Script, piece: string) => script.pattern.test(piece) && hasGlyphs(script, piece)
