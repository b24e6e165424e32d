import { describe, expect, test } from 'bun:test'
import { createContext } from '../../cli/context'
import { UsageError } from '../../cli/exit-codes'
import { getFieldTexts, parseField, toClearedFields, toOptions } from '../../cli/field-flags'
import { submit } from '../../cli/inputs'
import { createTerminal } from '../../cli/terminal'

type Kind = 'text' | 'number' | 'integer' | 'boolean' | 'phone'

const parse = (kind: Kind, text: string) => parseField('field', { kind }, text)

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
    expect(parse(kind, text)).toEqual(value as never)
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
  ])('%s %p is refused', (kind, text) => {
    expect(() => parse(kind, text)).toThrow('must be')
  })

  test('is added to those before it if the flag is repeatable', () => {
    const [option] = toOptions({ field: { kind: 'texts' } })
    expect(option!.parseArg!('gym', ['pool'])).toEqual(['pool', 'gym'] as never)
  })
})

describe('the value of a flag that holds several', () => {
  test.each<['allocations' | 'items', string | string[], unknown]>([
    [
      'allocations',
      ['31:5000', '32: 0.5'],
      [
        { charge_id: 31, amount: 5_000 },
        { charge_id: 32, amount: 0.5 },
      ],
    ],
    // At a terminal a reply holds several.
    [
      'allocations',
      '31:5000, 32:10',
      [
        { charge_id: 31, amount: 5_000 },
        { charge_id: 32, amount: 10 },
      ],
    ],
    [
      'items',
      ['maintenance:2500:Lift, pump: both', 'Water:300'],
      [
        { type: 'maintenance', amount: 2_500, description: 'Lift, pump: both' },
        { type: 'water', amount: 300, description: 'Water' },
      ],
    ],
  ])('%s %p is a list', (kind, text, value) => {
    expect(parseField('field', { kind }, text)).toEqual(value)
  })

  test.each<['allocations' | 'items', string]>([
    ['allocations', '31'],
    ['allocations', '31:'],
    ['allocations', '31:-5'],
    ['items', 'maintenance'],
    ['items', 'maintenance:much'],
  ])('%s %p is refused', (kind, text) => {
    expect(() => parseField('field', { kind }, [text])).toThrow('must be')
  })
})

const fields = {
  phone_number: { kind: 'text', alias: 'phone', isRequired: true },
  first_name: { kind: 'text' },
  is_available: { kind: 'boolean' },
} as const
type Body = { phone_number: string; first_name?: string; is_available?: boolean }

/** Returns the body that the flags describe, without a terminal. */
function toBody(options: object) {
  const terminal = { ...createTerminal(), env: {}, isInteractive: false }
  return submit<Body, Body>(createContext(terminal, {}), fields, options, async body => body)
}

test('a body has the given fields alone, by their names or their aliases', async () => {
  const body = { phone_number: '9876543210', is_available: false }
  expect(await toBody({ phone: '9876543210', isAvailable: 'false', json: true })).toEqual(body)
  expect(await toBody({ phoneNumber: '9876543210', isAvailable: 'false' })).toEqual(body)
})

test('a required field that is missing is named by its alias', async () => {
  await expect(toBody({ firstName: 'Tara' })).rejects.toThrow('--phone is required')
})

test('a change has the given fields, and null for those to clear', () => {
  expect(getFieldTexts(fields, { isAvailable: 'true' })).toEqual({ is_available: 'true' })
  const cleared = toClearedFields({ clear: ['first-name', 'phone_number', 'managed-by-id'] })
  expect(cleared).toEqual({ first_name: null, phone_number: null, managed_by_id: null })
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
    expect(() => parseField('room_type', field, 'x')).toThrow(
      '--room-type must be one of fully_furnished, DRAFT, 2bhk; it is x',
    )
    expect(toOptions({ field })[0]!.description).toContain('fully_furnished, DRAFT, 2bhk')
  })
})

describe('a confirmation', () => {
  const confirm = (reply: string) => {
    const terminal = { ...createTerminal(), env: {}, isInteractive: true, ask: async () => reply }
    return createContext(terminal, { profile: 'default' }).confirm('Delete it')
  }

  test.each(['y', 'Y', 'yes', 'Yes', 'YES'])('is %p', async reply => {
    expect(await confirm(reply)).toBeUndefined()
  })

  test.each(['', 'n', 'no', 'yeah', 'ye', 'y n', 'oh yes'])('is not %p', async reply => {
    await expect(confirm(reply)).rejects.toThrow(UsageError)
  })
})
