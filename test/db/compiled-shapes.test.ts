import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { compileCached } from '../../db/compiled-queries'
import type { Db } from '../../db/database'

type Given = { id: number; phone?: string; since?: Date; within?: { from: number; to?: number } }

/** A query of its own, since compiled queries are kept by the identity of what builds them. */
const createBuilder = () => (db: Db, given: Given) => {
  let users = db.selectFrom('users').where('id', '=', given.id).select('id')
  if (given.phone !== undefined) users = users.where('phone', '=', given.phone)
  if (given.since !== undefined) users = users.where('created_at', '>=', sql<string>`${given.since}`)
  if (given.within?.to !== undefined) users = users.where('id', '<', given.within.to)
  return users
}
const compile = (build: ReturnType<typeof createBuilder>, given: Given) => compileCached(build, build, given)

const plain = 'select "id" from "users" where "id" = $1'
const withPhone: [Given, string, unknown[]] = [{ id: 1, phone: '9' }, `${plain} and "phone" = $2`, [1, '9']]
const withLimit: [Given, string, unknown[]] = [
  { id: 1, within: { from: 2, to: 3 } },
  `${plain} and "id" < $2`,
  [1, 3],
]
const withoutPhone: [Given, string, unknown[]] = [{ id: 1, phone: undefined }, plain, [1]]
const withoutLimit: [Given, string, unknown[]] = [{ id: 1, within: { from: 2, to: undefined } }, plain, [1]]

test.each([
  ['undefined, then a value', [withoutPhone, withPhone]],
  ['a value, then undefined', [withPhone, withoutPhone]],
  ['a part with undefined, then with a value', [withoutLimit, withLimit]],
  ['a part with a value, then with undefined', [withLimit, withoutLimit]],
])('a query that is given %s is compiled for each', (_, cases) => {
  const build = createBuilder()

  for (const [given, text, values] of cases) expect(compile(build, given)).toEqual({ text, values })
})

test('a value beside a part is not taken for one within it', () => {
  const build = (db: Db, { from, to }: { from: { id: number; to?: number }; to?: number }) => {
    const users = db.selectFrom('users').where('id', '>', from.id).select('id')
    return to === undefined ? users : users.where('id', '<', to)
  }
  const lower = 'select "id" from "users" where "id" > $1'

  expect(compileCached(build, build, { from: { id: 1, to: 2 } })).toEqual({ text: lower, values: [1] })
  expect(compileCached(build, build, { from: { id: 1 }, to: 2 })).toEqual({
    text: `${lower} and "id" < $2`,
    values: [1, 2],
  })
})

test('a moment is one value', () => {
  const build = createBuilder()
  for (const since of [new Date(0), new Date(1)])
    expect(compile(build, { id: 1, since })).toEqual({
      text: `${plain} and "created_at" >= $2`,
      values: [1, since],
    })
})

test('what is built in another variant is compiled for each', () => {
  const rows = createBuilder()
  const phones = (db: Db, given: Given) => rows(db, given).clearSelect().select('phone')
  for (let round = 0; round < 2; round++) {
    expect(compileCached(rows, rows, { id: 1 }, 'ids').text).toBe(plain)
    expect(compileCached(rows, phones, { id: 1 }, 'phones').text).toBe(plain.replace('"id"', '"phone"'))
  }
})

test('a value that is undefined counts as one that is not given', () => {
  let builtCount = 0
  const base = createBuilder()
  const build = (db: Db, given: Given) => {
    builtCount++
    return base(db, given)
  }

  for (const given of [{ id: 1 }, { id: 2, phone: undefined }, { phone: undefined, id: 3 }])
    expect(compile(build, given)).toEqual({ text: plain, values: [given.id] })
  expect(builtCount).toBe(1)
})
