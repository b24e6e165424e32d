import { hasGlyph } from './glyphs'

export const REPLACEMENT_CHARACTER = '\uFFFD'
/** Zero-width joiner and non-joiner shape their neighbours. */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu
/** They choose between forms that no font of ours has. */
const VARIATION_SELECTORS = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu
/** Ligatures of whole phrases, which cost as much as a page. */
const PHRASES = /[\uFDF0-\uFDFF]/
const EXCESS_MARKS = /(\p{M}{6})\p{M}+/gu
const PRINTABLE_ASCII = /^[ -~]*$/

/**
 * A text in one line, whose hidden controls do not change what a reader sees, and whose marks stay near their letter.
 * What no font shows is written in its plain form, such as full-width letters, or replaced by a mark.
 */
export function toPlainText(text: string) {
  if (PRINTABLE_ASCII.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(VARIATION_SELECTORS, '')
    .replaceAll(INVISIBLE, REPLACEMENT_CHARACTER)
    .replaceAll(/[^ -~]/gu, toShown)
    .replaceAll(EXCESS_MARKS, `$1${REPLACEMENT_CHARACTER}`)
}

const shownByCharacter = new Map<string, string>()
const MAX_KNOWN = 20_000

function toShown(character: string) {
  const known = shownByCharacter.get(character)
  if (known !== undefined) return known
  if (shownByCharacter.size >= MAX_KNOWN) shownByCharacter.clear()
  const plain = character.normalize('NFKC').replaceAll(/\s+/g, ' ')
  const isPlainShown = [...plain].every(isShown)
  const shown = isShown(character) ? character : isPlainShown ? plain : REPLACEMENT_CHARACTER
  shownByCharacter.set(character, shown)
  return shown
}

function isShown(character: string) {
  const isJoiner = character === '\u200C' || character === '\u200D'
  return isJoiner || (hasGlyph(character.codePointAt(0)!) && !PHRASES.test(character))
}
