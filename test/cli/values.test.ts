import { describe, expect, test } from 'bun:test'
import { createContext, getCommandName } from '../../cli/runtime/context'
import { parseDurationMs } from '../../cli/input/duration'
import { parseCount } from '../../cli/input/kinds'
import { getFieldTexts, parseField, toClearedFields, toOptions } from '../../cli/input/flags'
import { submit } from '../../cli/input/values'
import { recordTerminal } from './shell'

type Kind = 'text' | 'number' | 'integer' | 'boolean' | 'phone' | 'allocations' | 'items'
const parse = (kind: Kind, text: string | string[]) => parseField('field', { kind }, text)

describe('the value of a flag', () => {
  test.each<[Kind, string, unknown]>([
    ['number', '0', 0],
    ['number', '-1.5', -1.5],
    ['number', '25000.50', 25_000.5],
    ['integer', '-2', -2],
    ['integer', '560048', 560_048],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', 'TRUE', true],
    ['phone', '+91 98765 43210', '9876543210'],
    ['phone', '098765-43210', '9876543210'],
    ['phone', '91 9876543210', '9876543210'],
    ['phone', '12345', '12345'],
  ])('%s %p is %p', (kind, text, value) => {
    expect(parse(kind, text)).toEqual(value)
  })

  const [charge31, water] = [
    { charge_id: 31, amount: 5_000 },
    { type: 'water', amount: 300 },
  ]
  test.each<[Kind, string | string[], object[]]>([
    ['allocations', ['31:5000', '32: 0.5'], [charge31, { charge_id: 32, amount: 0.5 }]],
    // At a terminal a reply holds several.
    ['allocations', '31:5000, 32:10', [charge31, { charge_id: 32, amount: 10 }]],
    ['items', ['Water:300'], [{ ...water, description: 'Water' }]],
    ['items', ['water:300:Lift, pump: both'], [{ ...water, description: 'Lift, pump: both' }]],
  ])('%s %p is a list', (kind, text, value) => {
    expect(parse(kind, text)).toEqual(value)
  })

  test.each<[Kind, string]>([
    ['number', '1e3'],
    ['number', '.5'],
    ['number', '5.'],
    ['number', ''],
    ['number', '1,000'],
    ['integer', '1.5'],
    ['integer', '12a'],
    ['integer', ' 1'],
    ['boolean', 'yes'],
    ['allocations', '31'],
    ['allocations', '31:'],
    ['allocations', '31:-5'],
    ['items', 'maintenance'],
    ['items', 'maintenance:much'],
  ])('%s %p is refused', (kind, text) => {
    expect(() => parse(kind, text)).toThrow('must be')
  })

  test('is added to those before it if the flag is repeatable', () => {
    const [option] = toOptions({ field: { kind: 'texts' } })
    expect<unknown>(option!.parseArg!('gym', ['pool'])).toEqual(['pool', 'gym'])
  })
})

describe('a word', () => {
  const field = { kind: 'choice', choices: ['fully_furnished', 'DRAFT', '2bhk'] } as const
  test.each([
    ['Fully Furnished', 'fully_furnished'],
    ['fully-furnished', 'fully_furnished'],
    ['draft', 'DRAFT'],
    ['2BHK', '2bhk'],
  ])('%p is %p', (text, value) => {
    expect(parseField('field', field, text)).toBe(value)
  })

  test('is refused with a list of those that are known, which the help lists too', () => {
    const sentence = '--room-type must be one of fully_furnished, DRAFT, 2bhk; it is x'
    expect(() => parseField('room_type', field, 'x')).toThrow(sentence)
    expect(toOptions({ field })[0]!.description).toContain('fully_furnished, DRAFT, 2bhk')
  })
})

describe('a body', () => {
  const fields = {
    phone_number: { kind: 'text', alias: 'phone', isRequired: true },
    first_name: { kind: 'text' },
    is_available: { kind: 'boolean' },
  } as const
  type Body = { phone_number: string; first_name?: string; is_available?: boolean }
  const toBody = (options: object) =>
    submit<Body, Body>(createContext(recordTerminal().terminal, {}), fields, options, async body => body)

  test('has the given fields alone, by their names or their aliases', async () => {
    const body = { phone_number: '9876543210', is_available: false }
    expect(await toBody({ phone: '9876543210', isAvailable: 'false', json: true })).toEqual(body)
    expect(await toBody({ phoneNumber: '9876543210', isAvailable: 'false' })).toEqual(body)
    await expect(toBody({ firstName: 'Tara' })).rejects.toThrow('--phone is required')
  })

  test('of a change has the given fields, and null for those to clear', () => {
    expect(getFieldTexts(fields, { isAvailable: 'true' })).toEqual({ is_available: 'true' })
    const cleared = toClearedFields({ clear: ['first-name', 'phone_number', 'managed-by-id'] })
    expect(cleared).toEqual({ first_name: null, phone_number: null, managed_by_id: null })
  })
})

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['15m', 900_000],
  ['2h', 7_200_000],
  ['4d', 345_600_000],
  ['-2h', -7_200_000],
  ['1.005s', 1_005],
  ['1.2345s', 1_235], // a whole number of milliseconds
  ['0.4ms', 0],
])('%s is %d ms', (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms)
})

test.each(['', '5', 's', '5 s', '5S', '1w', '1.s', '.5s', '1h30m', '1e3s', '5s5'])('%p is no time', text => {
  expect(() => parseDurationMs(text)).toThrow('must be a time such as')
})

test('a count of 50 at most is a whole number from 1', () => {
  expect(['1', '7', '50'].map(parseCount(50))).toEqual([1, 7, 50])
  for (const text of ['0', '-1', '51', '1.5', '', 'x'])
    expect(() => parseCount(50)(text)).toThrow('must be a whole number from 1 to 50')
})

test.each([
  [{}, 'kiraya'],
  [{ npm_command: 'exec', npm_lifecycle_event: 'npx' }, 'npx kiraya'],
  [{ npm_command: 'exec', npm_lifecycle_event: 'bunx' }, 'bunx kiraya'],
  // A script of a package that is called so.
  [{ npm_command: 'run-script', npm_lifecycle_event: 'npx' }, 'kiraya'],
  [{ npm_command: 'exec', npm_lifecycle_event: 'test' }, 'kiraya'],
])('in the environment %j hints begin with %s', (env, name) => {
  expect(getCommandName(env)).toBe(name)
})

test('hints name the profile and the server that were given, each as one word of a shell', () => {
  const globals = { profile: 'my home', url: 'http://localhost:3000' }
  expect(getCommandName({}, globals)).toBe("kiraya --profile 'my home' --url http://localhost:3000")
  const words = ['A-101', 'a@b.co', "it's", '$HOME', '*'].map(profile => getCommandName({}, { profile }))
  const quoted = ['A-101', 'a@b.co', `'it'\\''s'`, "'$HOME'", "'*'"]
  expect(words).toEqual(quoted.map(word => `kiraya --profile ${word}`))
})
