import { describe, expect, test } from 'bun:test'
import { createContext } from '../../cli/context'
import { UsageError } from '../../cli/exit-codes'
import { toChangeBody, toOptions, toRequestBody } from '../../cli/field-flags'
import { createTerminal } from '../../cli/terminal'

type Kind = 'text' | 'number' | 'integer' | 'boolean' | 'texts' | 'integers'

const parse = (kind: Kind, text: string, previous?: unknown) =>
  toOptions({ field: { kind } })[0]!.parseArg!(text, previous)

describe('the value of a flag', () => {
  test.each<[Kind, string, unknown]>([
    ['number', '0', 0],
    ['number', '-1.5', -1.5],
    ['number', '25000.50', 25_000.5],
    ['integer', '-2', -2],
    ['integer', '560048', 560_048],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['texts', 'pool', ['pool']],
    ['integers', '7', [7]],
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
    ['boolean', 'TRUE'],
    ['integers', 'x'],
  ])('%s %p is refused', (kind, text) => {
    expect(() => parse(kind, text)).toThrow('must be')
  })

  test('is added to those before it if the flag is repeatable', () => {
    expect(parse('texts', 'gym', ['pool'])).toEqual(['pool', 'gym'] as never)
    expect(parse('integers', '8', [7])).toEqual([7, 8] as never)
  })
})

const fields = {
  phone_number: { kind: 'text', alias: 'phone', isRequired: true },
  first_name: { kind: 'text' },
  is_available: { kind: 'boolean' },
} as const
type Body = { phone_number: string; first_name?: string; is_available?: boolean }

test('a body has the given fields alone, by their names or their aliases', () => {
  const body = { phone_number: '9876543210', is_available: false }
  expect(toRequestBody<Body>(fields, { phone: '9876543210', isAvailable: false, json: true })).toEqual(body)
  expect(toRequestBody<Body>(fields, { phoneNumber: '9876543210', isAvailable: false })).toEqual(body)
})

test('a required field that is missing is named by its alias', () => {
  expect(() => toRequestBody<Body>(fields, { firstName: 'Tara' })).toThrow('--phone is required')
})

test('a change has the given fields, and null for those to clear', () => {
  const change = toChangeBody<Body>(fields, { isAvailable: true, clear: ['first-name', 'phone_number'] } as {
    clear: string[]
  })
  expect(change as object).toEqual({ is_available: true, first_name: null, phone_number: null })
})

test('a field of several words is cleared by its flag', () => {
  expect(toChangeBody<object>({}, { clear: ['managed-by-id'] })).toEqual({ managed_by_id: null })
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
