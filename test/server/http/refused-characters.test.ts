import { beforeAll, describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createDraft, freshPhone, signInUser, type TestUser } from '../../support/users'
import { broken } from './forms'

const server = testServer()
let user: TestUser
let paths: Record<'property' | 'unit' | 'agreement', string>
beforeAll(async () => {
  user = await signInUser(server)
  const { property, unit, agreement } = await createDraft(user, [await signInUser(server)])
  paths = {
    property: `/properties/${property.id}`,
    unit: `/properties/${property.id}/units/${unit.id}`,
    agreement: `/agreements/${agreement.id}`,
  }
})

const named = { first_name: 'A', last_name: 'B', email: 'a@b.co' }
const lines: [field: string, send: (text: string) => Promise<{ status: number; body: unknown }>][] = [
  ...['first_name', 'last_name', 'email', 'password'].map((field): (typeof lines)[number] => [
    field,
    text => user.put('/profile/complete', { ...named, [field]: text }),
  ]),
  ...['society_building', 'survey_number', 'road_name', 'locality', 'landmark', 'alias_name', 'country'].map(
    (field): (typeof lines)[number] => [field, text => user.patch(paths.property, { [field]: text })],
  ),
  ['common_amenities.0', text => user.patch(paths.property, { common_amenities: [text] })],
  ['unit_name', text => user.patch(paths.unit, { unit_name: text })],
  ['unit_amenities.0', text => user.patch(paths.unit, { unit_amenities: [text] })],
  ['amenities.0', text => user.patch(paths.agreement, { amenities: [text] })],
  ['agreement_number', text => user.patch(paths.agreement, { agreement_number: text })],
  ['document_url', text => user.patch(paths.agreement, { document_url: `https://example.com/${text}` })],
  ['first_name', text => user.post('/tenants', { phone_number: freshPhone(), first_name: text })],
  ['q', text => user.get(`/properties?q=${encodeURIComponent(text)}`)],
  ['name', text => user.get(`/properties/search?pin_code=560048&name=${encodeURIComponent(text)}`)],
]
const paragraphs: typeof lines = [
  ...['unit_notes', 'furniture_included'].map((field): (typeof lines)[number] => [
    field,
    text => user.patch(paths.unit, { [field]: text }),
  ]),
  ...['additional_policies', 'improvements', 'payment_terms'].map((field): (typeof lines)[number] => [
    field,
    text => user.patch(paths.agreement, { [field]: text }),
  ]),
]

const toCode = (text: string) => `U+${text.codePointAt(0)!.toString(16).padStart(4, '0')}`
const refused = Array.from(
  '\0\u0007\u000b\u001b\u007f\u0085\u009b\u2028\u2029\u061c\u200e\u200f\u202a\u202e\u2066\u2069\ufff9\u00ad\u200b\u2060\u2800\u3164\ufeff\u{e0041}',
)

describe('400: control, bidirectional and invisible characters', () => {
  test.each([...lines, ...paragraphs])('in %s', async (field, send) => {
    for (const character of refused) {
      const { status, body } = await send(`long enough ${character} text`.replaceAll(' ', '-'))
      expect([toCode(character), status, body]).toEqual([toCode(character), 400, broken(field)])
    }
  })

  test.each(lines)('ends of lines and tabs in %s, which is one line', async (field, send) => {
    for (const character of ['\t', '\n', '\r']) {
      const { status, body } = await send(`long-enough${character}text`)
      expect([toCode(character), status, body]).toEqual([toCode(character), 400, broken(field)])
    }
  })
})

test.each(['\u200d', '\u200c\u200c', '\ufe0f', '\u3000'])(
  '400: a name without a visible character, %j',
  async text => {
    expect((await user.patch(paths.unit, { unit_name: text })).status).toBe(400)
  },
)

test.each(paragraphs)('200: lines with tabs in %s', async (_, send) => {
  expect((await send('- No music\r\n\tafter ten\n- No pets')).status).toBe(200)
})

test('200: the joiners of Indian scripts and emoji, and text from right to left', async () => {
  for (const text of ['क्‍ष', 'നന്‌മ', '👩‍👧', 'عقد الإيجار'])
    expect((await user.patch(paths.unit, { unit_name: text })).data.unit_name).toBe(text)
})
