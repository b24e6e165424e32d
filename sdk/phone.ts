/**
 * Returns the ten digits of an Indian mobile number such as `+91 98765 43210`, or undefined.
 * @example
 * const phone = toPhone('+91 98765 43210') // 9876543210
 */
export function toPhone(text: string): string | undefined {
  const digits = text.replaceAll(/[\s().-]/g, '')
  return /^(?:\+?91|0)?([6-9]\d{9})$/.exec(digits)?.[1]
}

/** What is no mobile number stays as it is, so that the server says what is wrong with it. */
export const normalizePhone = (phone: string) => toPhone(String(phone)) ?? phone
