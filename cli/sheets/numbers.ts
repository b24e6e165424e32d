// Numbers as people write them in India: `25,000/-`, `Rs. 1.5 L`, `1050 sft`, `5th of every month`.

/** What may stand before and after a number, and units with what they count. */
type Form = { before?: string; units?: [pattern: string, factor: number][]; after?: string }

const rupees: Form = {
  before: '₹|rs\\.?|inr',
  units: [
    ['k|thousand|हज़ार|हजार', 1_000],
    ['l|lakhs?|lacs?|लाख', 100_000],
    ['cr|crores?|करोड़', 10_000_000],
  ],
  after: '/[-=]|only|p\\.?m\\.?|per month',
}
const days: Form = {
  units: [
    ['days?|दिन', 1],
    ['months?|महीना|माह', 30],
  ],
}
const months: Form = {
  units: [
    ['m|mon|months?|mths?|महीने|माह', 1],
    ['y|yrs?|years?|वर्ष|साल', 12],
  ],
}
const percent: Form = { after: '%|percent' }

/** By the name of a field, else by its kind. */
const forms: Record<string, Form> = {
  number: rupees,
  integer: {},
  area_sqft: { after: 'sq\\.? ?(ft|feet|foot)\\.?|s\\.?ft\\.?|square (feet|foot)|वर्ग फ़?ुट' },
  floor_number: { after: '(st|nd|rd|th)?( floor)?|(वीं )?मंजिल' },
  notice_period_days: days,
  late_fee_grace_days: days,
  tenure_in_months: months,
  escalation_every_months: months,
  escalation_percent: percent,
  late_fee_percent: percent,
  rent_due_day: { before: '((on|by|before) )?(the )?', after: '(st|nd|rd|th)?( of (every|each|the) month)?' },
}

const NUMBER = '(?<digits>-?(?:\\d{1,3}(?:,\\d{2,3})*,\\d{3}|\\d+)(?:\\.\\d+)?)'

/** Returns the number that a text is, in rupees, days or what else the field counts. */
export function parseNumber(name: string, kind: 'number' | 'integer', text: string): number | undefined {
  const { before = '', units = [], after = '' } = forms[name] ?? forms[kind]!
  const unit = units.map(([pattern]) => pattern).join('|')
  const whole = new RegExp(`^(?:${before})? *${NUMBER} *(?<unit>${unit})?\\.? *(?:${after})?$`, 'i')
  const match = whole.exec(text)
  if (!match) return undefined
  const { digits, unit: word = '' } = match.groups!
  const [, factor] = units.find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(word)) ?? ['', 1]
  // Binary fractions add something to 1.1 lakh.
  return Number((Number(digits!.replaceAll(',', '')) * factor).toPrecision(15))
}
