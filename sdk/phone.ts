/** What people and programs put around and between digits: blanks, dashes, brackets, dots, and what shows nothing. */
const GAPS = /[\p{Z}\p{C}\p{M}\p{Dash}\p{Default_Ignorable_Code_Point}\u2800().]/gu
const MOBILE = /^(?:(?:\+|00?)?910?|0)?([6-9]\d{9})$/

/** The landlines of cities that begin like mobiles: the area code, then 2 to 6. */
const CITY = new RegExp(
  '^(79[1-6]|80([234]|6[0-58])|' +
    '(6(12|[2-7]1|57|63|74|80)|7(12|[35]1|3[34]|55|88)|8(16|2[014]|3[126]|6[136]|7[078]|83))[2-6])',
)
/** Other landlines begin exactly like mobiles, and show by their form alone: 0, the area code, a gap. */
const TOWN = /^\P{Nd}*0([6-8]\d{3}|7(2[14]|4[47]|[67]1)|8(84|91))[^\d+]+[2-7]/u

/**
 * Returns the ten digits of an Indian mobile number such as `+91 98765 43210`, in the digits of any script, or undefined.
 * @example
 * const phone = toPhone('+91 98765 43210') // 9876543210
 */
export function toPhone(text: string): string | undefined {
  const digits = toDigits(text)
  const [, phone = ''] = MOBILE.exec(digits.replaceAll(GAPS, '').replace(/^tel:/i, '')) ?? []
  return phone && !CITY.test(phone) && !TOWN.test(digits) ? phone : undefined
}

/**
 * Returns a text with the digits of any script as 0 to 9, and with narrow characters for wide ones.
 * @example
 * const pinCode = toDigits('५६००४८') // 560048
 */
export const toDigits = (text: string): string => text.normalize('NFKC').replaceAll(/\p{Nd}/gu, toDigit)

/** The digits of each script follow each other, from its zero on. */
function toDigit(digit: string) {
  const code = digit.codePointAt(0)!
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value % 10)
}

/** What is no mobile number stays as it is, so that the server says what is wrong with it. */
export const normalizePhone = (phone: string) => toPhone(String(phone)) ?? phone
