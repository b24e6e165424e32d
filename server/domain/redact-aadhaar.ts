const SEPARATOR = String.raw`(?:[\s\p{Cf}\p{Pd}._/]|\\[nrt]|\\u[\da-f]{4}){0,3}`

/**
 * Twelve digits of any script, together or in groups of four, that are not part of a hexadecimal number or a UUID.
 * The text may be JSON, with escapes between the groups.
 */
const AADHAAR_NUMBER = new RegExp(
  String.raw`(?<![\p{Nd}a-f]|[\da-f]{8}-|[\da-f]{8}(?:-[\da-f]{4}){3}-)(?![01])\p{Nd}{4}(${SEPARATOR})\p{Nd}{4}\1(\p{Nd}{4})(?![\p{Nd}a-f])`,
  'giu',
)

/** Masks all but the last four digits of anything that may be an Aadhaar number. */
export function redactAadhaar(text: string) {
  return text.replace(AADHAAR_NUMBER, 'XXXXXXXX$2')
}
