import { FormatRegistry, TypeRegistry } from '@sinclair/typebox'
import { isUuid } from '../domain/record-id'
import { countCharacters, TEXT_KIND } from './texts'

// Registers the formats and kinds that the schemas of the contract name.

type TextSchema = { format: string; minLength?: number; maxLength: number }
type DecimalSchema = { minimum?: number; exclusiveMinimum?: number; maximum: number }

/** Well-formed Unicode without control characters, except tab and line ends. */
function isPrintable(text: string) {
  const hasControlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)
  return text.isWellFormed() && !hasControlCharacter
}

/** Printable and not blank. */
function isText(text: string) {
  return /\S/.test(text) && isPrintable(text)
}

/** A date that exists: 30 February does not. */
export function isCalendarDate(text: string) {
  if (!/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** A timestamp with its time zone, on a date that exists. */
function isInstant(text: string) {
  const hasForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  return hasForm && isCalendarDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
}

const MAILBOX =
  /^[^\s@<>()[\],;:\\"\u0000-\u001f]+@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i

function isMailbox(text: string) {
  const hasMisplacedDot = /^\.|\.\.|\.@/.test(text)
  return MAILBOX.test(text) && text.isWellFormed() && !hasMisplacedDot
}

function isWebAddress(text: string) {
  if (!isText(text) || /\s/.test(text)) return false
  const url = URL.parse(text)
  return !!url && /^https?:$/.test(url.protocol) && !url.username && !url.password
}

/** Text of the schema's format and length. */
function isTextOfLength({ format, minLength = 0, maxLength }: TextSchema, value: unknown) {
  if (typeof value !== 'string' || !FormatRegistry.Get(format)!(value)) return false
  const length = countCharacters(value)
  return length >= minLength && length <= maxLength
}

/** A number with at most two decimals, within the bounds of its schema. */
function isDecimal(schema: DecimalSchema, value: unknown) {
  if (typeof value !== 'number' || value !== Number(value.toFixed(2))) return false
  const isAboveMinimum = schema.minimum === undefined || value >= schema.minimum
  const isAboveExclusiveMinimum = schema.exclusiveMinimum === undefined || value > schema.exclusiveMinimum
  return value <= schema.maximum && isAboveMinimum && isAboveExclusiveMinimum
}

FormatRegistry.Set('text', isText)
FormatRegistry.Set('printable', isPrintable)
FormatRegistry.Set('secret', isText)
FormatRegistry.Set('calendar-date', isCalendarDate)
FormatRegistry.Set('instant', isInstant)
FormatRegistry.Set('mailbox', isMailbox)
FormatRegistry.Set('web-address', isWebAddress)
FormatRegistry.Set('record-uuid', isUuid)
TypeRegistry.Set('Decimal', isDecimal)
TypeRegistry.Set(TEXT_KIND, isTextOfLength)
