import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../db/database'
import { testServer } from '../support/server'

const server = testServer()

async function findPhones(text: string | null) {
  const found = sql<{ phones: string[] | null }>`select find_phones(${text}::text) as phones`
  const { rows } = await found.execute(getKysely(server.em()))
  return rows[0]!.phones?.toSorted() ?? null
}

test.each([
  ['ten digits', '9876543210', ['9876543210']],
  ['the least first digit', '6000000000', ['6000000000']],
  ['a first digit that no mobile number has', '5876543210', []],
  ['nine digits', '987654321', []],
  ['no text', '', []],
  ['nothing', null, null],
  ['a country code, whose 9 may begin a number too', '+919876543210', ['9198765432', '9876543210']],
  ['each place of a long run', '00968765432109', ['6876543210', '8765432109', '9687654321']],
  ['two of one text', '"9876543210","8765432109"', ['8765432109', '9876543210']],
  ['one that is there twice', '9876543210 and 9876543210', ['9876543210']],
  ['three signs between digits', '98765 - 43210', ['9876543210']],
  ['four signs between digits', '98765 -- 43210', []],
  ['signs in many places', '(98) 76.54-32 10', ['9876543210']],
  ['a line break', '98765\n43210', ['9876543210']],
  ['the end of forty digits', `${'1'.repeat(30)}9876543210`, ['9876543210']],
  ['digits beyond forty', `${'1'.repeat(31)}9876543210`, []],
])('numbers are found in a text: %s', async (_, text, expected) => {
  expect(await findPhones(text)).toEqual(expected)
})

test.each(['a', 'Z', '"', ',', ':', '{', '}'])('digits on both sides of %p are no number', async sign => {
  expect(await findPhones(`98765${sign}43210`)).toEqual([])
})
