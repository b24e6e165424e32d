import { expect, spyOn, test } from 'bun:test'
import { createPasswords } from '../../../../server/accounts/auth/passwords'
import { cheapPasswords } from '../../../support/passwords'

const PRODUCTION_HASH = /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/
const CHEAP_HASH = /^\$argon2id\$v=19\$m=8,t=1,p=1\$/

test.each([
  ['production', createPasswords(1), PRODUCTION_HASH],
  ['tests', cheapPasswords(), CHEAP_HASH],
])(
  'in %s a made hash and the dummy hash of a user without one have the same cost',
  async (_, passwords, form) => {
    expect(await passwords.hash('the password')).toMatch(form)

    using verify = spyOn(Bun.password, 'verify')
    for (const missing of [null, undefined])
      expect(await passwords.verify('the password', missing)).toBe(false)
    expect(verify.mock.calls).toEqual([
      ['the password', expect.stringMatching(form)],
      ['the password', expect.stringMatching(form)],
    ])
  },
)

test('no password matches the dummy hash, not even for the caller who knows it', async () => {
  using verify = spyOn(Bun.password, 'verify').mockResolvedValue(true)
  expect(await createPasswords(1).verify('the password of the dummy hash', null)).toBe(false)
  expect(verify).toHaveBeenCalledTimes(1)
})

test.each([1, 2])(
  'of %d passwords that are hashed, fifty wait for each; a further one is told to come back in two seconds',
  async concurrency => {
    const gate = Promise.withResolvers<boolean>()
    using verify = spyOn(Bun.password, 'verify').mockReturnValue(gate.promise as never)
    const passwords = cheapPasswords(concurrency)
    const admitted = Array.from({ length: 51 * concurrency }, () => passwords.verify('x', 'a hash'))

    const refused = passwords.verify('x', 'a hash')

    await expect(refused).rejects.toMatchObject({ status: 503, reason: 'passwords_busy', retryAfterS: 2 })
    expect(verify).toHaveBeenCalledTimes(concurrency)
    gate.resolve(true)
    expect(await Promise.all(admitted)).toEqual(admitted.map(() => true))
    expect(verify).toHaveBeenCalledTimes(51 * concurrency)
  },
)
