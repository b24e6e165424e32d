import { FormatRegistry, TypeRegistry } from '@sinclair/typebox'

// What the contract's schemas name by `format` or kind.

/** Well-formed Unicode, and no control character but tab and line ends. */
const isPrintable = (text: string) =>
  text.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)

/** The same, and not blank. */
const isText = (text: string) => /\S/.test(text) && isPrintable(text)

/** A day that exists: 30 February does not. */
export function isCalendarDate(text: string) {
  if (!/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** A moment with its zone, on a day that exists. */
const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
  isCalendarDate(text.slice(0, 10)) &&
  !Number.isNaN(Date.parse(text))

const isMailbox = (text: string) =>
  /^[^\s@<>()[\],;:\\"\u0000-\u001f]+@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i.test(
    text,
  ) &&
  text.isWellFormed() &&
  !/^\.|\.\.|\.@/.test(text)

function isWebAddress(text: string) {
  if (!isText(text) || /\s/.test(text)) return false
  const url = URL.parse(text)
  return !!url && /^https?:$/.test(url.protocol) && !url.username && !url.password
}

export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** What a serial column can hold. */
export const isNumericId = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647

/** Exact with two decimals: the double nearest to its own two-decimal form. */
const isDecimal = (
  schema: { minimum?: number; exclusiveMinimum?: number; maximum: number },
  value: unknown,
) =>
  typeof value === 'number' &&
  value === Number(value.toFixed(2)) &&
  value <= schema.maximum &&
  (schema.minimum === undefined || value >= schema.minimum) &&
  (schema.exclusiveMinimum === undefined || value > schema.exclusiveMinimum)

FormatRegistry.Set('text', isText)
FormatRegistry.Set('printable', isPrintable)
FormatRegistry.Set('calendar-date', isCalendarDate)
FormatRegistry.Set('instant', isInstant)
FormatRegistry.Set('mailbox', isMailbox)
FormatRegistry.Set('web-address', isWebAddress)
FormatRegistry.Set('record-uuid', isUuid)
TypeRegistry.Set('Decimal', isDecimal)
