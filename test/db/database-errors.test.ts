import { expect, test } from 'bun:test'
import { getSqlState, getViolatedIndex, isDatabaseUnavailable } from '../../db/database-errors'
import { databaseOfFile } from './database'

const { open } = await databaseOfFile()

const withCode = (code: unknown, more: object = {}) => Object.assign(new Error('failed'), { code, ...more })
const wrap = (cause: unknown) => new Error('wrapped', { cause })

const UNAVAILABLE =
  'ECONNREFUSED ECONNRESET ENOENT ENOTFOUND EPIPE ETIMEDOUT EAGAIN EAI_AGAIN EHOSTUNREACH ENETUNREACH 08006 57P01 ' +
  '57P03 57014 53300 40001 40P01 25006 ERR_POSTGRES_CONNECTION_CLOSED ERR_POSTGRES_IDLE_TIMEOUT ' +
  'ERR_POSTGRES_LIFETIME_TIMEOUT ERR_POSTGRES_QUERY_CANCELLED'
const OTHERS = ['ERR_POSTGRES_SYNTAX_ERROR', '23505', '42P01', '25001', 'X08006', 8006]

test.each<[code: unknown, isUnavailable: boolean]>([
  ...UNAVAILABLE.split(' ').map((code): [string, boolean] => [code, true]),
  ...OTHERS.map((code): [unknown, boolean] => [code, false]),
])('code %p: the database is unavailable: %p', (code, isUnavailable) => {
  expect(isDatabaseUnavailable(withCode(code))).toBe(isUnavailable)
  expect(isDatabaseUnavailable(wrap(withCode(code)))).toBe(isUnavailable)
})

test.each([
  ['Connection terminated unexpectedly', true],
  ['timeout exceeded when trying to connect', true],
  ['driver has already been destroyed', true],
  ['terminated', false],
])('message “%s”: the database is unavailable: %p', (message, isUnavailable) => {
  expect(isDatabaseUnavailable(new Error(message))).toBe(isUnavailable)
  expect(isDatabaseUnavailable(message)).toBe(false)
})

test('the SQLSTATE and the index are those of the innermost cause that has them', () => {
  const violation = withCode('23505', { constraint: 'users_phone_unique' })
  expect(getSqlState(wrap(wrap(violation)))).toBe('23505')
  expect(getSqlState(wrap('text'))).toBeUndefined()
  expect(getViolatedIndex(wrap(wrap(violation)))).toBe('users_phone_unique')
  expect(getViolatedIndex(withCode('23503', { constraint: 'a_foreign_key' }))).toBeUndefined()
  expect(getViolatedIndex(withCode('23505'))).toBeUndefined()
})

test('a failed statement names its caller in its stack', async () => {
  const orm = open()
  const readStack = async (fail: () => Promise<unknown>) => {
    try {
      await fail()
    } catch (error) {
      return (error as Error).stack
    }
  }
  const stacks = [
    await readStack(() => orm.sendStatement('select nothing', [])),
    await readStack(() => orm.transactional(em => em.execute('select nothing'))),
  ]
  for (const stack of stacks) expect(stack).toContain('database-errors.test.ts')
})
