import { expect, test } from 'bun:test'
import { toShownName } from '../../../server/documents/names'
import { testServer } from '../../support/server'
import { signInUser } from '../../support/users'

const server = testServer()

test.each([
  ['Asha', 'Rao', 'Asha Rao'],
  ['Ａｓｈａ', 'राव', 'Ａｓｈａ राव'],
  ['དོན་གྲུབ', '𑄌𑄇𑄟', 'དོན་གྲུབ 𑄌𑄇𑄟'],
  ['Kartik', '🪔', 'Kartik'],
  ['王', '伟', undefined],
  ['สมชาย', 'Rao', undefined],
])(
  '%s %s is shown as %p, else the phone number is, and the change of the name warns',
  async (first, last, shown) => {
    const user = await signInUser(server)
    const names = { first_name: first, last_name: last, email: 'a@example.com' }
    const { warnings = [] } = (await user.put('/profile/complete', names)).data
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(shown ? [] : ['name_not_shown'])
  },
)

test.each([
  ['Kartik 🪔', 'en', 'Kartik'],
  ['🇮🇳 Ravi 1️⃣', 'en', 'Ravi'],
  ['王伟', 'en', '******3210 (name cannot be shown)'],
  ['王伟', 'hi', '******3210 (नाम दिखाया नहीं जा सकता)'],
] as const)('%s is shown in %s as %s', (name, language, shown) => {
  expect(toShownName(name, '9876543210', language)).toBe(shown)
})
