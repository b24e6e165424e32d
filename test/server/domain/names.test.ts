import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { toNameKey } from '../../../sdk/contract'
import { containsText } from '../../../server/domain/query'
import { raiseRequest } from '../../support/maintenance-fixture'
import { testServer } from '../../support/server'
import { createDraft, createTenant, freshPhone, signInUser } from '../../support/users'

const server = testServer()

/** What is written of a name, in two ways. */
const spellings: [what: string, one: string, other: string][] = [
  ['Devanagari qa', '\u0958िला', '\u0915\u093cिला'],
  ['Devanagari rra', 'वा\u0931\u094dया', 'वा\u0930\u093c\u094dया'],
  ['eyelash ra', 'वा\u0931\u094dया', 'वा\u0930\u094d\u200dया'],
  ['Devanagari half letters', 'रक्षा', 'रक्\u200dषा'],
  ['Bengali yya', 'রা\u09df', 'রা\u09af\u09bc'],
  ['Bengali o', 'ক\u09cbণ', 'ক\u09c7\u09beণ'],
  ['Bengali khanda ta', 'স\u09ce', 'স\u09a4\u09cd\u200d'],
  ['Gurmukhi sha', '\u0a36ਾਂਤੀ', '\u0a38\u0a3cਾਂਤੀ'],
  ['Gujarati half letters', 'રક્ષા', 'રક્\u200dષા'],
  ['Oriya rra', 'ଘ\u0b5c', 'ଘ\u0b21\u0b3c'],
  ['Oriya o', 'ଲ\u0b4bକ', 'ଲ\u0b47\u0b3eକ'],
  ['Tamil o', 'க\u0bcaடி', 'க\u0bc6\u0bbeடி'],
  ['Tamil shri', '\u0bb6\u0bcd\u0bb0\u0bc0', '\u0bb8\u0bcd\u0bb0\u0bc0'],
  ['Telugu ai', 'క\u0c48', 'క\u0c46\u0c56'],
  ['Kannada oo', 'ಕ\u0ccb', 'ಕ\u0cc6\u0cc2\u0cd5'],
  ['Malayalam o', 'ക\u0d4aടി', 'ക\u0d46\u0d3eടി'],
  ['Malayalam chillus', 'ൺൻർൽൾൿ', 'ണ്\u200dന്\u200dര്\u200dല്\u200dള്\u200dക്\u200d'],
  ['Malayalam nta', 'ന്റ', 'ൻ്റ'],
  ['Malayalam nta, side by side', 'ന്റ', 'ന്\u200dറ'],
  ['Urdu madda', '\u0622شیانہ', '\u0627\u0653شیانہ'],
  ['Urdu on an Arabic keyboard', 'آشیانہ کمالی', 'آشيانه كمالى'],
  ['an apostrophe', "D'Souza", 'D\u2019Souza'],
  ['an opening quotation mark', "D'Souza", 'D\u2018Souza'],
  ['a letter apostrophe', "D'Souza", 'D\u02bcSouza'],
  ['blanks', 'White House', 'White \u00a0\u3000House'],
  ['case and accent', 'CAF\u00c9', 'cafe\u0301'],
  ['a variation selector', '\u2764 House', '\u2764\ufe0f House'],
]

test.each(spellings)('%s: %p and %p are one name', (_, one, other) => {
  expect(toNameKey(` ${one}`)).toBe(toNameKey(other))
})

test('queries find in each of them what is in the other', async () => {
  for (const [what, ...pair] of spellings)
    for (const [one, other] of [pair, pair.toReversed()] as [string, string][]) {
      const isFound = containsText(one, sql`'before'`, sql`${`The ${other} II`}::text`)
      const [row] = await server.db.selectNoFrom(isFound.as('isFound')).execute()
      expect([what, row]).toEqual([what, { isFound: true }])
    }
})

test('names of other letters differ, and no text is found across two names', async () => {
  const different = ['रक्षा', 'रकषा', 'ഭവൻ', 'ഭവന', 'ഭവന്', 'قلعہ', 'O Hara', "O'Hara", 'OHara']
  expect(new Set(different.map(toNameKey)).size).toBe(different.length)
  const found = containsText('b c', sql`'a b'`, sql`'c d'`)
  const [row] = await server.db.selectNoFrom(found.as('isFound')).execute()
  expect(row).toEqual({ isFound: false })
})

test('200: the q of each list finds a name however it is written', async () => {
  const [stored, sought] = ['রা\u09df \u2019\u09b8', "  রা\u09af\u09bc  '\u09b8"]
  const landlord = await signInUser(server)
  const names = { first_name: 'রা\u09df', last_name: '\u2019\u09b8' }
  const { data: tenant } = await landlord.post('/tenants', { phone_number: freshPhone(), ...names })
  const { property, unit, agreement } = await createDraft(landlord, [await createTenant(server)], {
    agreement_number: 'রা\u09df 7',
  })
  const { request } = await raiseRequest(landlord, { unit })
  await landlord.patch(`/properties/${property.id}`, { alias_name: stored })
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { unit_name: stored })
  await landlord.patch(`/maintenance-requests/${request.id}`, { title: stored })

  const lists: [path: string, q: string, id: number][] = [
    ['/properties', sought, property.id],
    [`/properties/${property.id}/units`, sought, unit.id],
    ['/tenants', sought, tenant.id],
    ['/agreements', 'রা\u09af\u09bc  7', agreement.id],
    ['/maintenance-requests', sought, request.id],
  ]
  for (const [path, q, id] of lists) {
    const { data } = await landlord.get(`${path}?${new URLSearchParams({ q })}`)
    expect([path, data]).toMatchObject([path, [{ id }]])
  }
})
