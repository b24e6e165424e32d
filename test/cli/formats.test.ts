import { describe, expect, test } from 'bun:test'
import { colorState, isAmount, toFieldText } from '../../cli/formats'
import * as contract from '../../sdk/contract'

type Schema = {
  type?: string
  format?: string
  description?: string
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

const days = findFields(({ format }) => format === 'calendar-date')

test.each([...days, 'agreement_end_date', 'signed_date', 'as_of', 'date'])('%s is shown as a day', name => {
  expect(toFieldText(name, '2026-12-01')).toBe('1 Dec 2026')
})

// Only exports have the other one.
const times = findFields(({ description }) => description === contract.Timestamp.description).filter(
  name => name !== 'at' && name !== 'valid_until',
)

test.each(times)('%s is shown as a time in India', name => {
  expect(toFieldText(name, '2026-12-01T18:45:00Z')).toBe('2 Dec 2026, 00:15 IST')
})

describe('the colour of a state', () => {
  test.each([
    [32, 'green', ['accepted', 'paid', 'posted', 'active', 'signed', 'success', 'ok']],
    [31, 'red', ['disputed', 'overdue', 'bounced', 'rejected', 'reversed', 'terminated', 'declined']],
    [31, 'red', ['expired', 'error', 'failed']],
    [33, 'yellow', ['reported', 'proposed', 'due', 'pending', 'warning']],
    [34, 'blue', ['credited', 'completed']],
    [90, 'grey', ['draft', 'upcoming', 'projected', 'withdrawn']],
  ])('%d, %s: %p', (color, _, states) => {
    for (const state of states) {
      const text = state.toUpperCase()
      expect(colorState(text)).toBe(`\u001b[${color}m${text}\u001b[0m`)
    }
  })

  test('is none if the state is not known', () => {
    expect(colorState('unknown')).toBe('unknown')
  })
})
