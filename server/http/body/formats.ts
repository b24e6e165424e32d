import { domainToASCII } from 'node:url'
import { FormatRegistry, TypeRegistry } from '@sinclair/typebox'
import { parseFiscalYear } from '../../domain/fiscal-year'
import { isUuid } from '../../domain/record-id'
import { countCharacters } from './violations'

// Registers the formats and kinds that the schemas of the contract name.

type TextSchema = { format: string; minLength?: number; maxLength: number }
type DecimalSchema = { minimum?: number; exclusiveMinimum?: number; maximum: number }

/** Characters that have no place in any text: they control terminals, end lines, or change the direction. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\ufff9-\ufffb]/u

/** Characters without a glyph, but for the joiners of scripts and emoji and the variants of emoji. */
const INVISIBLE = /(?![\u200c-\u200d])(?![\ufe0e-\ufe0f])[\p{Default_Ignorable_Code_Point}\u2800]/u

/** Well-formed Unicode in one line; blanks and line ends around it do not count. */
function isPrintableLine(text: string) {
  return text.isWellFormed() && !CONTROL.test(text.trim()) && !INVISIBLE.test(text)
}

/** The same for lines with tabs. */
function isPrintable(text: string) {
  return isPrintableLine(text.replaceAll(/[\t\n\r]/g, ' '))
}

/** Blanks and signs between the digits of a number. */
const GAP = String.raw`[^\p{L}\p{M}\p{Nd}]*`
/** A digit of another script, which may be any from 0 to 9. */
const OTHER_DIGIT = String.raw`(?![0-9])\p{Nd}`
const PREFIX = `(0${GAP}(0${GAP}9${GAP}1${GAP})?|9${GAP}1${GAP}|(${OTHER_DIGIT}${GAP}){1,4})?`
const MOBILE = new RegExp(
  String.raw`(?<!\p{Nd})${PREFIX}([6-9]|${OTHER_DIGIT})(${GAP}\p{Nd}){9}(?!\p{Nd})`,
  'u',
)

/** Whether a text reads as a mobile number of India, however its digits are grouped. */
export const hasPhoneNumber = (text: string) => MOBILE.test(text)

function isNotBlank(text: string) {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
}

/** One printable line that is not blank. */
function isText(text: string) {
  return isNotBlank(text) && isPrintableLine(text)
}

/** Printable lines that are not all blank. */
function isParagraphs(text: string) {
  return isNotBlank(text) && isPrintable(text)
}

/**
 * Letters, digits, spaces, dashes, slashes and dots. It appears in messages to others, so it must not read as
 * an address (no letter follows a dot, and no four numbers are joined by dots) or a phone number.
 */
function isAgreementNumber(text: string) {
  const hasForm = /^[\p{L}\p{M}\p{Nd} ./-]+$/u.test(text) && /[\p{L}\p{Nd}]/u.test(text)
  const isAddress = /\.\p{L}/u.test(text) || /\p{Nd}\.\p{Nd}+\.\p{Nd}+\.\p{Nd}/u.test(text)
  return isPrintableLine(text) && hasForm && !isAddress && !hasPhoneNumber(text)
}

/** A date that exists: 30 February does not. */
export function isCalendarDate(text: string) {
  if (!/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** A timestamp with its time zone, on a date that exists. */
export function isInstant(text: string) {
  const hasForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  return hasForm && isCalendarDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
}

const LABEL = String.raw`[\p{L}\p{Nd}]([\p{L}\p{M}\p{Nd}\p{Join_Control}-]*[\p{L}\p{M}\p{Nd}])?`
const MAILBOX = new RegExp(
  String.raw`^[^\s@<>()[\],;:\\"\u0000-\u001f]+@(?<domain>${LABEL}(\.${LABEL})+)$`,
  'u',
)

/** A domain may be in any script, such as उदाहरण.भारत. */
function isMailbox(text: string) {
  const domain = MAILBOX.exec(text)?.groups!.domain
  const isDomain = domain && (/^[ -~]+$/.test(domain) || domainToASCII(domain))
  const hasMisplacedDot = /^\.|\.\.|\.@/.test(text)
  return Boolean(isDomain) && isText(text) && !hasMisplacedDot
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
FormatRegistry.Set('paragraphs', isParagraphs)
FormatRegistry.Set('printable', isPrintable)
FormatRegistry.Set('agreement-number', isAgreementNumber)
FormatRegistry.Set('secret', isText)
FormatRegistry.Set('calendar-date', isCalendarDate)
FormatRegistry.Set('fiscal-year', text => parseFiscalYear(text) !== undefined)
FormatRegistry.Set('instant', isInstant)
FormatRegistry.Set('mailbox', isMailbox)
FormatRegistry.Set('web-address', isWebAddress)
FormatRegistry.Set('record-uuid', isUuid)
TypeRegistry.Set('Decimal', isDecimal)
TypeRegistry.Set('Text', isTextOfLength)
