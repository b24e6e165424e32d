const MAX_SERIAL = 2_147_483_647

export function isUuid(text: string) {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

/** Whether a text is a positive integer that fits a serial column. */
export function isNumericId(text: string) {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_SERIAL
}
