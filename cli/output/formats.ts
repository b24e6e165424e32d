import { sanitizeText } from './sanitize'
import { toPhone } from '@kiraya/sdk/phone'

// How people in India read values; programs get them as they are.

const INDIA = { timeZone: 'Asia/Kolkata' } as const
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const
const RUPEES = { style: 'currency', currency: 'INR', trailingZeroDisplay: 'stripIfInteger' } as const
const dayFormat = new Intl.DateTimeFormat('en-IN', { ...INDIA, ...DAY })
const timeFormat = new Intl.DateTimeFormat('en-IN', {
  ...INDIA,
  ...DAY,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
/** What reports and deposits sum up. */
const SUMS = [
  'charged|credited|paid|outstanding|overdue|received|recorded|tds|total|collected_this_month',
  'from_deposit|rent_due|rent_received|for_deposits|for_others|refunded|advances|deposits_held|deposit_held|advance|moved',
  'days_0_30|days_31_60|days_61_90|days_over_90|monthly_threshold',
  'agreed|owed|deposit|held|deducted|from_previous|to_next|late_fee|late_fee_cap',
]
const AMOUNT = new RegExp(
  `^(${SUMS.join('|')})$|(^|_)amount(_(paid|credited|outstanding))?$|(^|_)(rent|debit|credit|balance)$|^cost$`,
)
const DAY_NAME = /(^|_)(date|on|from|to|until)$|^as_of$|^period_(start|end)$/
const NUMERIC_DATE = /^\d{4}-\d\d-\d\d/
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export const toRupees = (amount: number) => amount.toLocaleString('en-IN', RUPEES)

export const toIndianDay = (date: string) => dayFormat.format(new Date(date))
export const toIndianTime = (timestamp: string) => `${timeFormat.format(new Date(timestamp))} IST`

export const isAmount = (name: string) => AMOUNT.test(name)

type Format = { fits: RegExp; toText: (value: unknown) => string }

/** The first format that fits a field's name applies to its value. */
const formats: Format[] = [
  { fits: AMOUNT, toText: value => toRupees(Number(value)) },
  { fits: /_at$|^(now|newest)$/, toText: value => toTimestampText(String(value), toIndianTime) },
  { fits: DAY_NAME, toText: value => toTimestampText(String(value), toIndianDay) },
  { fits: /(^|_)phone(_number)?$/, toText: value => toPhoneText(String(value)) },
]

/** Whether a value has a form that is useless if it is shortened. */
export const isFormatted = (name: string) => formats.some(({ fits }) => fits.test(name))

const toTimestampText = (text: string, format: (text: string) => string) =>
  NUMERIC_DATE.test(text) && !Number.isNaN(Date.parse(text)) ? format(text) : text

function toPhoneText(text: string) {
  const phone = toPhone(text)
  return phone ? `+91 ${phone.slice(0, 5)} ${phone.slice(5)}` : text
}

/** Returns a field's value as people read it; in a table a UUID is short. */
export function toFieldText(name: string, value: unknown, isShort = false): string {
  if (value === null || value === undefined || typeof value === 'object') return toObjectText(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const format = formats.find(({ fits }) => fits.test(name))
  const text = sanitizeText(format ? format.toText(value) : value)
  return isShort && UUID.test(text) ? text.slice(0, 8) : text
}

function toObjectText(value: unknown) {
  const isList = Array.isArray(value) && value.every(item => typeof item !== 'object')
  return sanitizeText(isList ? value.join(', ') || null : value)
}

/** The states by their colour in a terminal: red, green, yellow, blue and grey. */
const statesByColor = {
  31: 'overdue bounced rejected reversed disputed terminated declined expired error failed',
  32: 'paid posted accepted resolved active signed success ok',
  33: 'due reported proposed pending open on_hold warning',
  34: 'credited acknowledged in_progress completed',
  90: 'draft upcoming projected withdrawn closed cancelled',
}

/** Colours a text by a state, which it may name itself. */
export function colorState(text: string, state = text) {
  const isState = ([, states]: [string, string]) => states.split(' ').includes(state.toLowerCase())
  const [color] = Object.entries(statesByColor).find(isState) ?? []
  return color === undefined ? text : `\u001b[${color}m${text}\u001b[0m`
}
