// Names are compared in one form, whatever the keyboard: without case, and in the spelling below.

/** Blanks, of which any number counts as one. JavaScript and PostgreSQL differ in what `\s` is. */
export const BLANKS = /[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/g

/**
 * What Unicode's normal form NFC leaves apart, though readers see one letter: how it is also written, and as
 * what it is compared. The order counts.
 */
export const SPELLINGS: readonly (readonly [written: string, compared: string])[] = [
  // Malayalam: a chillu, also written as its consonant with virama and joiner; then nta
  ['\u0d23\u0d4d\u200d', '\u0d7a'],
  ['\u0d28\u0d4d\u200d', '\u0d7b'],
  ['\u0d30\u0d4d\u200d', '\u0d7c'],
  ['\u0d32\u0d4d\u200d', '\u0d7d'],
  ['\u0d33\u0d4d\u200d', '\u0d7e'],
  ['\u0d15\u0d4d\u200d', '\u0d7f'],
  ['\u0d28\u0d4d\u0d31', '\u0d7b\u0d31'],
  ['\u0d7b\u0d4d\u0d31', '\u0d7b\u0d31'],
  // Bengali khanda ta, the eyelash ra of Marathi, shri in Tamil
  ['\u09a4\u09cd\u200d', '\u09ce'],
  ['\u0930\u094d\u200d', '\u0931\u094d'],
  ['\u0bb8\u0bcd\u0bb0\u0bc0', '\u0bb6\u0bcd\u0bb0\u0bc0'],
  // Arabic yeh, alef maksura, kaf and heh: an Urdu keyboard has others
  ['\u064a', '\u06cc'],
  ['\u0649', '\u06cc'],
  ['\u0643', '\u06a9'],
  ['\u0647', '\u06c1'],
  // Apostrophes
  ['\u2018', "'"],
  ['\u2019', "'"],
  ['\u02bc', "'"],
  // Joiners and variation selectors, which shape the characters beside them
  ['\u200c', ''],
  ['\u200d', ''],
  ['\ufe0e', ''],
  ['\ufe0f', ''],
]

/** Returns the form in which a name is compared. The server's queries do the same in SQL. */
export function toNameKey(name: string) {
  const spelled = SPELLINGS.reduce(
    (text, [written, compared]) => text.replaceAll(written, compared),
    name.normalize(),
  )
  return spelled.replaceAll(BLANKS, ' ').trim().toLowerCase()
}
