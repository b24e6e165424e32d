import { toPlainText } from './plain-text'

// What a document costs is known before it is made: microseconds, as measured on one core.

const VALUE_COST = 80
const ASCII_COST = 5
/** Fonts are tried one after the other; the first has Latin, Greek, Cyrillic and Devanagari. */
const FIRST_FONT_COST = 9
const OTHER_FONT_COST = 25
/** A letter in another script than the letter before. */
const SWITCH_COST = 60

const MAX_COST = 1_200_000
const MAX_CHARACTERS = MAX_COST / ASCII_COST
/** So many characters of each text stay: the times and hashes of evidence are whole. */
const MIN_CHARACTERS = 70
const MIN_TEXT_COST = MIN_CHARACTERS * ASCII_COST
/** What takes longer is made where nothing short waits for it. */
const MAX_SHORT_COST = 100_000

/** A drawing in the data is no text. */
const isText = (key: string, value: unknown): value is string =>
  typeof value === 'string' && key !== 'qr_code'

/**
 * Writes the data of a document, which shows it so many times, as JSON: its texts as they can be shown. Of too much text
 * the longest are cut.
 */
export function toBoundedJson(data: object, times: number) {
  const texts: string[] = []
  let values = 0
  JSON.stringify(data, (key, value) => {
    values++
    if (isText(key, value)) texts.push(value)
    return value
  })
  const valuesCost = values * VALUE_COST * times
  const { shown, cost } = boundTexts(texts, (MAX_COST - valuesCost) / times)
  const json = JSON.stringify(data, (key, value) => (isText(key, value) ? shown.shift() : value))
  return { json, isLong: valuesCost + cost * times > MAX_SHORT_COST }
}

function boundTexts(texts: string[], maxCost: number) {
  const plain = limitLengths(limitLengths(texts).map(toPlainText))
  const costs = plain.map(text => measure(text, Infinity).cost)

  const sumWithin = (max: number) => costs.reduce((sum, cost) => sum + Math.min(cost, max), 0)
  let max = costs.reduce((one, other) => Math.max(one, other), MIN_TEXT_COST)
  while (max > MIN_TEXT_COST && sumWithin(max) > maxCost) max = Math.max(max * 0.8, MIN_TEXT_COST)
  const shown = plain.map((text, index) =>
    costs[index]! > max ? cutAt(text, measure(text, max).length) : text,
  )
  return { shown, cost: sumWithin(max) }
}

/** A plain text can be much longer than what was written. */
function limitLengths(texts: string[]) {
  const total = texts.reduce((sum, { length }) => sum + length, 0)
  if (total <= MAX_CHARACTERS) return texts
  const max = Math.max(MAX_CHARACTERS / texts.length, MIN_CHARACTERS)
  return texts.map(text => cutAt(text, max))
}

const cutAt = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text)

/** What a text costs, and how much of it a cost pays for. */
function measure(text: string, maxCost: number) {
  let [cost, length, script] = [0, 0, SHARED]
  for (const character of text) {
    const codePoint = character.codePointAt(0)!
    const own = getScript(codePoint)
    if (own !== SHARED && script !== SHARED && own !== script) cost += SWITCH_COST
    cost += getCharacterCost(codePoint)
    if (cost > maxCost) break
    if (own !== SHARED) script = own
    length += character.length
  }
  return { cost, length }
}

function getCharacterCost(codePoint: number) {
  if (codePoint < 0x80) return ASCII_COST
  return codePoint < 0x590 || codePoint >> 7 === DEVANAGARI ? FIRST_FONT_COST : OTHER_FONT_COST
}

const ASCII_LETTER = /[a-z]/i
/** Digits, blanks and punctuation. */
const SHARED = -1
const [LATIN, DEVANAGARI] = [0, 0x900 >> 7]

/** Scripts fill blocks of 128 code points. */
function getScript(codePoint: number) {
  const isShared =
    codePoint < 0x80 ? !ASCII_LETTER.test(String.fromCharCode(codePoint)) : codePoint >> 8 === 0x20
  if (isShared) return SHARED
  return codePoint < 0x300 ? LATIN : codePoint >> 7
}
