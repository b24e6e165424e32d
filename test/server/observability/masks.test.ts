import { describe, expect, test } from 'bun:test'
import { refuse } from '../../../server/errors'
import { createLog } from '../../../server/observability/log'
import { LoggableError, serializeError, toErrorText } from '../../../server/observability/safe-errors'

/** Logs fields and returns those that are written. */
function logFields(fields: Record<string, unknown>) {
  const lines: string[] = []
  const log = createLog('info', false, { write: line => void lines.push(line) })
  log.info(fields, 'a line')
  const written = Object.entries(JSON.parse(lines[0]!))
  return Object.fromEntries(written.filter(([name]) => !['level', 'time', 'msg'].includes(name)))
}

const UUID = '0f0c9a3e-7d1b-4c68-9a52-000000123456'

describe('a field', () => {
  test.each<[name: string, value: unknown]>([
    ['user', 2_147_483_647],
    ['network', '203.0.113.0/24'],
    ['network', '2001:db8:1::/48'],
    ['route', '/properties/:id/units/:unitId'],
    ['route', '/*'],
    ['method', 'PATCH'],
    ['provider', 'setu-native'],
    ['provider', `a${'b'.repeat(60)}`],
    ['fields', ['first_name', 'email']],
    ['by', 'otp'],
    ['everywhere', false],
    ['request_id', UUID],
  ])('%s may be %p', (name, value) => {
    expect(logFields({ [name]: value })).toEqual({ [name]: value })
  })

  test.each<[name: string, value: unknown]>([
    ['user', 2_147_483_648],
    ['user', 9_876_543_210],
    ['user', 1.5],
    ['network', '203.0.113.9'],
    ['network', '2001:db8:1:2:3:4:5:6/128'],
    ['route', '/properties/Asha Rao'],
    ['route', '/auth/me?phone=9876543210'],
    ['method', 'ASHA'],
    ['provider', 'setu 2'],
    ['provider', 'asha@example.com'],
    ['provider', `a${'b'.repeat(61)}`],
    ['fields', ['first_name', 'asha@example.com']],
    ['everywhere', 'yes'],
    ['request_id', '9876543210'],
    ['phone', '9876543210'],
    ['constructor', 'Asha'],
  ])('%s is dropped if it is %p', (name, value) => {
    expect(logFields({ [name]: value })).toEqual({})
  })
})

describe('a message of ours', () => {
  test.each([
    ['the one-time password 123456', 'the one-time password …'],
    ['123456', '…'],
    ['+919876543210 is unknown', '+… is unknown'],
    ['9876543210, 234567890123', '…, …'],
    [`request ${UUID}`, `request ${UUID}`],
  ])('%p is logged as %p', (given, logged) => {
    expect(serializeError(new LoggableError(given)).message).toBe(logged)
  })

  test.each<[meaning: string, error: Error, message: string | undefined]>([
    ['an error of a library', new Error('Asha Rao'), undefined],
    ['400', refuse('agreements_open', { agreements: ['Asha Rao'] }), undefined],
    ['403', refuse('onboarding_unfinished', { status: 'Asha Rao' }), undefined],
    ['429', refuse('too_many_otps'), undefined],
    ['500', refuse('internal_error'), 'Something went wrong on our side'],
    ['503', refuse('server_stopping'), 'The server is stopping'],
  ])('is logged unless it may quote others: %s', (_, error, message) => {
    expect(serializeError(error).message).toBe(message)
  })
})

describe('an error', () => {
  test.each([
    ['23505', '23505'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), undefined],
    ['987654', undefined],
    ['users_9876543210', undefined],
    ['Asha Rao', undefined],
    [9_876_543_210, undefined],
  ])('with the code, constraint, table or column %p has %p', (given, logged) => {
    const names = { code: given, constraint: given, table: given, column: given }
    const { code, constraint, table, column } = serializeError(Object.assign(new Error('x'), names))
    expect([code, constraint, table, column]).toEqual([logged, logged, logged, logged])
  })

  test('names its first six causes', () => {
    const nested = [1, 2, 3, 4, 5, 6, 7].reduceRight<Error | undefined>(
      (cause, level) => new LoggableError(`level ${level}`, { cause }),
      undefined,
    )
    const names = [1, 2, 3, 4, 5, 6].map(level => `level ${level}`)
    expect(toErrorText(nested)).toBe(names.join(': '))
  })

  test('of several has the first as its cause', () => {
    const several = new AggregateError([new LoggableError('one'), new LoggableError('two')], 'Asha Rao')
    expect(serializeError(several)).toMatchObject({ type: 'AggregateError', cause: { message: 'one' } })
  })

  test('shows only files of the server and the database layer that exist', () => {
    const error = new LoggableError('x')
    const root = new URL('../../../', import.meta.url).pathname
    error.stack = [
      'LoggableError: x',
      `    at run (${root}server/errors.ts:1:2)`,
      `    at ${root}db/database.ts:3:4`,
      `    at again (${root}db/database.ts:3:4)`,
      `    at run (${root}server/9876543210.ts:1:2)`,
      `    at run (${root}test/support/server.ts:1:2)`,
      `    at run (${root}node_modules/ky/index.js:1:2)`,
      '    at run (/home/asha/server/errors.ts:1:2)',
    ].join('\n')
    expect(serializeError(error).at).toEqual(['server/errors.ts:1:2', 'db/database.ts:3:4'])
  })
})

describe('of an error, the log', () => {
  test('shows its first twelve places, each once', () => {
    const root = new URL('../../../', import.meta.url).pathname
    const error = new LoggableError('x')
    const frames = Array.from({ length: 14 }, (_, index) => `    at run (${root}server/errors.ts:${index}:1)`)
    error.stack = ['LoggableError: x', ...frames, ...frames].join('\n')
    const places = Array.from({ length: 12 }, (_, index) => `server/errors.ts:${index}:1`)
    expect(serializeError(error).at).toEqual(places)
  })

  test('as one line has what its causes add, and at most 1,000 characters', () => {
    const database = Object.assign(new Error('Asha Rao'), { code: '23505', constraint: 'users_phone' })
    const error = new LoggableError('outer', { cause: new LoggableError('outer', { cause: database }) })
    expect(toErrorText(error)).toBe('outer: Error 23505 users_phone')
    expect(toErrorText(new LoggableError('x'.repeat(1001)))).toBe('x'.repeat(1000))
  })
})
