import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../db/database'
import { toJsonText } from '../../db/json-text'
import { testServer } from '../support/server'

const server = testServer()

test.each([
  ['a\ud800b', 'a\ufffdb'],
  ['\udc00', '\ufffd'],
  ['🏠 ज्ञानेश्वर', '🏠 ज्ञानेश्वर'],
])('PostgreSQL stores %j, which may have a lone surrogate, as %j', async (given, stored) => {
  const text = toJsonText({ of: [given, 1, null] })
  const { rows } = await sql<{ json: unknown }>`select ${text}::text::jsonb as json`.execute(
    getKysely(server.em()),
  )
  expect(rows).toEqual([{ json: { of: [stored, 1, null] } }])
})
