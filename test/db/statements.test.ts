import { expect, test } from 'bun:test'
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { sql } from 'kysely'
import { getSqlState } from '../../db/database-errors'
import { openDatabase, getKysely } from '../../db/database'
import { toJsonText } from '../../db/json-text'
import { toApiError } from '../../server/http/variants/error-mapping'
import { databaseOfFile } from './database'

const { url, open } = await databaseOfFile()
const orm = open({ poolSize: 1 })

type Ask = ReturnType<typeof sql<Record<string, any>>>
const rows = (asked: Ask, of = orm) => asked.execute(getKysely(of)).then(({ rows }) => rows)
const preparedAs = async (text: string, of = orm) =>
  (
    await rows(sql`select count(*) as n from pg_prepared_statements where statement like ${`%${text}%`}`, of)
  )[0]!.n

test('values of every type are written unchanged and read as in JSON', async () => {
  const at = new Date('2026-02-03T04:05:06.789Z')
  const texts = ['a "quoted" \\ one', '{,}', '', 'नमस्ते 🙏', null]
  for (let times = 0; times < 2; times++) {
    expect(
      await rows(sql`select ${'नमस्ते 🙏'}::text as text, ${''}::text as empty, ${null}::text as none, ${7}::int as whole, ${2.25}::numeric as exact, ${true}::boolean as yes, ${at}::timestamptz as at, ${'2026-02-03'}::date as day,
      ${texts}::text[] as texts, ${[1, 2]}::int[] as numbers, ${{ of: texts }}::jsonb as json, ${JSON.stringify({ of: texts })}::text::jsonb as written, ${Buffer.from([0, 255])}::bytea as bytes, 9007199254740991 as large`),
    ).toEqual([
      {
        text: 'नमस्ते 🙏',
        empty: '',
        none: null,
        whole: 7,
        exact: 2.25,
        yes: true,
        at: at.toISOString(),
        day: '2026-02-03',
        texts,
        numbers: [1, 2],
        json: { of: texts },
        written: { of: texts },
        bytes: Buffer.from([0, 255]),
        large: 9_007_199_254_740_991,
      },
    ])
  }
})

test('moments without an end are read as texts', async () => {
  const [row] = await rows(
    sql`select 'infinity'::timestamptz as at, '-infinity'::timestamptz as since, null::timestamptz as never`,
  )
  expect(row).toEqual({ at: 'Infinity', since: '-Infinity', never: null })
})

test('behind a pooler no statements are prepared', async () => {
  const pooled = openDatabase(`${url}&prepared=false`, { poolSize: 1 })
  for (let n = 0; n < 2; n++)
    expect(await rows(sql`select ${n}::int as only_once`, pooled)).toEqual([{ only_once: n }])
  expect(await preparedAs('as only_once', pooled)).toBe(0)
  for (let n = 0; n < 2; n++)
    expect(await rows(sql`select ${n}::int as again_and_again`)).toEqual([{ again_and_again: n }])
  expect(await preparedAs('as again_and_again')).toBe(1)
  await pooled.close()
})

test('a refused connection has its own error: an address without a listener, or a missing socket', async () => {
  const refusals = await Promise.all(
    [
      'postgresql://kiraya@127.0.0.1:1/none',
      `postgresql://kiraya@localhost/none?host=${encodeURIComponent('/nowhere/at/all')}`,
    ].map(async url => {
      const nobody = openDatabase(url)
      const refusal = await rows(sql`select ${1}::int`, nobody).catch(error => error.code)
      await nobody.close()
      return refusal
    }),
  )
  expect(refusals).toEqual(Array(2).fill('ERR_POSTGRES_CONNECTION_REFUSED'))
})

test('texts that PostgreSQL cannot store are bad input, as a value and in a statement; lone surrogates are replaced', async () => {
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      error => [getSqlState(error), toApiError(error).code],
    )
  expect(await refusal(rows(sql`select ${'a\0b'}::text`))).toEqual(['22021', 'BAD_REQUEST'])
  expect(await refusal(rows(sql`select ${sql.lit('a\0b')}::text`))).toEqual(['22021', 'BAD_REQUEST'])
  expect(await rows(sql`select ${'half \ud800 one'}::text as text`)).toEqual([{ text: 'half \ufffd one' }])
  const json = toJsonText({ of: ['a\ud800b', '\udc00', '🏠 ज्ञानेश्वर', 1, null] })
  expect(await rows(sql`select ${json}::text::jsonb as json`)).toEqual([
    { json: { of: ['a\ufffdb', '\ufffd', '🏠 ज्ञानेश्वर', 1, null] } },
  ])
})

test('an error has its SQLSTATE, constraint and table, also if MikroORM wraps it', async () => {
  await rows(sql`create table unique_once (n int constraint once primary key)`)
  await rows(sql`insert into unique_once values (1)`)
  const caught: unknown[] = []
  const add = 'insert into unique_once values (1)'
  await orm.sendStatement(add, []).catch(error => caught.push(error))
  await orm.transactional(em => em.execute(add)).catch(error => caught.push(error))
  await orm.transactional(em => sql.raw(add).execute(getKysely(em))).catch(error => caught.push(error))
  expect(caught.map(getSqlState)).toEqual(['23505', '23505', '23505'])
  expect(caught).toEqual(Array(3).fill(expect.objectContaining({ constraint: 'once', table: 'unique_once' })))
  expect(caught[1]).toBeInstanceOf(UniqueConstraintViolationException)
})

test('every statement of every sender is observed with its result', async () => {
  const seen: string[] = []
  const results: Promise<unknown>[] = []
  const observed = open({
    observe: (text, result) => {
      seen.push(text)
      results.push(result)
    },
  })
  await observed.sendStatement('select $1::int as one', [1])
  await rows(sql`select 2 as two`, observed)
  await observed.transactional(em => em.execute('select 3 as three')).catch(() => {})
  expect(seen).toEqual(['select $1::int as one', 'select 2 as two', 'begin', 'select 3 as three', 'commit'])
  expect(await Promise.all(results).then(all => all.length)).toBe(5)
})
