import { describe, expect, test } from 'bun:test'
import { AgreementStatus, FurnishingType, PropertyType, RoomType } from '../../sdk/contract'
import { dataResponse } from '../sdk/stub-server'
import { runAgainst } from './shell'

const wrong: [commandLine: string, word: string][] = [
  ['property delete 1', '--yes'],
  ['unit delete 1 1', '--yes'],
  ['unit resign 1 1', '--yes'],
  ['agreement delete 1', '--yes'],
  ['agreement terminate 1', '--yes'],
  ['agreement revise 1 --rent 1', '--yes'],
  ['agreement cancel-signature 1 6ba7b810-9dad-11d1-80b4-00c04fd430c8', '--yes'],
  ['payment reverse 1 --reason Twice', '--yes is required'],
  ['deposit post 1', '--yes is required'],
  ['rent-revision accept 1 2', '--yes is required'],
  ['auth erase', '--yes'],
  ['property create --pin-code x --property-type pg', 'whole number'],
  ['unit create 1 --unit-name a --area-sqft large', 'must be a number'],
  ['unit create 1 --unit-name a --is-available maybe', 'true or false'],
  ['unit create 1', '--unit-name'],
  ['agreement update 1 --recurring-charge maintenance', '--recurring-charge must be a type'],
  ['payment list --year 2026', 'such as 2026-27'],
  ['payment list --year 2026-28', 'such as 2026-27'],
  ['payment list --year 2026-2027', 'such as 2026-27'],
  ['tenant add --phone 9876543210', 'unknown command'],
  ['--nope', 'unknown option'],
  ['property list --language mr', 'en, hi'],
  ['sandbox fault add esign', 'behaviour'],
  ['sandbox sign', 'request'],
]
test.each(wrong)('2: %s is answered with %p, and nothing is changed', async (commandLine, word) => {
  const { exitCode, out, err, calls } = await runAgainst(dataResponse(), commandLine)
  const changes = calls.filter(call => !call.startsWith('GET'))
  expect({ exitCode, out, changes }).toEqual({ exitCode: 2, out: '', changes: [] })
  expect(err).toContain(word)
})

const words = (schema: unknown) =>
  (schema as { anyOf: { const: string }[] }).anyOf.map(literal => literal.const).join(', ')
test.each([
  ['unit create', words(RoomType)],
  ['unit create', words(FurnishingType)],
  ['property create', words(PropertyType)],
  ['agreement list', words(AgreementStatus)],
  ['wait agreement', words(AgreementStatus)],
  // A flag is named by its shorter alias alone.
  ['agreement create', '--start <text>'],
])('0: %s --help shows %s', async (command, text) => {
  const { exitCode, out } = await runAgainst(dataResponse(), `${command} --help`)
  expect(exitCode).toBe(0)
  expect(out.replaceAll(/\s+/g, ' ')).toContain(text)
  expect(out).not.toContain('--agreement-start-date')
})

const homes = [
  { id: 1, alias_name: 'White House', city: 'Bengaluru' },
  { id: 2, alias_name: 'Lake\u202eView\u009b', city: 'Chennai' },
]
const respond = () =>
  Response.json({ success: true, data: homes, metadata: { page: 1, limit: 50, total: 2, total_pages: 1 } })

test.each([
  ['property list', 'en'],
  ['property list --language hi', 'hi'],
  ['--language hi api GET /properties', 'hi'],
])('%s asks the server for messages in %p, whatever the language of the system', async (line, language) => {
  const { requests } = await runAgainst(respond, line, { env: { LANG: 'hi_IN.UTF-8' } })
  expect(requests.map(({ headers }) => headers.get('accept-language'))).toEqual([language])
})

describe('what a program selects', () => {
  test.each([
    ['property list --json id,city', homes.map(({ id, city }) => ({ id, city }))],
    ['property list --json=id', [{ id: 1 }, { id: 2 }]],
    ['property list --json', homes],
    ['property --json list', homes],
    ['--profile tenant property list --json id', [{ id: 1 }, { id: 2 }]],
    [`property list --query "[?city=='Chennai'].id"`, [2]],
    ['property list --json id --query "[].id"', [1, 2]],
    // Values may be named like commands.
    ['--query dashboard --json property list', null],
    ['--profile dashboard --json property list', homes],
  ])('%s', async (commandLine, selected) => {
    expect((await runAgainst(respond, commandLine)).data).toEqual(selected)
  })

  test('is printed bare if it is a single text', async () => {
    const { out } = await runAgainst(respond, 'property list --query [0].alias_name')
    expect(out).toBe('White House\n')
  })
})
