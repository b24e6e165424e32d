/** Returns the ten digits of an Indian mobile number such as `+91 98765 43210`, or undefined. */
export function toPhone(text: string): string | undefined {
  const digits = text.replaceAll(/[\s().-]/g, '')
  return /^(?:\+?91|0)?([6-9]\d{9})$/.exec(digits)?.[1]
}
