import { describe, expect, test } from 'bun:test'
import { colorState, isAmount, toFieldText, toRupees } from '../../cli/output/formats'
import * as contract from '../../sdk/contract'

type Schema = {
  type?: string
  format?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}

/** The names of the API's fields for which this holds, wherever they are. */
function findFields(fits: (schema: Schema) => boolean) {
  const names = new Set<string>()
  const seen = new Set<unknown>()
  const walk = (value: unknown) => {
    if (!(value instanceof Object) || seen.has(value)) return
    seen.add(value)
    for (const [name, field] of Object.entries((value as Schema).properties ?? {}))
      if (toAlternatives(field).some(fits)) names.add(name)
    Object.values(value).forEach(walk)
  }
  walk({ ...contract })
  return [...names].toSorted()
}

const toAlternatives = (schema: Schema): Schema[] => schema.anyOf?.flatMap(toAlternatives) ?? [schema]

const MEASURES = ['area_sqft', 'height', 'score', 'width', 'x', 'y']
const RATES = ['escalation_percent', 'late_fee_percent', 'rate_percent', 'rent_rounding']

test('every number of the API that is no measure, rate or count is shown in rupees', () => {
  const numbers = findFields(({ type }) => type === 'number')
  const others = numbers.filter(name => !isAmount(name))
  expect(others).toEqual([...MEASURES, ...RATES].toSorted())
  expect(numbers.length).toBeGreaterThan(40)
})

test('every calendar date of the API is shown as a day', () => {
  const days = findFields(({ format }) => format === 'calendar-date')
  const names = [...days, 'agreement_end_date', 'signed_date', 'as_of', 'date']
  expect(names.filter(name => toFieldText(name, '2026-12-01') !== '1 Dec 2026')).toEqual([])
  expect(days.length).toBeGreaterThan(5)
})

test('every time of the API is shown as one in India', () => {
  const times = findFields(({ format }) => format === 'date-time')
  // Only exports have the other one.
  const others = times.filter(name => toFieldText(name, '2026-12-01T18:45:00Z') !== '2 Dec 2026, 00:15 IST')
  expect(others).toEqual(['valid_until'])
  expect(times.length).toBeGreaterThan(10)
})

describe('a value as people in India read it', () => {
  test.each<[string, unknown, string]>([
    ['rent_amount', 25_000, '₹25,000'],
    ['deposit_amount', 1_00_000.5, '₹1,00,000.50'],
    ['amount_outstanding', 13_709.68, '₹13,709.68'],
    ['balance', -25_000, '-₹25,000'],
    ['days_over_90', 1_00_000, '₹1,00,000'],
    ['late_fee_kind', 'per_day', 'per_day'],
    ['created_at', '2026-11-22T20:15:00Z', '23 Nov 2026, 01:45 IST'],
    ['agreement_start_date', '2026-12-01', '1 Dec 2026'],
    ['phone', '9876543210', '+91 98765 43210'],
    ['vendor_phone', '9876543210', '+91 98765 43210'],
    ['cost', 850.5, '₹850.50'],
    ['auto_renew', true, 'yes'],
    ['amenities', ['lift', 'pool'], 'lift, pool'],
    ['amenities', [], '–'],
    ['landmark', null, '–'],
    ['created_at', 'never', 'never'],
    ['agreement_start_date', '2026-13-01', '2026-13-01'],
    ['alias_name', 'a\u001b[31m', 'a [31m'],
  ])('%s %p is %p', (name, value, text) => {
    expect(toFieldText(name, value)).toBe(text)
  })

  test('has its lakhs and crores grouped', () => {
    expect([toRupees(9_999), toRupees(12_34_56_789)]).toEqual(['₹9,999', '₹12,34,56,789'])
  })
})

describe('the colour of a state', () => {
  test.each([
    [31, 'red', 'overdue bounced rejected reversed disputed TERMINATED declined expired error failed'],
    [32, 'green', 'paid posted accepted resolved ACTIVE signed success ok'],
    [33, 'yellow', 'due reported proposed pending open on_hold warning PENDING'],
    [34, 'blue', 'credited acknowledged in_progress COMPLETED'],
    [90, 'grey', 'DRAFT upcoming projected withdrawn closed cancelled'],
  ])('%d, %s: %s', (code, _, states) => {
    for (const state of states.split(' ')) expect(colorState(state)).toBe(`\u001b[${code}m${state}\u001b[0m`)
  })

  const { AgreementStatus, ChargeStatus, MaintenanceStatus, PaymentStatus } = contract
  const { RevisionStatus, SettlementStatus, SignatureStatus } = contract
  test.each([
    ['an agreement', AgreementStatus],
    ['a charge', ChargeStatus],
    ['a maintenance request', MaintenanceStatus],
    ['a payment', PaymentStatus],
    ['a rent revision', RevisionStatus],
    ['a settlement', SettlementStatus],
    ['a signature', SignatureStatus],
  ])('is there for each status of %s, and none if it is not known', (_, schema) => {
    const states = (schema.anyOf as { const: string }[]).map(state => state.const)
    expect(states.length).toBeGreaterThan(1)
    expect(states.filter(state => colorState(state) === state)).toEqual([])
    expect(colorState('unknown')).toBe('unknown')
  })
})
