/** Twelve digits that may be an Aadhaar number, together or in groups of four; not within a hexadecimal number or a UUID. */
const AADHAAR_NUMBER =
  /(?<![\da-f]|[\da-f]{8}-|[\da-f]{8}(?:-[\da-f]{4}){3}-)[2-9]\d{3}([ -]?)\d{4}\1(\d{4})(?![\da-f])/gi

/** The text with no more than the last four digits of any Aadhaar number in it, wherever a provider put it. */
export const redactAadhaar = (text: string) => text.replace(AADHAAR_NUMBER, 'XXXXXXXX$2')
