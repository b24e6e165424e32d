import { readFileSync } from 'node:fs'
import { create, type Font } from 'fontkit'
import { Blob as HarfBuzzBlob, Face as HarfBuzzFace, Font as HarfBuzzFont } from 'harfbuzzjs'
import { FONT_FILES, type Weight } from './font-files'

export type { Weight }

/** A script by its ISO 15924 tag, with the font family that covers it. */
export interface Script {
  tag: string
  family: string
  pattern: RegExp
}

/** Everything that no other script covers: Latin, Greek, Cyrillic, digits, signs. */
export const DEFAULT_SCRIPT: Script = { tag: '', family: 'NotoSans', pattern: /(?:)/ }

/** The scripts of India's scheduled languages; the first one that covers a text wins. */
export const SCRIPTS: Script[] = [
  { tag: 'Deva', family: 'NotoSans', pattern: /\p{Script_Extensions=Devanagari}/u },
  { tag: 'Beng', family: 'NotoSansBengali', pattern: /\p{Script_Extensions=Bengali}/u },
  { tag: 'Guru', family: 'NotoSansGurmukhi', pattern: /\p{Script_Extensions=Gurmukhi}/u },
  { tag: 'Gujr', family: 'NotoSansGujarati', pattern: /\p{Script_Extensions=Gujarati}/u },
  { tag: 'Orya', family: 'NotoSansOriya', pattern: /\p{Script_Extensions=Oriya}/u },
  { tag: 'Taml', family: 'NotoSansTamil', pattern: /\p{Script_Extensions=Tamil}/u },
  { tag: 'Telu', family: 'NotoSansTelugu', pattern: /\p{Script_Extensions=Telugu}/u },
  { tag: 'Knda', family: 'NotoSansKannada', pattern: /\p{Script_Extensions=Kannada}/u },
  { tag: 'Mlym', family: 'NotoSansMalayalam', pattern: /\p{Script_Extensions=Malayalam}/u },
  { tag: 'Olck', family: 'NotoSansOlChiki', pattern: /\p{Script_Extensions=Ol_Chiki}/u },
  { tag: 'Mtei', family: 'NotoSansMeeteiMayek', pattern: /\p{Script_Extensions=Meetei_Mayek}/u },
  { tag: 'Arab', family: 'NotoSansArabic', pattern: /\p{Script_Extensions=Arabic}/u },
  DEFAULT_SCRIPT,
]

/** Zero-width joiner and non-joiner: they shape their neighbours and need no glyph. */
export const JOINERS = '\u200C\u200D'

/** One font file, opened by fontkit for embedding and by HarfBuzz for shaping. */
interface Typeface {
  font: Font
  shaper: HarfBuzzFont
  codePoints: Set<number>
}

const typefaces = new Map<string, Typeface>()

export function getTypeface(family: string, weight: Weight): Typeface {
  const path = FONT_FILES[family]![weight]
  const cached = typefaces.get(path)
  if (cached) return cached

  const typeface = openTypeface(path)
  typefaces.set(path, typeface)
  return typeface
}

function openTypeface(path: string): Typeface {
  const bytes = readFileSync(path)
  const face = new HarfBuzzFace(new HarfBuzzBlob(bytes))
  const font = create(bytes) as Font
  return { font, shaper: new HarfBuzzFont(face), codePoints: new Set(font.characterSet) }
}

export function hasGlyphs({ family }: Script, text: string): boolean {
  const { codePoints } = getTypeface(family, 'Regular')
  return [...text].every(char => codePoints.has(char.codePointAt(0)!) || JOINERS.includes(char))
}
