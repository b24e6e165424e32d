/** Twelve digits, together or in groups of four, that are not part of a hexadecimal number or a UUID. */
const AADHAAR_NUMBER =
  /(?<![\da-f]|[\da-f]{8}-|[\da-f]{8}(?:-[\da-f]{4}){3}-)[2-9]\d{3}([ -]?)\d{4}\1(\d{4})(?![\da-f])/gi

/** Masks all but the last four digits of anything that may be an Aadhaar number. */
export function redactAadhaar(text: string) {
  return text.replace(AADHAAR_NUMBER, 'XXXXXXXX$2')
}
