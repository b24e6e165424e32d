/** A mobile number of India, with or without the prefix of the country or of calls within it. */
const MOBILE = /^(0|91|0091)?[6-9]\d{9}$/
/** Groups of digits, with no letter between them. */
const DIGIT_GROUPS = /\d+/g
const LETTERS = /[\p{L}\p{M}]+/u

/** Whether a text has a phone number, in whichever way and script its digits are written and grouped. */
export function hasPhoneNumber(text: string) {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
    .split(LETTERS)
    .some(part => listRuns(part.match(DIGIT_GROUPS) ?? []).some(digits => MOBILE.test(digits)))
}

/** In every script the digits are ten code points in a row, from zero on. */
function toAsciiDigit(digit: string) {
  let zero = digit.codePointAt(0)!
  const codePoint = zero
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((codePoint - zero) % 10)
}

/** Joins each number of groups that follow each other. */
function listRuns(groups: string[]) {
  return groups.flatMap((_, start) =>
    groups.slice(start).map((_, index) => groups.slice(start, start + index + 1).join('')),
  )
}
